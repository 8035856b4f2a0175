import type { Cell, Column, Read, Statement, Table } from '../plan.ts';
import type { Database } from './database.ts';

/** The statements a dump needs, made by the dialect. */
export interface Dumper {
  search(read: Read): Statement;
  copy(read: Read, delimiter: string): string | null;
  check(table: Table, columns: readonly Column[]): Statement;
}

/** Some rows; or bytes that already are what the encoders would write of some. */
export type Piece = readonly (readonly Cell[])[] | Uint8Array;

/**
 * Reads everything a plan finds, no faster than it is taken. `delimiter`: what stands between two cells where the rows are
 * wanted as COPY writes them. Throws what `Streams` throws.
 */
export function dump(
  database: Database,
  dumper: Dumper,
  plan: Read,
  delimiter: string | null,
  signal: AbortSignal,
): AsyncGenerator<Piece, void> {
  const { streams } = database;
  if (streams === null) return whole(database, dumper, plan);
  const copy = delimiter === null ? null : dumper.copy(plan, delimiter);
  if (copy === null || streams.copy === null) return streams.rows(dumper.search(plan), signal);
  return streams.copy(dumper.check(plan.table, plan.table.columns), copy, signal);
}

async function* whole(database: Database, dumper: Dumper, plan: Read): AsyncGenerator<Piece, void> {
  const { cells } = await database.use((session) => session.run(dumper.search(plan)));
  yield cells;
}
