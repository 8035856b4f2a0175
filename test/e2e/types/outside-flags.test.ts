/** A boolean column that holds a number other than 0 and 1: no answer may show it as true. */
import { expect, test } from 'vitest';
import { entry, startGateway } from '../../support/gateway.ts';
import { byName, engines, freshDatabase } from '../../support/servers/engines.ts';
import { cellsOf, unzip } from '../../support/unzip.ts';

test.each(byName(engines()))(
  'on %s another number than 0 and 1 is a 409 that names column and record',
  async (_, engine) => {
    const database = await freshDatabase(engine);
    const isMysql = engine.client === 'mysql';
    const columns = `active ${isMysql ? 'tinyint(1)' : 'smallint'}, word varchar(10)`;
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, ${columns}); CREATE TABLE loose (id int, ${columns});
    CREATE TABLE pairs (word varchar(10), active int, note varchar(10), large bigint, PRIMARY KEY (word, active))`);
    const rows = "(1, 1, 'a'), (2, 0, 'b'), (3, NULL, 'c'), (4, 2, 'd'), (5, -1, 'd')";
    await database.exec(`INSERT INTO t VALUES ${rows}; INSERT INTO loose VALUES ${rows};
    INSERT INTO pairs VALUES ('a', 1, 'one', 0), ('a', 2, 'two', 1), ('b', 0, 'max', 9223372036854775807)`);
    const long = Array.from({ length: 60 }, (_, nth) => `(${nth}, ${nth === 59 ? 2 : 1}, REPEAT('x', 100000))`);
    await database.exec(`CREATE TABLE wide_rows (id int PRIMARY KEY, active int, word ${isMysql ? 'longtext' : 'text'});
      INSERT INTO wide_rows VALUES ${long.join()}`);
    if (isMysql)
      await database.exec(
        `CREATE TABLE isam (id int PRIMARY KEY, ${columns}) ENGINE=MyISAM; INSERT INTO isam VALUES (4, 2, 'd')`,
      );
    const flags = { active: { boolean: true, as: 'is active' } };
    const resource = (table: string) => ({
      database: 'db',
      table,
      access: { read: 'public', write: 'token', aggregate: true },
    });
    const gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        t: { ...resource('t'), columns: flags },
        unkeyed: { ...resource('pairs'), columns: { active: { boolean: true }, word: { hidden: true } } },
        loose: { ...resource('loose'), columns: flags, access: { read: 'public' } },
        long: { ...resource('wide_rows'), columns: flags },
        ...(isMysql ? { isam: { ...resource('isam'), columns: flags, allowPartial: true } } : {}),
        pairs: { ...resource('pairs'), columns: { active: { boolean: true } } },
        wide: { ...resource('pairs'), columns: { large: { boolean: true } } },
      },
    });
    const call = async (action: string, params: object) => {
      const { status, text } = await gateway.call(action, { resource_id: 't', ...params });
      const { result, error } = JSON.parse(text);
      return [status, result?.records ?? result ?? error];
    };
    const search = (params: object) => call('datastore_search', { sort: 'id', ...params });
    const says = (number: number | string, record = '{"id": 4}', field = 'is active') =>
      `the field "${field}" is shown as true or false, but ${record === '' ? 'a record' : `the record ${record}`} holds ${number}`;
    const holds = (...of: Parameters<typeof says>) => [
      409,
      { __type: 'Validation Error', fields: [`${says(...of)}: correct it, or leave the field out`] },
    ];
    try {
      for (const records_format of ['objects', 'lists', 'csv', 'tsv'])
        expect(await search({ records_format }), records_format).toEqual(holds(2));
      expect(await search({ sort: 'id desc', fields: ['is active'], include_next_page: true, limit: 1 })).toEqual(
        holds(-1, '{"id": 5}'),
      );
      expect(await search({ fields: ['is active'], distinct: true, sort: '"is active"' })).toEqual(
        holds(-1, '{"id": 5}'),
      );
      expect(await search({ q: 'd', sort: '' })).toEqual(holds(2));
      expect(await call('datastore_aggregate', { by: 'is active' })).toEqual(holds(2));
      const measures = { groups: ['is active'], measures: { n: 'count' } };
      expect(await call('datastore_aggregate', measures)).toEqual(holds(2));
      expect(await search({ resource_id: 'unkeyed', sort: 'note' })).toEqual(holds(2, '', 'active'));
      expect(await search({ resource_id: 'loose' })).toEqual(holds(2, ''));
      expect(await search({ resource_id: 'pairs', sort: 'note' })).toEqual(
        holds(2, '{"word": "a", "active": 2}', 'active'),
      );
      const large = '9223372036854775807';
      const wide = { resource_id: 'wide', sort: 'note' };
      expect(await search(wide)).toEqual(holds(large, '{"word": "b", "active": 0}', 'large'));
      expect(await search({ ...wide, q: 'true' })).toMatchObject([200, [{ note: 'two' }]]);
      for (const format of ['csv', 'tsv', 'json', 'xml', 'jsonl'])
        for (const more of ['', '&sort=id', '&filters={"word":"d"}']) {
          const answer = await fetch(`${gateway.url}/datastore/dump/t?format=${format}${more}`);
          expect([answer.status, JSON.parse(await answer.text()).error], format + more).toEqual(holds(2));
        }
      // Binary files hold it as text, or as a null that they count.
      const file = async (format: string) =>
        Buffer.from(await (await fetch(`${gateway.url}/datastore/dump/t?format=${format}`)).arrayBuffer());
      const [names = [], ...rows] = cellsOf(unzip(await file('xlsx')).get('xl/worksheets/sheet1.xml') ?? '');
      expect(rows.map((row) => row[names.indexOf('is active')])).toContain('2');
      expect((await file('parquet')).toString('latin1')).toContain('{"is active":{"other":');
      // A download that has already started breaks off. If the client reads its head and its end at once, `fetch` rejects by itself.
      for (const format of ['csv', 'json']) {
        const whole = fetch(`${gateway.url}/datastore/dump/long?format=${format}`).then((download) => download.text());
        await expect(whole, format).rejects.toThrow(/^(terminated|fetch failed)$/);
      }
      // The value is neither true nor false.
      const found = async (filters: object, more = {}) =>
        (await search({ fields: ['id'], filters, ...more }))[1].map(Object.values);
      expect(await found({ 'is active': true })).toEqual([[1]]);
      expect(await found({ 'is active': [false, null] })).toEqual([[2], [3]]);
      expect(await found({ 'is active': { gte: false } })).toEqual([[1], [2]]);
      expect(await found({ 'is active': { ne: true } })).toEqual([[2], [3], [4], [5]]);
      expect(await found({ 'is active': { like: 't%' } })).toEqual([[1]]);
      expect(await found({}, { sort: '"is active", id' })).toEqual([[5], [2], [1], [4], [3]]);
      expect(await search({ filters: { 'is active': [true, false, null] }, fields: ['is active'] })).toEqual([
        200,
        [{ 'is active': true }, { 'is active': false }, { 'is active': null }],
      ]);
      expect(await search({ fields: ['word'], filters: { id: 4 } })).toEqual([200, [{ word: 'd' }]]);
      const counted = await call('datastore_aggregate', { by: 'is active', filters: { id: [1, 2, 3] } });
      expect(counted[1].map(({ value, count }: { value: unknown; count: number }) => [value, count])).toEqual(
        expect.arrayContaining([
          [false, 1],
          [true, 1],
        ]),
      );

      // If the written records cannot be shown, the write is rolled back.
      const upsert = (records: object[], more: object = {}) =>
        call('datastore_upsert', { records, force: true, ...more });
      const undone = (member: string) => [
        409,
        { __type: 'Validation Error', [member]: [`must be false: ${says(2)}, so nothing was done`] },
      ];
      expect(await upsert([{ id: 4, word: 'new' }], { include_records: true })).toEqual(undone('include_records'));
      const deletion = { filters: { id: [3, 4] }, force: true };
      expect(await call('datastore_records_delete', { ...deletion, include_deleted_records: true })).toEqual(
        undone('include_deleted_records'),
      );
      expect(await search({ fields: ['word'], filters: { id: [3, 4] } })).toEqual([
        200,
        [{ word: 'c' }, { word: 'd' }],
      ]);
      if (isMysql) {
        const [status, error] = await upsert([{ id: 4, word: 'new' }], { resource_id: 'isam', include_records: true });
        expect([status, error.include_records?.[0]]).toEqual([
          409,
          `must be false: ${says(2)}, but its table has no transactions, so the call may have been executed`,
        ]);
        expect(await search({ resource_id: 'isam', fields: ['word'] })).toEqual([200, [{ word: 'new' }]]);
      }
      // When a key cannot be shown, no other record's key may be shown instead.
      await call('datastore_records_delete', { resource_id: 'pairs', filters: { note: 'two' }, force: true });
      expect((await search({ resource_id: 'pairs', sort: 'note' }))[1]).toMatchObject([
        { note: 'max', active: false },
        { note: 'one', active: true },
      ]);
      // A write may correct the value.
      expect((await upsert([{ id: 4, 'is active': true }]))[0]).toBe(200);
      const fixed = { include_records: true };
      expect(
        (
          await upsert(
            [
              { id: 5, 'is active': false },
              { id: 4, word: 'x' },
            ],
            fixed,
          )
        )[0],
      ).toBe(200);
      expect((await search({}))[0]).toBe(200);
    } finally {
      await gateway.close();
      await database.drop();
    }
  },
);
