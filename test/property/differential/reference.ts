/** PostgreSQL itself as the reference for SQL: it runs the same text on tables of the same names. */
import { PGlite } from '@electric-sql/pglite';
import { isLosslessNumber, parse } from 'lossless-json';

type Row = readonly (string | null)[];

export interface Reference {
  /** The rows of an answer as PostgreSQL writes them, or its error. */
  run(sql: string): Promise<readonly Row[] | { readonly error: string }>;
  close(): Promise<void>;
}

export async function openReference(tables: string): Promise<Reference> {
  const database = new PGlite();
  await database.exec(`SET timezone = 'UTC'; ${tables}`);
  const parsers = Object.fromEntries(types.map((oid) => [oid, (text: string) => text]));
  return {
    async run(sql) {
      try {
        return (await database.query<(string | null)[]>(sql, [], { rowMode: 'array', parsers })).rows;
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
      }
    },
    close: () => database.close(),
  };
}

/** The oids of the types in answers. */
const types = [16, 20, 21, 23, 25, 700, 701, 1043, 1082, 1114, 1184, 1700];

/** An answer of the gateway. */
export interface Answer {
  readonly types: readonly string[];
  readonly rows: readonly Row[];
}

/** Reads an answer, without the `_id` that PostgreSQL's table does not have. */
export function answerIn(text: string): Answer {
  const { result } = Object(parse(text));
  const fields = result.fields.filter(({ id }: { id: string }) => id !== '_id');
  const cell = (value: unknown) =>
    value === null
      ? null
      : isLosslessNumber(value)
        ? value.value
        : typeof value === 'boolean'
          ? value
            ? 't'
            : 'f'
          : String(value);
  const rows = result.records.map((record: Record<string, unknown>) =>
    fields.map(({ id }: { id: string }) => cell(record[id])),
  );
  return { types: fields.map(({ type }: { type: string }) => type), rows };
}

/** Whether the rows have the same values: doubles to 12 digits, numerics to as many places as both show. */
export function haveSameRows({ types, rows }: Answer, expected: readonly Row[], isOrdered: boolean): boolean {
  if (rows.length !== expected.length) return false;
  const [ours, theirs] = [rows, expected].map((all) => (isOrdered ? all : [...all].sort(byText)));
  return rows.every((_, nth) =>
    types.every((type, at) => isSame(type, ours?.[nth]?.[at] ?? null, theirs?.[nth]?.[at] ?? null)),
  );
}

const byText = (a: Row, b: Row): number => (JSON.stringify(a.map(rounded)) < JSON.stringify(b.map(rounded)) ? -1 : 1);
const rounded = (cell: string | null): string | number | null =>
  cell !== null && /^-?[\d.]+(e[+-]?\d+)?$/i.test(cell) ? Number(Number(cell).toPrecision(10)) : time(cell);

function isSame(type: string, ours: string | null, theirs: string | null): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  if (type.startsWith('float')) {
    const [a, b] = [Number(ours), Number(theirs)];
    return a === b || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
  }
  if (type === 'numeric') {
    const places = Math.min(...[ours, theirs].map((text) => text.split('.')[1]?.length ?? 0));
    const [a, b] = [ours, theirs].map((text) => units(text, places));
    return a === b;
  }
  return time(ours) === time(theirs);
}

/** A decimal in units of its last place, rounded half away from zero. */
function units(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const cut = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const rounded = /^[5-9]/.test(fraction.slice(places)) ? cut + 1n : cut;
  return text.startsWith('-') ? -rounded : rounded;
}

/** A time without zeros at its end. */
function time(text: string | null): string | null {
  const found = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(\+00)?$/.exec(text ?? '');
  return found === null ? text : `${found[1]} ${found[2]}${(found[3] ?? '').replace(/\.?0*$/, '')}`;
}
