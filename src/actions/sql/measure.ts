/** The aggregates of a SELECT. */
import { type Aggregation, type Expr, int8 } from '../../model/question.ts';
import { SqlFault } from '../../model/select.ts';
import { isNumber, isText, type Type } from '../../model/table.ts';
import { canGroup } from '../aggregate/ranges.ts';
import { wireType } from '../query/columns.ts';
import { averageType, float8, sumType } from '../question/digits.ts';
import { type Call, wrongNumber } from './arguments.ts';
import { isTime } from './compare.ts';
import { bool } from './constants.ts';

export const aggregates: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max', 'stddev_samp', 'stddev']);

/** An aggregate. @param of its arguments @param filter the records that count; null for all */
export function measure(call: Call, of: readonly Expr[], filter: Expr | null): Aggregation {
  const { fn, at } = call;
  const [argument, ...others] = of;
  const aggregate = (name: Aggregation['fn'], type: Type): Aggregation => ({
    ...{ is: 'aggregate', fn: name, of: argument ?? null, filter, type },
  });
  if (call.ofAll && fn === 'count') return aggregate('count', int8);
  if (argument === undefined || others.length > 0 || call.ofAll) throw wrongNumber(call, 'one argument');
  if (call.distinct && fn !== 'count') throw new SqlFault(`${fn}(DISTINCT …) is not supported`, at);
  const { type } = argument;
  const refuse = (lacks: string) => new SqlFault(`a value of type ${wireType(type)} ${lacks}`, at);
  switch (fn) {
    case 'count':
      if (call.distinct && !isGroupable(argument)) throw refuse('has no distinct values');
      return aggregate(call.distinct ? 'distinct' : 'count', int8);
    case 'sum':
      return aggregate('sum', sumType(type, refuse));
    case 'avg':
      return aggregate('avg', averageType(type, refuse));
    case 'min':
    case 'max':
      if (!['int', 'decimal', 'float', 'text', 'date', 'time', 'timestamp'].includes(type.kind))
        throw refuse(`has no ${fn}`);
      return aggregate(fn, type);
    default:
      if (!isNumber(type)) throw refuse(`has no ${fn}`);
      return aggregate('deviation', float8(type.kind === 'float' && type.nan));
  }
}

/** Whether records can be grouped by the expression. */
export const isGroupable = (e: Expr): boolean =>
  e.is === 'column'
    ? canGroup(e.column)
    : isNumber(e.type) || isText(e.type) || isTime(e.type) || e.type.kind === bool.kind;
