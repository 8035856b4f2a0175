/** COPY formats cells itself. We select expressions that make its output the same as our encoders' (`values/encode.ts`). */
import { isRank, type Read } from '../../model/plan.ts';
import type { Copying } from '../../model/rows.ts';
import { type Column, isFlag, type Type } from '../../model/table.ts';
import { id, type Operand, of, raw } from '../knex.ts';
import { shown } from './column.ts';

/** Null if no SQL gives exactly the text of one of the columns. @param select writes the query for these outputs, without parameters */
export function copy(read: Read, delimiter: string, select: (outputs: readonly Operand[]) => string): Copying | null {
  const outputs = read.columns.flatMap((one) => (isRank(one) ? [] : (copied(one) ?? [])));
  if (outputs.length < read.columns.length) return null;
  const aliased = outputs.map((output, nth) => raw('?? AS ??', [output, alias(read, nth)]));
  return {
    text: `COPY (${select(aliased)}) TO STDOUT (FORMAT csv, DELIMITER '${delimiter}')`,
    stored: read.columns.map((one) => !isRank(one) && isStored(one)),
  };
}

/** Whether COPY sends the stored text, and our encoder formats it: timestamps are slow in SQL, and SQL can't reject a boolean stored as 2. */
const isStored = (column: Column): boolean =>
  isFlag(column) || (column.type.kind === 'timestamp' && !column.type.zoned && column.type.least !== 0);

/** In ORDER BY an output's name hides a column with the same name, so aliases must differ from the sorted columns. */
function alias({ sort }: Read, nth: number): string {
  let name = `c${nth}`;
  while (sort.some(({ by }) => !isRank(by) && by.name === name)) name += '_';
  return name;
}

/** A column's text as CSV shows it; null if no SQL gives exactly that text. */
function copied(column: Column): Operand | null {
  const { type } = column;
  switch (type.kind) {
    case 'text':
      return of(column, type.padded ? shown(column) : '??');
    case 'timestamp':
      return of(column, type.zoned || isStored(column) ? '??' : shown(column));
    case 'json':
      return of(column, `coalesce(${shown(column)}, 'null')`);
    case 'array':
      return isPlain(type.of) ? of(column, `coalesce(${shown(column)}, 'null')`) : null;
    default:
      return id(column);
  }
}

/** Whether to_json writes array elements of this type exactly as our encoder does. */
function isPlain(type: Type): boolean {
  if (type.kind === 'text') return !type.padded;
  return ['int', 'decimal', 'float', 'bool', 'choice', 'uuid', 'date'].includes(type.kind);
}
