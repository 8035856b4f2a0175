/** Selects a database's tables by a command's options. */
import type { SurveyedTable } from '../model/catalog.ts';

export interface Selection {
  readonly schemas: readonly string[];
  /** Patterns for `table` or `schema.table`, in which `*` matches any text and `?` any character. */
  readonly tables: readonly string[];
  readonly except: readonly string[];
  /** How many tables each pattern must match: exactly one, or any number. */
  readonly each: 'one' | 'any';
}

export interface Selected {
  readonly selected: readonly SurveyedTable[];
  readonly unmatched: readonly string[];
  readonly ambiguous: readonly string[];
}

/** The selected tables, the patterns that match no table, and the patterns that match too many. */
export function select(all: readonly SurveyedTable[], { schemas, tables, except, each }: Selection): Selected {
  const selected = all.filter(
    (table) =>
      (schemas.length === 0 || table.schema === null || schemas.includes(table.schema)) &&
      (tables.length === 0 || tables.some((pattern) => matches(table, pattern))) &&
      !except.some((pattern) => matches(table, pattern)),
  );
  const isUsed = (pattern: string) => all.some((table) => matches(table, pattern));
  const unmatched = [...tables, ...except].filter((pattern) => !isUsed(pattern));
  const unknown = schemas.filter((schema) => !all.some((table) => table.schema === schema));
  const matching = (pattern: string) => selected.filter((table) => matches(table, pattern));
  const ambiguous = each === 'any' ? [] : tables.filter((pattern) => matching(pattern).length > 1);
  return { selected, unmatched: [...unknown, ...unmatched], ambiguous };
}

/** Whether a pattern without wildcards names exactly this table. */
export const isNamed = (table: SurveyedTable, { tables }: Selection): boolean =>
  tables.some((pattern) => !/[*?]/.test(pattern) && matches(table, pattern));

function matches({ schema, name }: SurveyedTable, pattern: string): boolean {
  const source = pattern.replace(/[\s\S]/gu, (char) =>
    char === '*' ? '.*' : char === '?' ? '.' : char.replace(/[\\^$.|+()[\]{}/]/u, '\\$&'),
  );
  const expression = new RegExp(`^${source}$`, 'su');
  return expression.test(name) || (schema !== null && expression.test(`${schema}.${name}`));
}
