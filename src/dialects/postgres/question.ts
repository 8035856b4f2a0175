/** Groups and measures on PostgreSQL. */
import type { Server } from '../../model/catalog.ts';
import type { Grouping } from '../../model/question.ts';
import { id, type Operand, of, raw, Shared } from '../knex.ts';
import type { Asking, MeasureOfColumn } from '../question.ts';
import { counting } from './aggregate.ts';
import { sortBy } from './order.ts';

export const asking = (server: Server): Asking => {
  const groups = counting(server);
  return {
    counting: groups,
    group: (group) => ({ key: key(group, groups.grouped(group.column)), shown: null }),
    measure: (measure) => computed(measure, groups.grouped(measure.column)),
    sort: sortBy,
  };
};

function key(group: Grouping, value: string): Operand {
  const { column, type } = group;
  switch (group.is) {
    case 'column':
      return of(column, value);
    case 'truncate': {
      const beginning = (time: string) => `date_trunc('${group.every}', ${time})`;
      return of(column, type.kind === 'date' ? `${beginning('??::timestamp')}::date` : beginning('??'));
    }
    case 'floor': {
      const [name, width] = [id(column), new Shared(group.width)];
      const number = type.kind === 'int' ? 'int8' : 'numeric';
      // Not floor(a / w): the quotient is rounded, and may cross an edge. The remainder of a negative number is negative.
      const exact = `??::${number} - mod(mod(??::${number}, ?::${number}) + ?::${number}, ?::${number})`;
      const places = group.width.split('.')[1]?.length ?? 0;
      return raw(type.kind === 'int' ? exact : `round(${exact}, ${places})`, [name, name, width, width, width]);
    }
  }
}

/** A factor that gives a quotient 30 places, so that rounding it to 16 is exact: a quotient by less than 10^9 records is no nearer to an edge. */
const thirtyPlaces = `1.${'0'.repeat(30)}`;

function computed({ fn, type, column }: MeasureOfColumn, value: string): readonly [measure: string, argument: string] {
  const number = type.kind === 'float' ? '??::float8' : column.native === 'oid' ? '??::int8' : '??';
  switch (fn) {
    case 'sum':
      return ['SUM(??)', number];
    case 'avg':
      return type.kind === 'float'
        ? ['SUM(??) / NULLIF(COUNT(??), 0)', number]
        : [`round(SUM(??)::numeric * ${thirtyPlaces} / NULLIF(COUNT(??), 0), 16)`, number];
    case 'min':
      return ['MIN(??)', '??'];
    case 'max':
      return ['MAX(??)', '??'];
    case 'distinct':
      return ['COUNT(DISTINCT ??)', value];
  }
}
