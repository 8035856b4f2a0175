import type { DumpFormat } from '../model/http.ts';
import type { Encoder, Field } from '../model/rows.ts';
import { csv } from './formats/csv.ts';
import { line } from './formats/delimited.ts';
import type { Format, FormatMaker } from './formats/format.ts';
import { json } from './formats/json.ts';
import { jsonl } from './formats/jsonl.ts';
import { tsv } from './formats/tsv.ts';
import { xml } from './formats/xml.ts';

export interface Dump {
  readonly contentType: string;
  /** For formats that COPY can write: the delimiter between two cells. */
  readonly delimiter: string | null;
  format(fields: readonly Field[], encoders: readonly Encoder[]): Format;
}

/** The registry: `format` of a dump → its writer (contract 11). */
export const dumps: Readonly<Record<DumpFormat, Dump>> = {
  csv: headed('text/csv; charset=utf-8', ',', csv),
  tsv: headed('text/tab-separated-values; charset=utf-8', '\t', tsv),
  json: { contentType: 'application/json; charset=utf-8', delimiter: null, format: json.format },
  xml: { contentType: 'text/xml; charset=utf-8', delimiter: null, format: xml.format },
  jsonl: { contentType: 'application/x-ndjson; charset=utf-8', delimiter: null, format: jsonl.format },
};

function headed(contentType: string, delimiter: string, { format }: FormatMaker): Dump {
  return {
    contentType,
    delimiter,
    format: (fields, encoders) => ({
      ...format(fields, encoders),
      head: `${line(delimiter)(fields.map(({ id }) => id))}\r\n`,
    }),
  };
}
