import type { Sizes } from '../../model/plan.ts';
import type { Answer, Question } from '../../model/rows.ts';
import type { Table } from '../../model/table.ts';

const query = `SELECT TABLE_TYPE, DATA_LENGTH, INDEX_LENGTH,
      (SELECT SUM(DATA_LENGTH + INDEX_LENGTH) FROM information_schema.TABLES WHERE TABLE_SCHEMA = database())
      FROM information_schema.TABLES WHERE TABLE_SCHEMA = database() AND TABLE_NAME = ?`;

export const sizes = ({ name }: Table): Question<Sizes> => ({ statement: { text: query, values: [name] }, read });

/** A view has no size: MySQL returns NULL, PostgreSQL 0, and we show 0. */
function read(answer: Answer): Sizes {
  const [kind, table, indexes, database] = answer.cells[0] ?? [];
  return {
    kind: /VIEW/.test(String(kind)) ? 'VIEW' : 'BASE TABLE',
    table: Number(table),
    indexes: Number(indexes),
    database: Number(database),
  };
}
