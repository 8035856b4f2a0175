/** Requests that once blocked the event loop, filled the memory, or ended in a 500, as they were found. */
import { brotliCompressSync } from 'node:zlib';
import type { Engine } from '../support/servers/engines.ts';
import { type Heavy, heavy } from './heavy.ts';
import { bigRecords, wideColumns } from './heavy-world.ts';
import { get, many, multipart, nearlyMaxBodyBytes, post, search, upsert, urlencoded } from './requests.ts';

const answered = [200];
const answeredOrRefused = [200, 409];
const tooMuch = [409, 413];
const tooLarge = [413];
const tooLargeUnpacked = [400, 413];

const brotli = (text: string) => post('datastore_search', brotliCompressSync(text), { 'Content-Encoding': 'br' });
const column = (nth: number) => `column number ${nth}`;
const exponent = (nth: number) => `${nth + 1}e126000`;
const range = (nth: number) => ({ gte: `-${nth}5e126000`, lt: `${nth}7e126000` });

/** Requests that are answered before any database is used, so one engine is enough. */
export function atTheDoor(engine: Engine): readonly Heavy[] {
  const wide = wideColumns(engine);
  const page = { resource_id: 'big', limit: bigRecords };
  return [
    heavy('77 bytes of brotli with an exact number', 'stranger', tooLargeUnpacked, () =>
      brotli(`{"resource_id":"big","z":1.50,"x":"${'a'.repeat(nearlyMaxBodyBytes)}"}`),
    ),
    heavy('33 bytes of brotli that are echoed', 'stranger', tooLargeUnpacked, () =>
      brotli(`{"resource_id":"big","${'a'.repeat(nearlyMaxBodyBytes)}":1}`),
    ),
    heavy('a form of blanks', 'stranger', tooLarge, () =>
      urlencoded(`resource_id=big&q=${'+'.repeat(nearlyMaxBodyBytes)}`),
    ),
    heavy('a form of blanks from a writer', 'writer', tooLarge, () =>
      urlencoded(`resource_id=big&q=${'+'.repeat(nearlyMaxBodyBytes)}`),
    ),
    heavy('a part with many headers', 'stranger', tooLarge, () =>
      multipart(`${'a: b\r\n'.repeat(1_500_000)}content-disposition: form-data; name="a"`),
    ),
    heavy('a part with a name of escapes', 'stranger', tooLarge, () =>
      multipart(`content-disposition: form-data; name="${'%0A'.repeat(3_000_000)}"`),
    ),
    heavy('a sort of 8,000 clauses of distinct fields', 'stranger', tooMuch, () => {
      const sort = many(8000, (nth) => column(wide.length - 1 - (nth % 100)));
      return search({ resource_id: 'wide', distinct: true, limit: 1, fields: wide, sort });
    }),
    heavy('a sort of 99,000 clauses', 'stranger', tooMuch, () => {
      const sort = many(99_000, (nth) => `"${column(wide.length - 1 - (nth % 100))}" desc nulls last`);
      return search({ resource_id: 'wide', distinct: true, limit: 1, fields: wide.slice(-100), sort });
    }),
    heavy('exact numbers in a list', 'stranger', tooMuch, () =>
      post('datastore_search', `{"resource_id":"big","filters":{"n":[${many(39_900, () => '-0').join(',')}]}}`),
    ),
    heavy('more exact numbers than may be', 'stranger', [400], () =>
      post('datastore_search', `{"resource_id":"big","z":[${many(84_000, () => '-0').join(',')}]}`),
    ),
    heavy('filters of 24,000 fields', 'stranger', tooMuch, () =>
      post('datastore_search', `{"resource_id":"big","filters":{${many(24_000, (nth) => `"${nth}":-0`).join(',')}}}`),
    ),
    heavy('a record of 49,900 unknown names', 'writer', tooMuch, () =>
      upsert('t', [Object.fromEntries(many(49_900, (nth) => [`k${nth}`, nth]))]),
    ),
    heavy('a number of nearly ten megabytes', 'writer', [400], () =>
      post('datastore_upsert', `{"resource_id":"t","records":[{"id":1,"n":1.${'0'.repeat(nearlyMaxBodyBytes)}}]}`),
    ),
    heavy('a description of wide tables', 'stranger', answered, () => get('/api/openapi.json')),
    heavy('many records as lists', 'stranger', answered, () =>
      search({ ...page, records_format: 'lists', fields: ['a', 'b', 'id', 'n', 'd', 'a'] }),
    ),
    heavy('many records as csv', 'stranger', answered, () =>
      search({ ...page, records_format: 'csv', fields: ['a', 'b', 'id', 'n', 'd', 'b', 'b', 'b', 'b'] }),
    ),
    heavy('many records as a script', 'stranger', answered, () =>
      get(`/api/3/action/datastore_search?resource_id=big&limit=${bigRecords}&callback=f`),
    ),
  ];
}

