/** COPY formats cells itself, so we select expressions that make its output equal to that of our encoders (`values/encode.ts`). */
import { isRank, type Read } from '../../model/plan.ts';
import type { Copying } from '../../model/rows.ts';
import { type Column, isFlag, type Type } from '../../model/table.ts';
import { id, type Operand, of, raw } from '../knex.ts';
import { shown } from './column.ts';

/** Null if a column's text has no exact SQL. @param select writes the query that selects these outputs, without parameters */
export function copy(read: Read, delimiter: string, select: (outputs: readonly Operand[]) => string): Copying | null {
  const outputs = read.columns.flatMap((one) => (isRank(one) ? [] : (copied(one) ?? [])));
  if (outputs.length < read.columns.length) return null;
  const aliased = outputs.map((output, nth) => raw('?? AS ??', [output, alias(read, nth)]));
  return {
    text: `COPY (${select(aliased)}) TO STDOUT (FORMAT csv, DELIMITER '${delimiter}')`,
    stored: read.columns.map((one) => !isRank(one) && isStored(one)),
  };
}

/** Whether COPY sends the stored text for our encoder to format: SQL is slow with timestamps, and cannot reject a boolean stored as 2. */
const isStored = (column: Column): boolean =>
  isFlag(column) || (column.type.kind === 'timestamp' && !column.type.zoned && column.type.least !== 0);

/** In ORDER BY the name of an output hides a column's, so aliases must differ from the sorted columns. */
function alias({ sort }: Read, nth: number): string {
  let name = `c${nth}`;
  while (sort.some(({ by }) => !isRank(by) && by.name === name)) name += '_';
  return name;
}

/** The text of a column as csv shows it; null if no SQL gives exactly that. */
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
