/** PostgreSQL itself as the reference for SQL: it runs the same text on tables of the same names. */
import { PGlite } from '@electric-sql/pglite';
import { isLosslessNumber, parse } from 'lossless-json';

type Row = readonly (string | null)[];

export interface Expected {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly Row[];
}

export interface Reference {
  /** The rows of an answer as PostgreSQL writes them and the names of its fields, or its error. */
  run(sql: string): Promise<Expected | { readonly error: string }>;
  close(): Promise<void>;
}

/** Opens PGlite with these tables, where `upper('ß')` is `ß`, as on every server. */
export async function openReference(tables: string): Promise<Reference> {
  const database = new PGlite();
  await database.exec(`SET timezone = 'UTC'; ${tables}; ${upper}`);
  const parsers = Object.fromEntries([...types.keys()].map((oid) => [oid, (text: string) => text]));
  return {
    async run(sql) {
      try {
        const { rows, fields } = await database.query<(string | null)[]>(sql, [], { rowMode: 'array', parsers });
        return {
          rows,
          types: fields.map(({ dataTypeID }) => types.get(dataTypeID) ?? String(dataTypeID)),
          names: withNumbers(fields.map(({ name }) => name)),
        };
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
      }
    },
    close: () => database.close(),
  };
}

const upper = `
  CREATE FUNCTION public.upper(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT replace(pg_catalog.upper($1), 'ẞ', 'ß') $$;
  SET search_path = public, pg_catalog;`;

/** Names that repeat get a number, as in CKAN. */
function withNumbers(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let nth = 1; taken.has(own); nth++) own = `${name}_${nth}`;
    taken.add(own);
    return own;
  });
}

/** The types in answers by their oids. The gateway's whole numbers are wider, and `date_trunc` of a date has no zone. */
const types: ReadonlyMap<number, string> = new Map([
  [16, 'bool'],
  [20, 'int'],
  [21, 'int'],
  [23, 'int'],
  [25, 'text'],
  [700, 'float'],
  [701, 'float'],
  [1043, 'text'],
  [1082, 'date'],
  [1114, 'timestamp'],
  [1184, 'timestamp'],
  [1700, 'numeric'],
]);

/** A type of the gateway as `Expected` has it. */
export const typeClass = (type: string): string => type.replace(/\d+$|tz$/, '');

/** An answer of the gateway. */
export interface Answer {
  readonly names: readonly string[];
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
  return {
    names: fields.map(({ id }: { id: string }) => id),
    types: fields.map(({ type }: { type: string }) => type),
    rows,
  };
}

/** Whether the rows have the same values: doubles to 12 digits, numerics to as many places as both show. */
export function haveSameRows(
  { types, rows }: Pick<Answer, 'types' | 'rows'>,
  expected: readonly Row[],
  isOrdered: boolean,
): boolean {
  if (rows.length !== expected.length) return false;
  const [ours, theirs] = [rows, expected].map((all) => (isOrdered ? all : [...all].sort(byText)));
  return rows.every((_, nth) =>
    types.every((type, at) => isSame(type, ours?.[nth]?.[at] ?? null, theirs?.[nth]?.[at] ?? null)),
  );
}

/** Values that are equal to 10 digits are in the order of all. */
const byText = (a: Row, b: Row): number => (sortKey(a) < sortKey(b) ? -1 : 1);
const sortKey = (row: Row): string => JSON.stringify([row.map(rounded), row.map(withoutZeros)]);
const withoutZeros = (cell: string | null): string => (cell ?? '').replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
const rounded = (cell: string | null): string | number | null =>
  cell !== null && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(Number(cell).toPrecision(10)) : time(cell);

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