/** A record with one of each two columns, chosen by a bit of its id, so that no two records have the same columns. */
const unlike = (id: number) => ({
  id,
  ...Object.fromEntries(many(14, (bit) => [column(2 * bit + ((id >> bit) % 2)), id])),
});

/** Requests that reach the server. Large records are in `large-calls.ts`. */
export const nearTheServer: readonly Heavy[] = [
  heavy('a filter of ten thousand texts', 'stranger', answered, () =>
    search({ resource_id: 't', filters: { a: many(10_000, (nth) => `text ${nth}`) } }),
  ),
  {
    ...heavy('records of which each has other fields', 'writer', answered, () => upsert('broad', many(10_000, unlike))),
    bound: 50,
  },
];

/** Requests with types that only PostgreSQL has: arrays, and numbers without a precision. */
export const ofPostgres: readonly Heavy[] = [
  heavy('values with large exponents', 'stranger', answeredOrRefused, () =>
    search({ resource_id: 't', filters: { n: many(10_000, exponent) } }),
  ),
  heavy('numbers with large exponents', 'stranger', answeredOrRefused, () =>
    post('datastore_search', `{"resource_id":"t","filters":{"n":[${many(10_000, exponent).join(',')}]}}`),
  ),
  heavy('ranges with large exponents', 'stranger', answeredOrRefused, () =>
    search({ resource_id: 't', filters: { $or: many(30, (nth) => ({ n: range(nth) })) } }),
  ),
  heavy('records with large exponents', 'writer', [409], () => {
    const records = many(90_000, (nth) => ({ id: -1 - nth, n: '1e131000' }));
    return upsert('t', records, { method: 'update' });
  }),
  heavy('an array of large exponents', 'stranger', tooMuch, () =>
    search({ resource_id: 't', filters: { ns: { eq: [many(99_000, () => '9e130000')] } } }),
  ),
  heavy('thousands of arrays', 'stranger', answered, () =>
    search({ resource_id: 't', filters: { ns: { in: many(5000, (nth) => [nth]) } } }),
  ),
  heavy('a small array of large exponents', 'stranger', answeredOrRefused, () =>
    search({ resource_id: 't', filters: { ns: { eq: [many(18_000, () => '9e130000')] } } }),
  ),
  heavy(
    'calls with large exponents at the same time',
    'stranger',
    answeredOrRefused,
    ...many(
      3,
      (call) => () => search({ resource_id: 't', filters: { n: many(3900, (nth) => `${nth}${call}e130000`) } }),
    ),
  ),
  heavy('an array literal that nests deeply', 'stranger', answeredOrRefused, () =>
    search({ resource_id: 't', filters: { ts: `${'{'.repeat(50_000)}${'}'.repeat(50_000)}` } }),
  ),
  heavy('a quoted element of nine megabytes', 'writer', answeredOrRefused, () =>
    upsert('t', [{ id: 3, ts: `{"${'a'.repeat(9_000_000)}"}` }]),
  ),
  heavy('a document of 99,000 texts', 'writer', answered, () =>
    upsert('t', [{ id: 4, doc: many(99_000, () => 'x'.repeat(95)) }]),
  ),
  heavy('a document of 49,000 members', 'writer', answered, () =>
    upsert('t', [{ id: 5, doc: Object.fromEntries(many(49_000, (nth) => [`k${nth}`, nth])) }]),
  ),
];
