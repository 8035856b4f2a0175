/** What CKAN's DataStore and the gateway may answer differently, each with the page that says so. Everything else must be the same. */
import { isDeepStrictEqual } from 'node:util';
import type { ReplayedCall } from './replayed-calls.ts';

/** A download in JSON is parsed, whatever its content type. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Pair = readonly [theirs: Answer, ours: Answer];
type Members = Readonly<Record<string, unknown>>;

interface Difference {
  readonly name: string;
  /** Takes the difference out of both answers. */
  level(pair: Pair, call: ReplayedCall): Pair;
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
const resultOf = ({ body }: Answer): Members => membersOf(membersOf(body).result);
const errorOf = ({ body }: Answer): Members => membersOf(membersOf(body).error);
const without = (members: Members, ...names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
const withResult = (answer: Answer, result: Members): Answer =>
  'result' in membersOf(answer.body) ? { ...answer, body: { ...membersOf(answer.body), result } } : answer;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const alike: Pair = [
  { status: 0, body: null },
  { status: 0, body: null },
];

export const differences: readonly Difference[] = [
  {
    name: 'filterops: CKAN shows its own reading of the filters',
    level: ([theirs, ours]) => [withResult(theirs, without(resultOf(theirs), 'filterops')), ours],
  },
  {
    name: 'next_page by after: for every sort, and where filters have a condition on _id that merging would replace (api.md)',
    level([theirs, ours], { params: { filters } }) {
      const isByAfter = membersOf(resultOf(ours).next_page).after !== undefined;
      const mayDiffer = resultOf(theirs).next_page === undefined || '_id' in membersOf(filters);
      const cut = (answer: Answer) => withResult(answer, without(resultOf(answer), 'next_page'));
      return isByAfter && mayDiffer ? [cut(theirs), cut(ours)] : [theirs, ours];
    },
  },
  {
    name: 'rank is another number (filters.md)',
    level: ([theirs, ours], { params }) =>
      params.q === undefined ? [theirs, ours] : [withoutRanks(theirs), withoutRanks(ours)],
  },
  {
    name: 'datastore_info has more members, the types of the own server, and its own sizes (api.md)',
    level: (pair, { action }) => (action === 'datastore_info' ? [described(pair[0]), described(pair[1])] : pair),
  },
  {
    name: 'the header of csv and tsv ends in LF (data-types.md)',
    level: ([theirs, ours], { action }) => [
      action === 'dump' && typeof theirs.body === 'string'
        ? { ...theirs, body: theirs.body.replaceAll('\r\n', '\n') }
        : theirs,
      ours,
    ],
  },
  {
    name: 'a refusal of a value names the parameter, and CKAN shows the error of its SQL (data-types.md)',
    level: (pair) => (isRefusal(pair) && 'query' in errorOf(pair[0]) ? alike : pair),
  },
  {
    name: 'a refusal has another text, and in a write also the number of the record and its field (api.md)',
    level([theirs, ours]) {
      const names = (answer: Answer) => Object.keys(without(errorOf(answer), 'records_row', 'records_field')).sort();
      const isSame = isRefusal([theirs, ours]) && isDeepStrictEqual(names(theirs), names(ours));
      return isSame ? alike : [theirs, ours];
    },
  },
  {
    name: 'distinct with each format of records, where CKAN fails (data-types.md)',
    level: (pair, { params: { distinct, records_format: format } }) =>
      distinct === true && format !== undefined && pair[0].status >= 400 && pair[1].status === 200 ? alike : pair,
  },
];

const isRefusal = ([theirs, ours]: Pair) =>
  theirs.status === 409 && ours.status === 409 && errorOf(theirs).__type === errorOf(ours).__type;

function withoutRanks(answer: Answer): Answer {
  const result = resultOf(answer);
  const records = listOf(result.records).map((record) =>
    Array.isArray(record)
      ? record
      : Object.fromEntries(Object.entries(membersOf(record)).filter(([name]) => !/^rank( |$)/.test(name))),
  );
  return Array.isArray(result.records) ? withResult(answer, { ...result, records }) : answer;
}

function described(answer: Answer): Answer {
  const { fields, meta } = resultOf(answer);
  return withResult(answer, {
    meta: without(membersOf(meta), 'size', 'db_size', 'idx_size'),
    fields: listOf(fields).map((field) => {
      const { schema, ...rest } = membersOf(field);
      return { ...rest, schema: without(membersOf(schema), 'native_type', 'required') };
    }),
  });
}

/**
 * Compares the answers to a call.
 * @returns the names of the differences; null if there is one that the list does not have
 */
export function compare(call: ReplayedCall, theirs: Answer, ours: Answer): readonly string[] | null {
  const names: string[] = [];
  const comparable = ({ status, body }: Answer) => ({
    status,
    body: typeof body === 'string' ? body : without(membersOf(body), 'help'),
  });
  let pair: Pair = [comparable(theirs), comparable(ours)];
  for (const { name, level } of differences) {
    if (isDeepStrictEqual(...pair)) break;
    const next = level(pair, call);
    if (!isDeepStrictEqual(next, pair)) names.push(name);
    pair = next;
  }
  return isDeepStrictEqual(...pair) ? names : null;
}
