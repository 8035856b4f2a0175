import type { ReadDialect } from '../../model/dialect/read.ts';
import { isRank, type Shown } from '../../model/plan.ts';
import type { Answer, Field, Rows } from '../../model/rows.ts';
import type { Column, Table, Type } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';

/** The visible columns of a table, or the outputs of a question, by the names that a request may use. */
export type Fields = Pick<Table, 'columns' | 'labels' | 'key'>;

/**
 * Finds a visible column by a name from a request. The name is tried as sent, so that columns called ` leading` or `"quoted"` can
 * be named; then trimmed and unquoted, as in CKAN; last, unquoted but with `""` kept, as some clients don't double inner quotes.
 */
export function column(table: Fields, name: string): Column | undefined {
  return table.labels.get(name) ?? table.labels.get(unquote(name)) ?? table.labels.get(unwrap(name) ?? '');
}

/** The key as visible columns. Empty if the table has no key, or if a key column is hidden. */
export function visibleKey(table: Fields): readonly Column[] {
  const parts = table.key.map((part) => table.columns.findLast((candidate) => candidate.name === part.name));
  return parts.includes(undefined) ? [] : parts.filter((part) => part !== undefined);
}

/** The name without surrounding blanks, or without its double quotes, as in CSV. */
export const unquote = (name: string): string => unwrap(name)?.replaceAll('""', '"') ?? name.trim();

/** The part between surrounding double quotes; null if there are none. */
function unwrap(name: string): string | null {
  const trimmed = name.trim();
  return /^"[\s\S]*"$/.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1) : null;
}

/** Quotes a name for a comma-separated list, if it has commas, double quotes, or blanks at either end. */
export const quote = (name: string): string => (/[",]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/** The columns of an answer to a call without `fields`: all except binary ones, which are large and unreadable. */
export function defaultColumns(table: Table): readonly Column[] {
  return table.columns.filter((candidate) => candidate.type.kind !== 'binary');
}

/** Records as the driver returns them, with the encoders of their columns. */
export function rowsOf(columns: readonly Shown[], cells: Answer['cells'], { encoder }: ReadDialect): Rows {
  return { fields: columns.map(field), encoders: columns.map(encoder), cells };
}

export function field(of: Shown): Field {
  if (isRank(of)) return { id: of.label, type: 'float' };
  const described: { id: string; type: string; info?: JsonObject } = {
    id: of.label,
    type: of.label === '_id' && of.type.kind === 'int' ? 'int' : wireType(of.type),
  };
  if (of.info !== null) described.info = of.info;
  return described;
}

/** The name of a type in answers: PostgreSQL's name, as in CKAN, with `text` for every string type. */
export function wireType(type: Type): string {
  switch (type.kind) {
    case 'int':
      return type.wire;
    case 'decimal':
      return 'numeric';
    case 'float':
      return type.bits === 32 ? 'float4' : 'float8';
    case 'choice':
      return 'text';
    case 'timestamp':
      return type.zoned ? 'timestamptz' : 'timestamp';
    case 'json':
      return type.binary ? 'jsonb' : 'json';
    case 'binary':
      return 'bytea';
    case 'bits':
      return type.length === 1 && !type.varying ? 'int2' : 'bit';
    case 'array':
      return `_${wireType(type.of)}`;
    case 'opaque':
      return type.wire;
    default:
      return type.kind;
  }
}

/** All columns but `_id`, as in CKAN. The column that `_id` is an alias of appears under its own name. */
export const listedColumns = ({ columns }: Table): readonly Column[] => columns.filter(({ label }) => label !== '_id');
