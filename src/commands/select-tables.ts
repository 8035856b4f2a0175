/** Which tables of a database a command is about. */
import type { SurveyedTable } from '../model/catalog.ts';

export interface Selection {
  readonly schemas: readonly string[];
  /** Patterns: `*` is any text, `?` any character. They match `table` and `schema.table`. */
  readonly tables: readonly string[];
  readonly except: readonly string[];
}

/** The selected tables, and the patterns that match none. */
export function select(
  all: readonly SurveyedTable[],
  { schemas, tables, except }: Selection,
): { readonly selected: readonly SurveyedTable[]; readonly unmatched: readonly string[] } {
  const selected = all.filter(
    (table) =>
      (schemas.length === 0 || table.schema === null || schemas.includes(table.schema)) &&
      (tables.length === 0 || tables.some((pattern) => matches(table, pattern))) &&
      !except.some((pattern) => matches(table, pattern)),
  );
  const isUsed = (pattern: string) => all.some((table) => matches(table, pattern));
  const unmatched = [...tables, ...except].filter((pattern) => !isUsed(pattern));
  const unknown = schemas.filter((schema) => !all.some((table) => table.schema === schema));
  return { selected, unmatched: [...unknown, ...unmatched] };
}

/** Whether a pattern without wildcards names exactly this table. */
export const isNamed = (table: SurveyedTable, { tables }: Selection): boolean =>
  tables.some((pattern) => !/[*?]/.test(pattern) && matches(table, pattern));

function matches({ schema, name }: SurveyedTable, pattern: string): boolean {
  const source = pattern.replace(/[\s\S]/gu, (char) =>
    char === '*' ? '.*' : char === '?' ? '.' : char.replace(/[\\^$.|+()[\]{}/-]/u, '\\$&'),
  );
  const whole = new RegExp(`^${source}$`, 'su');
  return whole.test(name) || (schema !== null && whole.test(`${schema}.${name}`));
}
