/** Turns a `datastore_aggregate` call for measures in groups into a question. */
import { invalid, Refusal } from '../../model/errors.ts';
import type { Where } from '../../model/plan.ts';
import {
  type Aggregation,
  type Ask,
  conditionsOf,
  type Expr,
  type Output,
  type Question,
} from '../../model/question.ts';
import { byLabel, type Column, type Table } from '../../model/table.ts';
import { isList } from '../../values/json.ts';
import { truncate } from '../../values/truncate.ts';
import type { Bounds } from '../action.ts';
import { boundLength, listedValues, maxCharacters } from '../query/amounts.ts';
import { column } from '../query/columns.ts';
import { compared } from '../query/conditions.ts';
import { where } from '../query/filters.ts';
import { hint } from '../query/hint.ts';
import { orderOf } from '../query/page.ts';
import { searches } from '../query/words.ts';
import {
  columnValue,
  typedCount,
  typedEvery,
  typedMeasure,
  typedOutput,
  typedTotal,
  typedValue,
  typedWidth,
} from '../question/typed.ts';
import { groupedColumn } from './group-conditions.ts';
import { groupFilters } from './group-filters.ts';
import type { MeasureParameter, MeasureParameters } from './measure-parameters.ts';

/** Builds the query that a call asks for. Throws a 409 for errors that show only once the columns are known. */
export function questionOf(parsed: MeasureParameters, table: Table, bounds: Bounds): Ask {
  const { filters, words, having, limit, offset } = parsed;
  const groups = groupsOf(parsed, table);
  const measures = parsed.measures.map((one, nth) =>
    typedOutput(measureOf(one, table, bounds), groups.length + nth, one.name),
  );
  const columns = [...groups, ...measures].map(({ column }) => ({ ...column, source: 'g' }));
  mustDiffer(columns, parsed.includeFilters);
  if (parsed.includeFilters) {
    // Check that a search will accept the filters of each record, which have one more condition per group.
    const longest = groups.reduce(
      (all, { of }) => groupFilters(all, groupedColumn(of).label, { null: false, ne: null }),
      filters,
    );
    where(longest, table, bounds);
  }
  const numbers = columns.filter(({ type }) => ['int', 'decimal', 'float'].includes(type.kind));
  const named = numbers.map(({ label }) => label).join(', ');
  const condition = renamed(
    'having',
    (text) => `${text} (having compares the numbers among the outputs: ${named})`,
    () => where(having, fields(numbers), bounds),
  );
  const sort = orderOf(parsed.sort, fields(columns), columns.slice(0, groups.length));
  const all = { where: null, having: null, queries: [], offset: 0, sort: [], limit: null } as const;
  const records = {
    is: 'table',
    as: null,
    table,
    where: where(filters, table, bounds),
    searches: searches(words, table, bounds),
  } as const;
  const total = typedOutput(typedTotal(groups.length > 0), columns.length, '');
  const grouped: Question = {
    ...all,
    from: records,
    groups: groups.map(({ of }) => of),
    outputs: [...groups, ...measures, total],
  };
  mustBeShort(grouped, bounds);
  // The groups become a subquery, so that `having` and `sort` can name its outputs.
  const question: Question = {
    ...all,
    from: { is: 'query', as: 'g', of: grouped },
    where: Object.keys(having).length === 0 ? null : matching(condition),
    groups: null,
    outputs: [...columns, total.column].map((column) => ({ column, of: columnValue({ ...column, source: 'g' }) })),
    sort: sort.map(({ by, ...order }) => ({ ...order, by: columnValue(by) })),
    limit: limit + 1,
    offset,
  };
  return { effect: 'ask', table, question, counts: true };
}

/** The outputs of a question, as if they were columns of a table. */
const fields = (columns: readonly Column[]) => ({ columns, labels: byLabel(columns), key: [] });

/** The groups of a call. Throws a 409 for an unknown field, or a type without such groups. */
export function groupsOf({ groups }: Pick<MeasureParameters, 'groups'>, table: Table): readonly Output[] {
  const refuse = (text: string) => invalid({ groups: [text] });
  return groups.map(({ field, every, width, as }, nth) => {
    const of = columnOf(field, table, refuse);
    const grouping: Expr =
      every !== null
        ? typedEvery(of, every, refuse)
        : width !== null
          ? typedWidth(of, width, refuse)
          : typedValue(of, refuse);
    return typedOutput(grouping, nth, as ?? of.label);
  });
}

function measureOf({ name, fn, field, filters }: MeasureParameter, table: Table, bounds: Bounds): Aggregation {
  const of = `${truncate(name)}: `;
  const refuse = (text: string) => invalid({ measures: [of + text] });
  const condition =
    filters === null
      ? null
      : renamed(
          'measures',
          (text) => of + text,
          () => where(filters, table, bounds),
        );
  if (field === null) return typedCount(condition && matching(condition));
  const column = columnOf(field, table, refuse);
  if (fn !== 'count') return typedMeasure(fn, column, condition && matching(condition), refuse);
  // Don't count a value that is shown as null, such as a zero date: filters treat it as NULL, too.
  const isThere = compared(column, { op: 'null', field, value: false });
  return typedCount(matching(condition === null ? isThere : { op: 'all', of: [isThere, condition] }));
}

const matching = (where: Where): Expr => ({ is: 'filter', where, type: { kind: 'bool' } });

function columnOf(field: string, table: Table, refuse: (text: string) => Error): Column {
  const found = column(table, field);
  if (found === undefined) throw refuse(`invalid value "${truncate(field.trim())}"${hint(field, table)}`);
  return found;
}

/** Runs code that may refuse `filters`, and makes its refusal name another parameter instead. */
function renamed<T>(parameter: string, textOf: (text: string) => string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const texts = error instanceof Refusal && error.kind === 'invalid' ? error.details.filters : undefined;
    if (texts === undefined || !isList(texts)) throw error;
    throw invalid({ [parameter]: texts.map((text) => textOf(String(text))) });
  }
}

/** Refuses equal names, because each record has a member for each output. */
function mustDiffer(columns: readonly Column[], withFilters: boolean): void {
  const names = [...columns.map(({ label }) => label), ...(withFilters ? ['filters'] : [])];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  const text = `the name "${truncate(twice)}" must be there once among groups and measures${twice === 'filters' ? ', where include_filters adds "filters"' : ''}; name groups by as`;
  throw invalid({ measures: [text] });
}

/** Applies the limits for the filters of one call to the filters of all measures together. */
function mustBeShort(question: Question, { inValues }: Bounds): void {
  const [ofAll, ...ofMeasures] = conditionsOf(question);
  if (ofAll === undefined || ofMeasures.length === 0) return;
  const all = { op: 'all', of: [ofAll, ...ofMeasures] } as const;
  const [values, characters] = [listedValues(all), boundLength(all)];
  if (values > inValues)
    throw invalid({ measures: [`must have at most ${inValues} values in lists of all filters, got: ${values}`] });
  if (characters > maxCharacters)
    throw invalid({ measures: [`must have at most ${maxCharacters} characters in all filters, got: ${characters}`] });
}
