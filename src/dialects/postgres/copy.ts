/** COPY writes cells itself: what must be selected so that its bytes are those of the encoders (`values/encode.ts`). */
import { isRank, type Read } from '../../model/plan.ts';
import type { Copying } from '../../model/rows.ts';
import type { Column, Type } from '../../model/table.ts';
import type { Bind } from '../sql.ts';
import { id, isFlag, shown, statement } from './column.ts';

/** COPY binds no values, so that what has some is left to an ordinary statement: null. */
export function copy(
  read: Read,
  delimiter: string,
  select: (outputs: readonly string[], bind: Bind) => string,
): Copying | null {
  const outputs = read.columns.map((one) => (isRank(one) ? null : copied(one)));
  if (outputs.includes(null)) return null;
  const named = outputs.map((output, nth) => `${output} AS ${alias(read, nth)}`);
  const { text, values } = statement((bind) => select(named, bind));
  if (values.length > 0) return null;
  return {
    text: `COPY (${text}) TO STDOUT (FORMAT csv, DELIMITER '${delimiter}')`,
    stored: read.columns.map((one) => !isRank(one) && isStored(one)),
  };
}

/** A T and zeros in a timestamp would cost the server as much as three other columns. */
const isStored = ({ type }: Column): boolean => type.kind === 'timestamp' && !type.zoned && type.least !== 0;

/** A name in ORDER BY is an output's before it is a column's. */
function alias({ sort }: Read, nth: number): string {
  let name = `c${nth}`;
  while (sort.some(({ by }) => !isRank(by) && by.name === name)) name += '_';
  return name;
}

/** The text of a column as csv shows it; null where no SQL gives exactly that. */
function copied(column: Column): string | null {
  const name = id(column);
  const { type } = column;
  switch (type.kind) {
    case 'bool':
      return isFlag(column) ? `${name} <> 0` : name;
    case 'text':
      return type.padded ? shown(column) : name;
    case 'timestamp':
      return type.zoned || isStored(column) ? name : shown(column);
    case 'json':
      return `coalesce(${shown(column)}, 'null')`;
    case 'array':
      return isPlain(type.of) ? `coalesce(${shown(column)}, 'null')` : null;
    default:
      return name;
  }
}

/** Whether to_json writes such an element as its encoder does. */
function isPlain(type: Type): boolean {
  if (type.kind === 'text') return !type.padded;
  return ['int', 'decimal', 'float', 'bool', 'choice', 'uuid', 'date'].includes(type.kind);
}
