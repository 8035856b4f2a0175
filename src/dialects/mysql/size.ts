import type { Sizes } from '../../model/plan.ts';
import type { Answer, Statement } from '../../model/rows.ts';
import type { Table } from '../../model/table.ts';

export function sizes(table: Table): Statement {
  return {
    text: `SELECT TABLE_TYPE, DATA_LENGTH, INDEX_LENGTH,
      (SELECT SUM(DATA_LENGTH + INDEX_LENGTH) FROM information_schema.TABLES WHERE TABLE_SCHEMA = database())
      FROM information_schema.TABLES WHERE TABLE_SCHEMA = database() AND TABLE_NAME = ?`,
    values: [table.name],
  };
}

/** A view has no size: the server says NULL, which is 0 here as on PostgreSQL. */
export function sized(answer: Answer): Sizes {
  const [kind, table, indexes, database] = answer.cells[0] ?? [];
  return {
    kind: /VIEW/.test(String(kind)) ? 'VIEW' : 'BASE TABLE',
    table: Number(table),
    indexes: Number(indexes),
    database: Number(database),
  };
}
