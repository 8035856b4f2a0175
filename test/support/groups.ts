/** Checks the counts of `datastore_aggregate` by searching for the records of each group. */
import { parse, stringify } from 'lossless-json';

interface Group {
  readonly count: unknown;
  readonly filters: unknown;
  readonly value?: unknown;
  readonly from?: unknown;
}

/** A gateway, or several of which all must give the same answer. */
export interface Groupable {
  /** @param body as JSON text */
  call(action: string, body: string): Promise<{ readonly status: number; readonly text: string }>;
}

/**
 * Finds errors in an answer of `datastore_aggregate`: groups whose filters match another number of records, counts that do not add up. A refusal is
 * reported too, starting with its status.
 * @param asked parameters; as JSON text if its digits must not be rounded
 */
export async function groupFaults(
  { call }: Groupable,
  asked: string | Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const body = typeof asked === 'string' ? asked : (stringify(asked) ?? '');
  const { limit: _, by, sort: __, ...searched } = Object(parse(body));
  const answer = await call('datastore_aggregate', body);
  if (answer.status !== 200) return [`${answer.status} ${answer.text}`];
  // Parsed losslessly, because values are sent back in filters.
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
  const name = typeof by === 'string' ? by : Object(by).field;
  const isNull = { [name.replace(/^\$/, '$$$$')]: { null: true } };
  const given = searched.filters;
  const all = await totalOf(given ?? {});
  const none = await totalOf(
    Array.isArray(given) ? { $or: given, ...isNull } : { $and: [...(given === undefined ? [] : [given]), isNull] },
  );
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
