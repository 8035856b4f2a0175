import type { Sizes } from '../../model/plan.ts';
import type { Answer, Statement } from '../../model/rows.ts';
import type { Table } from '../../model/table.ts';

// A partitioned table is as large as its parts, and has no storage of its own.
const ofParts = (size: string) =>
  `coalesce((SELECT sum(${size}(relid)) FROM pg_partition_tree(c.oid)), ${size}(c.oid))`;

export function sizes(table: Table): Statement {
  return {
    text: `SELECT c.relkind, ${ofParts('pg_table_size')}, ${ofParts('pg_indexes_size')}, pg_database_size(current_database())
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`,
    values: [table.schema ?? 'public', table.name],
  };
}

const kinds: Readonly<Record<string, Sizes['kind']>> = { v: 'VIEW', m: 'MATERIALIZED VIEW', f: 'FOREIGN TABLE' };

export function sized(answer: Answer): Sizes {
  const [kind, table, indexes, database] = answer.cells[0] ?? [];
  return {
    kind: kinds[String(kind)] ?? 'BASE TABLE',
    table: Number(table),
    indexes: Number(indexes),
    database: Number(database),
  };
}
