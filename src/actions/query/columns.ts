import { isRank, type Shown } from '../../model/plan.ts';
import type { Field } from '../../model/rows.ts';
import type { Column, Table, Type } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';

/**
 * Finds a visible column by a name from a request. Tries it as sent, then trimmed and unquoted (contract 2). So a column
 * called ` leading` or `"quoted"` can be named. A doubled quote may also be two: clients wrap names without doubling.
 */
export function column(table: Table, name: string): Column | undefined {
  return table.labels.get(name) ?? table.labels.get(unquote(name)) ?? table.labels.get(unwrap(name) ?? '');
}

/** The key under names that a client can use. Empty if there is no key, or a part of it is hidden under all of its names. */
export function visibleKey(table: Table): readonly Column[] {
  const parts = table.key.map((part) => table.columns.findLast((candidate) => candidate.name === part.name));
  return parts.includes(undefined) ? [] : parts.filter((part) => part !== undefined);
}

/** The name that a text means: without blanks around it, or what its double quotes wrap, as in CSV. */
export const unquote = (name: string): string => unwrap(name)?.replaceAll('""', '"') ?? name.trim();

/** What double quotes wrap; null without them. */
function unwrap(name: string): string | null {
  const trimmed = name.trim();
  return /^"[\s\S]*"$/.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1) : null;
}

/** A name as `unquote` and a list in a text read it. */
export const quote = (name: string): string => (/[",]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/** The columns of an answer without `fields`: all but the binary ones (docs/data-types.md). */
export function defaultColumns(table: Table): readonly Column[] {
  return table.columns.filter((candidate) => candidate.type.kind !== 'binary');
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

/** The name of a type on the wire: PostgreSQL's, with every string type as `text` (contract 3.10). */
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
