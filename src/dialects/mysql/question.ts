/** Groups and measures on MySQL and MariaDB. */
import type { Server } from '../../model/catalog.ts';
import type { Grouping, Step } from '../../model/question.ts';
import { type Column, hasZeroDate } from '../../model/table.ts';
import { of } from '../knex.ts';
import type { Asking, MeasureOfColumn } from '../question.ts';
import { counting } from './aggregate.ts';
import { withoutZero, zeroDate } from './column.ts';
import { sortBy } from './order.ts';

export const asking = (server: Server): Asking => {
  const groups = counting(server);
  return {
    counting: groups,
    group(group) {
      const { column } = group;
      if (group.is !== 'column') return { key: of(column, calculated(group)), shown: null };
      const key = groups.grouped(column);
      return { key: of(column, key), shown: key === '??' ? null : of(column, '??') };
    },
    measure: (measure) => computed(measure, groups.grouped(measure.column)),
    sort: sortBy,
  };
};

/** The beginning of a calendar unit. (MAKEDATE takes years below 100 for those after 1970.) */
const beginnings: Readonly<Record<Step, string>> = {
  year: 'DATE(??) - INTERVAL (DAYOFYEAR(??) - 1) DAY',
  quarter: 'DATE(??) - INTERVAL (DAYOFYEAR(??) - 1) DAY + INTERVAL (QUARTER(??) - 1) QUARTER',
  month: 'DATE(??) - INTERVAL (DAYOFMONTH(??) - 1) DAY',
  week: 'DATE(??) - INTERVAL WEEKDAY(??) DAY',
  day: 'DATE(??)',
  hour: "DATE_FORMAT(??, '%Y-%m-%d %H:00:00')",
  minute: "DATE_FORMAT(??, '%Y-%m-%d %H:%i:00')",
  second: "DATE_FORMAT(??, '%Y-%m-%d %H:%i:%s')",
};

function calculated(group: Exclude<Grouping, { readonly is: 'column' }>): string {
  const { column, type } = group;
  if (group.is === 'truncate') {
    const time = `CAST(${beginnings[group.every]} AS ${type.kind === 'date' ? 'DATE' : 'DATETIME'})`;
    return hasZeroDate(column) ? `IF(?? = '${zeroDate(column)}', NULL, ${time})` : time;
  }
  // Not FLOOR(a / w): the quotient is rounded, and may cross an edge. The remainder of a negative number is negative.
  const { width } = group;
  // The digits become part of the statement, as a bound number would be compared as a double.
  if (!/^\d+(\.\d+)?$/.test(width)) throw new TypeError('no digits for a width');
  const exact = `?? - MOD(MOD(??, ${width}) + ${width}, ${width})`;
  return type.kind === 'decimal' ? `CAST(${exact} AS DECIMAL(${type.precision}, ${type.scale}))` : exact;
}

function computed({ fn, type, column }: MeasureOfColumn, value: string): readonly [measure: string, argument: string] {
  // The double removes the rounding of FLOAT(7,2), and the sum the zeros of ZEROFILL.
  const plain = column.type.kind === 'float' ? '?? * 1e0' : /zerofill/.test(column.native) ? '?? + 0' : '??';
  switch (fn) {
    case 'sum':
      // The factor makes MariaDB refuse an infinite sum, which it would store as the largest double.
      return [
        type.kind === 'int' ? 'CAST(SUM(??) AS SIGNED)' : type.kind === 'float' ? 'SUM(??) * 1e0' : 'SUM(??)',
        plain,
      ];
    case 'avg':
      return [
        type.kind === 'float' ? 'SUM(??) / COUNT(??)' : 'ROUND(CAST(SUM(??) AS DECIMAL(65, 26)) / COUNT(??), 16)',
        plain,
      ];
    case 'min':
      return ['MIN(??)', lowest(column, plain)];
    case 'max':
      return ['MAX(??)', lowest(column, plain)];
    case 'distinct':
      return ['COUNT(DISTINCT ??)', value];
  }
}

/** A zero date is shown as null, and so is none of the values. */
const lowest = (column: Column, plain: string): string => (hasZeroDate(column) ? withoutZero(column) : plain);
