import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/model/value.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const tables = `
  CREATE TABLE film (id integer NOT NULL PRIMARY KEY, title varchar(40) NOT NULL, year smallint, code varchar(3) UNIQUE, secret varchar(20));
  CREATE INDEX by_year ON film (year);
  CREATE INDEX by_secret_title ON film (title, secret);
  INSERT INTO film (id, title) VALUES (1, 'a'), (2, 'b'), (3, 'c');
  CREATE TABLE line (film_id integer NOT NULL, no integer NOT NULL, price decimal(6,2), PRIMARY KEY (film_id, no));
  CREATE INDEX by_no ON line (no);
  INSERT INTO line VALUES (1, 1, 0.5), (1, 2, 1.5);
  CREATE VIEW listed AS SELECT id, title FROM film WHERE id < 3;`;
const postgresOnly = `
  CREATE MATERIALIZED VIEW kept AS SELECT id, title FROM film;
  CREATE TABLE parts (id integer PRIMARY KEY, docs json, more jsonb) PARTITION BY RANGE (id);
  CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10);
  INSERT INTO parts VALUES (1, '{}', '{}');`;

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (name, engine) => {
  const isMysql = engine.client === 'mysql';
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(tables);
    if (!isMysql) await database.exec(postgresOnly);
    const resource = (table: string, more: JsonObject = {}) => ({
      database: 'db',
      table,
      access: { read: 'public' },
      ...more,
    });
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        films: resource('film', {
          aliases: ['movies', 'cinema'],
          columns: { secret: { hidden: true }, year: { as: 'Year of release', info: { label: 'Year' } } },
        }),
        lines: resource('line'),
        lines_apart: resource('line', { columns: { no: { hidden: true } } }),
        listed: resource('listed', { id: 'id', key: ['id'] }),
        ...(isMysql ? {} : { kept: resource('kept'), parts: resource('parts') }),
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const info = (id: string, more: JsonObject = {}): Promise<Record<string, Json>> =>
    gateway.result('datastore_info', { id, ...more });
  const fields = async (id: string) => {
    const { fields } = await info(id, { include_meta: false });
    const list: readonly { readonly id: string; readonly type: string; readonly schema: JsonObject }[] = Object(fields);
    return new Map(list.map((field) => [field.id, field]));
  };

  test('every visible column stands there under its own name, with what its database says of it', async () => {
    const got = await fields('movies');
    expect([...got.keys()]).toEqual(['id', 'title', 'Year of release', 'code']);
    expect(got.get('Year of release')).toEqual({
      id: 'Year of release',
      type: 'int2',
      info: { label: 'Year' },
      schema: {
        native_type: name === 'mysql' ? 'smallint' : isMysql ? 'smallint(6)' : 'smallint',
        ...{ notnull: false, index_name: 'by_year', is_index: true, uniquekey: false, required: false },
      },
    });
    expect(got.get('title')?.schema).toMatchObject({ required: true });
    expect(got.get('id')?.schema).toMatchObject({
      notnull: true,
      index_name: isMysql ? 'PRIMARY' : 'film_pkey',
      uniquekey: true,
    });
    expect(got.get('code')?.schema).toMatchObject({
      native_type: isMysql ? 'varchar(3)' : 'character varying(3)',
      uniquekey: true,
    });
  });

  test('an index over a hidden column is not shown, nor the size of a table that has one', async () => {
    const { schema } = (await fields('films')).get('title') ?? {};
    expect(schema).toMatchObject({ notnull: true, index_name: null, is_index: false, uniquekey: false });
    const answer = await gateway.call('datastore_info', { id: 'films' });
    expect(answer.text).not.toMatch(/secret/);
    expect((await info('films')).access).toEqual({ write: 'none', columns: 'some' });
    expect((await info('lines')).access).toEqual({ write: 'none', columns: 'all' });
    expect((await info('films')).meta).toMatchObject({ size: null, idx_size: null });
  });

  test('the key that a client may use, and where q looks; neither names a hidden column', async () => {
    const told = async (id: string) => {
      const { key, searched } = await info(id, { include_meta: false });
      return { key, searched };
    };
    const searched = ['id', 'title', 'Year of release', 'code'];
    expect(await told('films')).toEqual({ key: ['id'], searched });
    expect(await told('lines')).toEqual({ key: ['film_id', 'no'], searched: ['film_id', 'no', 'price'] });
    expect(await told('lines_apart')).toEqual({ key: [], searched: ['film_id', 'price'] });
    expect(await told('listed')).toEqual({ key: ['id'], searched: ['id', 'title'] });
  });

  test('the meta of a table: its id, its records, its size', async () => {
    const { meta } = await info('cinema');
    expect(meta).toMatchObject({ id: 'films', count: 3, table_type: 'BASE TABLE', aliases: ['movies', 'cinema'] });
    expect(Object.keys(Object(meta))).toEqual([
      ...['id', 'count', 'table_type', 'size', 'db_size', 'idx_size', 'aliases'],
    ]);
    const lines = Object((await info('lines')).meta);
    expect(lines).toMatchObject({ id: 'lines', count: 2, aliases: [] });
    // MySQL updates its index statistics with a delay, and does not count the primary key as an index.
    expect([lines.size > 1000, lines.idx_size >= (isMysql ? 0 : 1000)]).toEqual([true, true]);
    expect(lines.db_size).toBeGreaterThanOrEqual(lines.size + lines.idx_size);
  });

  test('a part of a key is a part of a unique key; the primary one is named first', async () => {
    const got = await fields('lines');
    const primary = isMysql ? 'PRIMARY' : 'line_pkey';
    expect(got.get('no')?.schema).toMatchObject({ index_name: primary, is_index: true, uniquekey: true });
    expect(got.get('price')?.schema).toMatchObject({
      native_type: isMysql ? 'decimal(6,2)' : 'numeric(6,2)',
      is_index: false,
    });
  });

  test('a view has its own records, and no size', async () => {
    const { meta } = await info('listed');
    expect(meta).toMatchObject({ count: 2, table_type: 'VIEW', size: 0, idx_size: 0 });
    expect([...(await fields('listed')).keys()]).toEqual(['id', 'title']);
  });

  test.skipIf(isMysql)('a materialized view is one, a partitioned table is as large as its parts', async () => {
    expect((await info('kept')).meta).toMatchObject({ count: 3, table_type: 'MATERIALIZED VIEW' });
    const { meta } = await info('parts');
    expect(meta).toMatchObject({ count: 1, table_type: 'BASE TABLE' });
    expect(Object(meta).size).toBeGreaterThan(0);
    expect(Object(meta).idx_size).toBeGreaterThan(0);
  });

  test.skipIf(isMysql)('JSON is called nested here and json in a search', async () => {
    const got = await fields('parts');
    expect([got.get('docs')?.type, got.get('more')?.type]).toEqual(['nested', 'jsonb']);
    const { fields: searched } = await gateway.result('datastore_search', { id: 'parts', fields: 'docs' });
    expect(searched).toEqual([{ id: 'docs', type: 'json' }]);
  });

  // With PGlite, only the gateway can change the table while it runs.
  test.skipIf(engine.client === 'pglite')('a table that changed is described as it is now', async () => {
    await database.exec('ALTER TABLE line DROP COLUMN price');
    await expect.poll(async () => [...(await fields('lines')).keys()]).toEqual(['film_id', 'no']);
  });
});
