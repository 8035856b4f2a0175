/** The calls of `bench works`: a request to the gateway, and equivalent statements for the hand-written code. */
import type { ServerDatabase } from '../../support/servers/engines.ts';
import type { Request } from '../load.ts';
import { headers, postHeaders } from '../served.ts';
import { film, filmColumns, words } from './tables.ts';

export interface Work {
  readonly name: string;
  readonly request: Request;
  /** The equivalent statements, the page first; `same` if `hand.mjs` accepts the same request; null if there is no equivalent. */
  readonly byHand: readonly string[] | 'same' | null;
  /** Whether a call takes long. Such calls are sent one after another, others over eight connections. */
  readonly isLong: boolean;
}

type Client = ServerDatabase['client'];

/** The calls in order; writes come last. @param isHuge whether there is a table of ten million records */
export const worksOf = (client: Client, isHuge: boolean): readonly Work[] => [
  ...reads(client, isHuge),
  search('a total that takes longer than its budget, cached', { resource_id: 'counted', q: words.other }, null),
  ...writes(),
];

function reads(client: Client, isHuge: boolean): readonly Work[] {
  const { contains, having, best, fence } = sqlOf[client];
  const first = (from: string, order = 'id') => `SELECT * FROM ${from} ORDER BY ${order} LIMIT 100`;
  const count = (from: string) => `SELECT count(*) AS count FROM ${from}`;
  const inFilms = `films WHERE ${['id', ...Object.keys(filmColumns)].map(contains).join(' OR ')}`;
  const films = { resource_id: 'films', include_total: false };
  const big = { ...films, resource_id: 'big' };
  const { rare, frequent } = words;
  const of12 = 'words in any of 12 columns, 14,000 records, with total';
  return [
    search('a page of 100 records', films, [first('films')]),
    search('… with its total', { ...films, include_total: true }, [first('films'), count('films')]),
    // In quotes it is a phrase, as in the hand-written statement.
    long(
      search(of12, { ...films, q: `%22${words.inFilms}%22`, include_total: true }, [first(inFilms), count(inFilms)]),
    ),
    search('a rare word by an index, best first', { ...big, q: rare }, [
      first(`big WHERE ${having(rare)}`, best(rare)),
    ]),
    search('… sorted by the key', { ...big, q: rare, sort: '_id' }, [
      `WITH hits AS (SELECT * FROM big WHERE ${having(rare)}${fence}) ${first('hits')}`,
    ]),
    long(
      search('a word of every second record, best first', { ...big, q: frequent }, [
        first(`big WHERE ${having(frequent)}`, best(frequent)),
      ]),
    ),
    long(
      search('the next page by its offset, beyond 910,000', { ...big, resource_id: 'paged', offset: '9{n}' }, [
        `${first('big')} OFFSET 910000`,
      ]),
    ),
    search('sorted by an indexed column with NULLs', { ...big, sort: 'n' }, [first('big', 'n')]),
    ...['big', ...(isHuge ? ['huge'] : [])].map((name) =>
      long(
        search(
          `sorted by a column without an index, ${name === 'big' ? '1M' : '10M'} records`,
          { ...big, resource_id: name, sort: 'amount' },
          [first(name, 'amount')],
        ),
      ),
    ),
  ];
}

function writes(): readonly Work[] {
  const records = Array.from({ length: 10_000 }, (_, nth) => film(nth + 1));
  const numbered = records.map((record, nth) => ({ id: nth + 1, ...record }));
  const bodyOf = (method: string, some: readonly object[]) =>
    JSON.stringify({ resource_id: 'films', method, records: some });
  const one = bodyOf('upsert', numbered.slice(0, 1)).replace('"id":1,', '"id":{n},');
  return [
    write('one record upserted that is there', one, { cycle: 1000 }),
    long(write('10,000 records upserted that are there', bodyOf('upsert', numbered))),
    long(write('10,000 records inserted', bodyOf('insert', records))),
  ];
}

/** SQL that differs between engines. */
const sqlOf = {
  postgres: {
    contains: (name: string) => `${name}::text ILIKE '%${words.inFilms}%'`,
    having: (word: string) => `to_tsvector('english', body) @@ plainto_tsquery('english', '${word}')`,
    best: (word: string) => `ts_rank(to_tsvector('english', body), plainto_tsquery('english', '${word}')) DESC`,
    // Without it PostgreSQL scans in key order until it finds the word, which takes seconds.
    fence: ' OFFSET 0',
  },
  mysql: {
    contains: (name: string) => `${name} LIKE '%${words.inFilms}%'`,
    having: (word: string) => `MATCH (body) AGAINST ('${word}' IN BOOLEAN MODE)`,
    best: (word: string) => `MATCH (body) AGAINST ('${word}' IN BOOLEAN MODE) DESC`,
    fence: '',
  },
};

const action = '/api/3/action/datastore';

function search(
  name: string,
  asked: Readonly<Record<string, string | boolean>>,
  byHand: readonly string[] | null,
): Work {
  const query = Object.entries(asked).map(([key, value]) => `${key}=${value}`);
  const path = `${action}_search?${query.join('&').replaceAll(' ', '+')}`;
  return { name, request: { method: 'GET', path, headers }, byHand, isLong: false };
}

function write(name: string, body: string, more: Pick<Request, 'cycle'> = {}): Work {
  const request = { method: 'POST', path: `${action}_upsert`, headers: postHeaders, body, ...more } as const;
  return { name, request, byHand: 'same', isLong: false };
}

const long = (work: Work): Work => ({ ...work, isLong: true });
