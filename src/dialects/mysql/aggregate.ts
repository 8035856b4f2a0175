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

/** The blanks reserve room: the temporary table of a window function allots 22 characters to a double's text, which may need 24. */
const wide = (column: Column): string => `TRIM(CONCAT(${output(column)}, '            '))`;

/** SQL that is equal for two values if a filter for one finds the other. A float's 0 and -0 are equal, though their texts differ. */
function grouped(column: Column): string {
  const { type, equality } = column;
  if (type.kind === 'float') return 'IF(?? = 0, 0, ??)';
  return (type.kind === 'text' && equality === 'engine') || type.kind === 'opaque' ? '??' : exact(column);
}

/** Estimates how many distinct values a column has, from the statistics of an index that begins with the column. */
export const estimateValues = ({ name }: Table, column: Column): Question<number | null> => ({
  statement: {
    text: `SELECT MAX(CARDINALITY) FROM information_schema.STATISTICS
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ? AND SEQ_IN_INDEX = 1`,
    values: [name, column.name],
  },
  read: ({ cells: [row] }) => (row?.[0] == null ? null : Number(row[0])),
});
