import type { Sizes } from '../../model/plan.ts';
import type { Answer, Question } from '../../model/rows.ts';
import type { Table } from '../../model/table.ts';

// A partitioned table has no storage of its own; its size is the sum of its partitions' sizes.
const ofParts = (size: string) =>
  `coalesce((SELECT sum(${size}(relid)) FROM pg_partition_tree(c.oid)), ${size}(c.oid))`;

const query = `SELECT c.relkind, ${ofParts('pg_table_size')}, ${ofParts('pg_indexes_size')}, pg_database_size(current_database())
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`;

export const sizes = ({ schema, name }: Table): Question<Sizes> => ({
  statement: { text: query, values: [schema ?? 'public', name] },
  read,
});

const kinds: Readonly<Record<string, Sizes['kind']>> = { v: 'VIEW', m: 'MATERIALIZED VIEW', f: 'FOREIGN TABLE' };

function read(answer: Answer): Sizes {
  const [kind, table, indexes, database] = answer.cells[0] ?? [];
  return {
    kind: kinds[String(kind)] ?? 'BASE TABLE',
    table: Number(table),
    indexes: Number(indexes),
    database: Number(database),
  };
}
