/** Counts by value and by range on MySQL and MariaDB. */
import type { Server } from '../../model/catalog.ts';
import type { Question } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Counting } from '../aggregate.ts';
import { from, knex, output, sorted } from './column.ts';
import { exact } from './distinct.ts';
import { conditions } from './select.ts';

export const counting = ({ product, version: [major = 0] }: Server): Counting => ({
  knex,
  from,
  conditions,
  grouped,
  output: (column) => (column.type.kind === 'float' ? wide(column) : output(column)),
  order: (column) => [sorted(column).replace('??', 'v'), 'e'],
  showsAny: true,
  hasWindows: product === 'mariadb' || major >= 8,
});

/** Blanks make room: the temporary table of a window function gives the text of a double 22 characters, but it may have 24. */
const wide = (column: Column): string => `TRIM(CONCAT(${output(column)}, '    '))`;

/** Groups the values that a filter finds together. The two zeros of a float are equal, and differ only as text. */
function grouped(column: Column): string {
  const { type, equality } = column;
  if (type.kind === 'float') return 'IF(?? = 0, 0, ??)';
  return (type.kind === 'text' && equality === 'engine') || type.kind === 'opaque' ? '??' : exact(column);
}

/** The number of a column's values, by the statistics of an index that begins with it. */
export const estimateValues = ({ name }: Table, column: Column): Question<number | null> => ({
  statement: {
    text: `SELECT MAX(CARDINALITY) FROM information_schema.STATISTICS
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ? AND SEQ_IN_INDEX = 1`,
    values: [name, column.name],
  },
  read: ({ cells: [row] }) => (row?.[0] == null ? null : Number(row[0])),
});
