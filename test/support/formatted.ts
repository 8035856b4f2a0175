import type { RecordsFormat } from '../../src/model/http.ts';
import type { Rows } from '../../src/model/rows.ts';
import { records as steps } from '../../src/reply/envelope.ts';
import { Pieces } from '../../src/reply/pieces.ts';
import { runSteps } from './drained.ts';

/** The text of records in one of the formats. */
export function records(rows: Rows, format: RecordsFormat, maxBytes: number): string {
  const to = new Pieces();
  runSteps(steps(rows, format, maxBytes, to));
  return Buffer.from(runSteps(to.joined())).toString();
}
