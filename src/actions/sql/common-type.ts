import { SqlFault } from '../../model/select.ts';
import { isText, type Type } from '../../model/table.ts';
import { wireType } from '../query/columns.ts';
import { commonNumber, type NumberType } from '../question/digits.ts';
import { isTime } from './compare.ts';
import { bool, text, timestamp } from './constants.ts';

/** The common type of several values, such as the results of a CASE. Throws a `SqlFault` if there is no such type. */
export function commonType(types: readonly Type[], what: string, at: number): Type {
  const [first] = types;
  if (first === undefined || types.every(isText)) return text;
  const numbers = types.filter(
    (one): one is NumberType => one.kind === 'int' || one.kind === 'decimal' || one.kind === 'float',
  );
  if (numbers.length === types.length) return commonNumber(numbers);
  if (types.every(({ kind }) => kind === 'bool')) return bool;
  if (types.every(isTime))
    return types.every(({ kind }) => kind === 'date') ? first : (types.find(isTimestamp) ?? timestamp);
  throw new SqlFault(`${what} needs values of one type, got: ${[...new Set(types.map(wireType))].join(', ')}`, at);
}

const isTimestamp = ({ kind }: Type): boolean => kind === 'timestamp';
