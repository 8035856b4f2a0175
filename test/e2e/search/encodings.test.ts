import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { freshDatabase, openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';

/** For each encoding a text that only it can store, with a non-ASCII upper-case letter. */
const texts: Readonly<Record<string, string>> = {
  LATIN1: 'Ärger ÿ',
  LATIN9: 'Œuvre €',
  WIN1252: 'Œuvre …',
  KOI8R: 'Привет ╬',
  EUC_JP: 'データ Я',
  UTF8: 'Ёж 😀 中',
  SQL_ASCII: 'Ёж 😀 中',
};
/** Characters that none of the narrow encodings has. */
const foreign = ['😀', 'ƛ', 'a😀', '😀ƛ'];
/** A byte that is valid in the encoding but cannot be converted to UTF-8. */
const badBytes: Readonly<Record<string, string>> = { SQL_ASCII: 'e9', WIN1252: '81' };
const isNarrow = (encoding: string) => encoding !== 'UTF8' && encoding !== 'SQL_ASCII';

/** These databases have the lc_ctype C, so the collation for case folding must match their encoding. */
const postgres = servers().filter(({ name }) => name === 'postgres');
describe.each(postgres.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  const urls = new Map<string, string>();
  const names: string[] = [];
  const exec = async (encoding: string, sql: string) => {
    const session = await openSession({ client: 'postgres', url: urls.get(encoding) ?? '' });
    await session.exec(sql).finally(() => session.close());
  };
  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const [encoding, text] of Object.entries(texts)) {
      const url = new URL(database.url);
      url.pathname += `_${encoding.toLowerCase()}`;
      urls.set(encoding, url.href);
      names.push(url.pathname.slice(1));
      await database.exec(
        `CREATE DATABASE "${url.pathname.slice(1)}" TEMPLATE template0 ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C'`,
      );
      await exec(
        encoding,
        `CREATE TABLE t (id text PRIMARY KEY, n int, tags text[], doc jsonb);
        INSERT INTO t VALUES ('${text}', 1, '{"${text}"}', '{"a": "${text}"}'), ('plain', 2, '{x}', '{}')`,
      );
    }
    for (const [encoding, byte] of Object.entries(badBytes))
      await exec(
        encoding,
        `CREATE TABLE bad (id int PRIMARY KEY, title text); INSERT INTO bad VALUES (1, E'caf\\x${byte}')`,
      );
    const resources = [...urls.keys()].map((name) => [
      name,
      { database: name, table: 't', access: { read: 'token', write: 'token', aggregate: true } },
    ]);
    gateway = await startGateway({
      databases: Object.fromEntries([...urls].map(([name, connection]) => [name, { client: 'postgres', connection }])),
      resources: {
        ...Object.fromEntries(resources),
        ...Object.fromEntries(
          Object.keys(badBytes).map((name) => [
            `bad_${name}`,
            { database: name, table: 'bad', access: { aggregate: true } },
          ]),
        ),
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    for (const name of names) await database.exec(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    await database?.drop();
  });

  const found = async (resource_id: string, params: object) => {
    const { records, total } = Object(await gateway.result('datastore_search', { resource_id, sort: 'n', ...params }));
    const all = records.map(({ n }: { n: number }) => n);
    expect(total).toBe(all.length);
    return all;
  };

  test.each(Object.entries(texts))('%s: a text finds itself, whatever its case', async (encoding, text) => {
    const [word = ''] = text.split(' ');
    const folded = encoding === 'SQL_ASCII' ? word : word.toLowerCase();
    for (const filter of [text, ['x', text], { like: `${word}%` }, { ilike: `${folded}%` }])
      expect(await found(encoding, { filters: { id: filter } })).toEqual([1]);
    expect(await found(encoding, { filters: { tags: [[text]] } })).toEqual([1]);
    expect(await found(encoding, { filters: { doc: { eq: { a: text } } } })).toEqual([1]);
    expect(await found(encoding, { q: folded })).toEqual([1]);
    expect(await found(encoding, { q: { id: folded } })).toEqual([1]);
  });

  test.each(Object.keys(texts).filter(isNarrow))('%s: what it cannot hold equals nothing', async (encoding) => {
    for (const text of foreign) {
      expect(await found(encoding, { filters: { id: text } })).toEqual([]);
      expect(await found(encoding, { filters: { id: [text, 'plain'] } })).toEqual([2]);
      expect(await found(encoding, { filters: { id: { ne: text } } })).toEqual([1, 2]);
      expect(await found(encoding, { filters: { id: { like: `%${text}%` } } })).toEqual([]);
      expect(await found(encoding, { filters: { id: { ilike: `%${text}%` } } })).toEqual([]);
      expect(await found(encoding, { filters: { tags: [[text]] } })).toEqual([]);
      expect(await found(encoding, { filters: { doc: { eq: { a: text } } } })).toEqual([]);
      expect(await found(encoding, { q: text })).toEqual([]);
      expect(await found(encoding, { q: `plain | ${text}`, plain: false })).toEqual([2]);
    }
    expect(await found(encoding, { filters: { id: { gte: 'plain', lt: 'plain\uf8ff' } } })).toEqual([2]);
    expect(await found(encoding, { filters: { id: { gt: 'plain\uf8ff' } } })).toHaveLength(
      await found(encoding, { filters: { id: { gt: 'plainz' } } }).then(({ length }) => length),
    );
  });

  test.each(Object.keys(texts).filter(isNarrow))(
    '%s: so in counts, downloads, deletes and upserts',
    async (encoding) => {
      const filters = { id: ['ȸ', 'ȹ', 'plain'] };
      const counts = await gateway.result('datastore_aggregate', { resource_id: encoding, by: 'n', filters });
      expect(JSON.stringify(counts)).toContain('"total":1');
      const query = new URLSearchParams({ filters: JSON.stringify({ id: ['ǂ', 'plain'] }) });
      const dump = await fetch(`${gateway.url}/datastore/dump/${encoding}?${query}`, {
        headers: { Authorization: token },
      });
      expect([dump.status, (await dump.text()).trim()]).toEqual([
        200,
        expect.stringMatching(/^id,n,tags,doc\r?\nplain,[^\n]*$/),
      ]);
      const deleted = await gateway.call('datastore_delete', { resource_id: encoding, filters: { id: 'ǁ' } });
      expect(deleted.status).toBe(200);
      const record = { n: 7 };
      for (const method of ['upsert', 'update', 'insert']) {
        const call = { resource_id: encoding, method, records: [{ ...record, id: 'ǀ' }] };
        const { status, text } = await gateway.call('datastore_upsert', call);
        expect([status, JSON.parse(text).error.records_field]).toEqual([409, 'id']);
      }
      expect(await found(encoding, {})).toEqual([1, 2]);
    },
  );

  test.each(Object.keys(badBytes))('%s: bytes that are no text are refused by name', async (encoding) => {
    const resource_id = `bad_${encoding}`;
    for (const [action, params] of [
      ['datastore_search', { sort: 'title', q: 'caf' }],
      ['datastore_search', { distinct: true }],
      ['datastore_aggregate', { by: 'title' }],
    ] as const) {
      const { status, text } = await gateway.call(action, { resource_id, ...params });
      expect([status, JSON.parse(text).error.fields]).toEqual([
        409,
        [
          expect.stringContaining(
            `bytes in "title" that are no character in the encoding of its database (${encoding})`,
          ),
        ],
      ]);
    }
    const dump = await fetch(`${gateway.url}/datastore/dump/${resource_id}`, { headers: { Authorization: token } });
    expect([dump.status, await dump.text()]).toEqual([409, expect.stringContaining(encoding)]);
    const search = { resource_id, fields: ['id'], q: 'caf', filters: { title: { like: 'caf_' } } };
    expect(await gateway.result('datastore_search', search)).toMatchObject({ total: 1 });
  });

  test('the start warns of SQL_ASCII', () => {
    const warned = gateway.events.flatMap((event) => (event.on === 'warned' ? [event.text] : []));
    expect(warned.filter((line) => line.includes('has the encoding SQL_ASCII'))).toHaveLength(1);
  });
});
