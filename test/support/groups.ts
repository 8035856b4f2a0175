/** What must hold of any counts in groups, checked by searches. */
import { parse, stringify } from 'lossless-json';
import type { TestGateway } from './gateway.ts';

interface Group {
  readonly count: unknown;
  readonly filters: unknown;
  readonly value?: unknown;
  readonly from?: unknown;
}

/** The faults of an answer of `datastore_aggregate`, in plain text: groups whose filters find other records, counts that do not add up. */
export async function groupFaults(
  { call }: Pick<TestGateway, 'call'>,
  params: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const { limit: _, by, sort: __, ...searched } = params;
  const answer = await call('datastore_aggregate', stringify(params) ?? '');
  if (answer.status !== 200) return [`${answer.status} ${answer.text}`];
  // No digit of a value may be lost on its way into a filter.
  const { records, nulls, others, total, sampled } = Object(Object(parse(answer.text)).result);
  const groups: readonly Group[] = records;
  const totalOf = async (filters: unknown): Promise<string> => {
    const found = await call('datastore_search', stringify({ ...searched, limit: 0, filters }) ?? '');
    return found.status === 200 ? String(Object(JSON.parse(found.text)).result.total) : found.text;
  };
  const wrong = await Promise.all(
    groups.map(async (group) => {
      const found = await totalOf(group.filters);
      return found === String(group.count) ? [] : [`${stringify(group)} finds ${found}`];
    }),
  );
  const field = typeof by === 'string' ? by : Object(by).field;
  const isNull = { [field]: { null: true } };
  const given = searched.filters;
  const [all, none] = await Promise.all([
    totalOf(given ?? {}),
    totalOf(given === undefined ? isNull : { $and: [given, isNull] }),
  ]);
  const sum = groups.reduce((of, { count }) => of + Number(count), Number(nulls) + Number(others.count));
  const distinct = new Set(groups.map(({ value, from }) => stringify(value ?? from)));
  return [
    ...wrong.flat(),
    ...(String(total) === all ? [] : [`total ${total}, a search finds ${all}`]),
    ...(String(nulls) === none ? [] : [`nulls ${nulls}, a search finds ${none}`]),
    ...(sum === Number(total) ? [] : [`all counts are ${sum}, the total is ${total}`]),
    ...(distinct.size === groups.length ? [] : ['a group is there twice']),
    ...(sampled === null ? [] : ['it is a sample']),
  ];
}
