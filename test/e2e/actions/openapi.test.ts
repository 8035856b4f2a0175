import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpParameters } from '../../../src/actions/datastore_dump.ts';
import * as actions from '../../../src/actions/index.ts';
import { kinds, Refusal, type RefusalKind } from '../../../src/model/errors.ts';
import { dumpFormats } from '../../../src/model/http.ts';
import { failure } from '../../../src/reply/envelope.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { byName, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const film = (isMysql: boolean) => `
  CREATE TABLE film (id integer NOT NULL PRIMARY KEY, title varchar(40) NOT NULL, "a/b~c" integer, rating decimal(4,1), big bigint,
    ratio double precision, day date, seen ${isMysql ? 'datetime(3)' : 'timestamp(3)'}, data ${isMysql ? 'blob' : 'bytea'}, secret varchar(9));
  INSERT INTO film (id, title, rating, big, ratio, day, seen) VALUES
    (1, 'Müller', 7.5, 9007199254740993, 0.1, '2024-02-29', '2024-02-29 12:00:00.5'), (2, 'b', NULL, NULL, NULL, NULL, NULL);
  CREATE TABLE pair (a integer NOT NULL, b varchar(5) NOT NULL, PRIMARY KEY (a, b));
  CREATE VIEW films_seen AS SELECT title, seen FROM film WHERE seen IS NOT NULL;`;

interface Operation {
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly examples: Record<string, { readonly value: object }> };
    };
  };
  readonly parameters?: readonly {
    readonly name: string;
    readonly schema?: { readonly items?: { readonly enum?: readonly string[] } };
  }[];
  readonly responses: Record<string, { readonly content?: Record<string, object> }>;
}
interface Document {
  readonly paths: Record<string, { readonly get?: Operation; readonly post?: Operation }>;
  readonly components: { readonly schemas: Record<string, object> };
}

const inChanges = ['paths', '/api/3/action/datastore_changes', 'get', 'parameters', '0', 'schema'];

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  let database: FreshDatabase;
  let gateway: TestGateway;
  let document: Document;
  let ajv: Ajv2020;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(isMysql ? film(true).replaceAll('"', '`') : film(false));
    const open = { read: 'public', write: 'none' };
    gateway = await startGateway({
      databases: { db: entry(database) },
      limits: { bodyBytes: '2kB' },
      server: { basePath: '/data' },
      catalog: { publisher: { name: 'Office' } },
      resources: {
        films: {
          ...{ database: 'db', table: 'film', aliases: ['movies'] },
          access: { read: 'public', write: 'token', sql: engine.client !== 'pglite' },
          columns: { secret: { hidden: true }, rating: { readOnly: true, info: { label: 'Stars', notes: 'of 10' } } },
        },
        pairs: { database: 'db', table: 'pair', access: { read: 'token', write: 'token' } },
        'films that were seen': { database: 'db', table: 'films_seen', access: open },
      },
    });
    document = await read(token);
    ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
    ajv.addFormat('uuid', /^[0-9a-f-]{36}$/i);
    ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'paths', 'components']);
    ajv.addSchema({ ...document, $id: 'gateway:document' });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const ask = (as: string | null, query = '') =>
    fetch(`${gateway.url}/data/api/openapi.json${query}`, { headers: as === null ? {} : { Authorization: as } });
  async function read(as: string | null, query = ''): Promise<Document> {
    const answer = await ask(as, query);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    return JSON.parse(await answer.text());
  }
  const pointer = (...names: readonly string[]) =>
    names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
  /** Validates a value against the schema at this place of the document. Null if it is valid, else the errors. */
  function wrong(value: unknown, ...place: readonly string[]): unknown {
    const validate = ajv.compile({ $ref: `gateway:document#${pointer(...place)}` });
    return validate(value) ? null : validate.errors;
  }
  const json = ['content', 'application/json', 'schema'];
  const bodyOf = (action: string) => ['paths', `/api/3/action/${action}`, 'post', 'requestBody', ...json];
  /** Validates an answer against the response that the document declares for its status. */
  function wrongAnswer(action: string, status: number, text: string): unknown {
    const place = ['paths', `/api/3/action/${action}`, 'post', 'responses', '200'];
    return wrong(JSON.parse(text), ...(status === 200 ? place : ['components', 'responses', String(status)]), ...json);
  }
  async function call(action: string, body: unknown, init: { as?: string | null; type?: string } = {}) {
    const headers: Record<string, string> = { 'Content-Type': init.type ?? 'application/json' };
    if (init.as !== null) headers.Authorization = init.as ?? token;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${gateway.url}/data/api/3/action/${action}`, { method: 'POST', headers, body: text });
    return { status: answer.status, text: await answer.text() };
  }

  test('the document is one, by a validator of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test('every schema in it is a JSON Schema', () => {
    for (const name of Object.keys(document.components.schemas)) {
      expect(
        () => ajv.compile({ $ref: `gateway:document#${pointer('components', 'schemas', name)}` }),
        name,
      ).not.toThrow();
    }
  });

  test('every action stands there, by GET where it only reads', () => {
    const offered = Object.values(actions).filter(({ about }) => about !== 'select' || engine.client !== 'pglite');
    const described = offered.map(({ name, sideEffectFree }) => [name, sideEffectFree]);
    const found = Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/api/3/action/'))
      .map(([path, { get }]) => [path.slice('/api/3/action/'.length), get !== undefined]);
    expect(found).toEqual(described);
  });

  test('every example is a call that works, and its answer is as described', async () => {
    for (const [path, { get, post }] of Object.entries(document.paths)) {
      // `datastore_changes` is an event stream, which has no POST.
      if (!path.startsWith('/api/3/action/') || post === undefined) continue;
      const action = path.slice('/api/3/action/'.length);
      const examples = Object.values(post.requestBody?.content['application/json'].examples ?? {});
      expect(examples.length, action).toBeGreaterThan(0);
      for (const { value } of examples) {
        expect(wrong(value, ...bodyOf(action)), action).toBeNull();
        const { status, text } = await call(action, value);
        expect([status, wrongAnswer(action, status, text)], `${action} ${JSON.stringify(value)} ${text}`).toEqual([
          200,
          null,
        ]);
        if (get === undefined) continue;
        const query = Object.entries(value).flatMap(([name, member]) => {
          const items = Array.isArray(member) ? member : [typeof member === 'object' ? JSON.stringify(member) : member];
          return items.map((item): [string, string] => [name, String(item)]);
        });
        const got = await fetch(`${gateway.url}/data${path}?${new URLSearchParams(query)}`, {
          headers: { Authorization: token },
        });
        expect([got.status, wrongAnswer(action, 200, await got.text())], action).toEqual([200, null]);
      }
    }
  });

  test('the stream of change notices is a GET with the resources that the caller may read', async () => {
    const paths = await Promise.all([token, null].map(async (as) => (await read(as)).paths));
    const [all, public_] = paths.map((one) => one['/api/3/action/datastore_changes']);
    expect([all?.post, Object.keys(all?.get?.responses['200']?.content ?? {})]).toEqual([
      undefined,
      ['text/event-stream'],
    ]);
    const items = [all, public_].map((one) => one?.get?.parameters?.[0]?.schema?.items?.enum);
    expect(items).toEqual([
      ['films', 'movies', 'pairs', 'films that were seen'],
      ['films', 'movies', 'films that were seen'],
    ]);
    expect([wrong(['movies'], ...inChanges), wrong(['pear'], ...inChanges)]).toEqual([null, expect.any(Array)]);
  });

  test.each<[string, object]>([
    ['objects', {}],
    ['lists', { records_format: 'lists' }],
    ['csv', { records_format: 'csv' }],
    ['a search by words', { q: 'müller', include_total: false }],
    ['a search in columns', { q: { title: 'müller' } }],
    ['a next page', { include_next_page: true, limit: 1, sort: ['title desc'] }],
    ['filters', { filters: { id: [1, 2], seen: { null: false }, $or: [{ title: 'b' }, { id: { gte: 1, lt: 9 } }] } }],
    ['binary columns', { fields: ['data', 'day', 'big'] }],
  ])('the answer of a search is as described: %s', async (_, more) => {
    const body = { resource_id: 'movies', ...more };
    expect(wrong(body, ...bodyOf('datastore_search'))).toBeNull();
    const { status, text } = await call('datastore_search', body);
    expect([status, wrongAnswer('datastore_search', status, text)], text).toEqual([200, null]);
  });

  test('a record that is written is as described, and shown as described', async () => {
    const record = {
      id: 9,
      title: 'new',
      'a/b~c': -1,
      big: 1,
      ratio: 0.5,
      day: '2024-01-31',
      seen: '2024-01-31T00:00:00',
    };
    const body = { resource_id: 'films', method: 'insert', records: [record], include_records: true };
    expect(wrong(body, ...bodyOf('datastore_upsert'))).toBeNull();
    const { status, text } = await call('datastore_upsert', body);
    expect([status, wrongAnswer('datastore_upsert', status, text)], text).toEqual([200, null]);
    const deleted = await call('datastore_records_delete', {
      resource_id: 'films',
      filters: { id: 9 },
      include_deleted_records: true,
    });
    expect(
      [deleted.status, wrongAnswer('datastore_records_delete', deleted.status, deleted.text)],
      deleted.text,
    ).toEqual([200, null]);
  });

  test.each<[string, string, object]>([
    ['an unknown column', 'datastore_search', { resource_id: 'films', fields: ['nope'] }],
    ['a hidden column', 'datastore_search', { resource_id: 'films', filters: { secret: 'x' } }],
    ["another resource's column", 'datastore_search', { resource_id: 'pairs', sort: ['title'] }],
    ['an unknown parameter', 'datastore_search', { resource_id: 'films', sql: 'x' }],
    ['a value of the wrong type', 'datastore_search', { resource_id: 'films', filters: { id: 'x' } }],
    ['a hidden column in a record', 'datastore_upsert', { resource_id: 'films', records: [{ id: 5, secret: 'x' }] }],
    ['a read-only column in a record', 'datastore_upsert', { resource_id: 'films', records: [{ id: 1, rating: 1 }] }],
    [
      'a text that is too long',
      'datastore_upsert',
      { resource_id: 'films', records: [{ id: 1, title: 'x'.repeat(41) }] },
    ],
    ['no resource', 'datastore_info', {}],
  ])('what the document forbids is refused: %s', async (_, action, body) => {
    expect(wrong(body, ...bodyOf(action))).not.toBeNull();
    const { status, text } = await call(action, body);
    expect([status, wrongAnswer(action, status, text)], text).toEqual([409, null]);
  });

  test.each<[number, string, unknown, { as?: string | null; type?: string }]>([
    [400, 'datastore_search', '{"a":1,"a":2}', {}],
    [403, 'datastore_info', { resource_id: 'pairs' }, { as: null }],
    [404, 'datastore_search', { resource_id: 'nope' }, {}],
    [409, 'datastore_upsert', { resource_id: 'films', records: [{ id: 1, title: null }] }, {}],
    [413, 'datastore_search', { q: 'x'.repeat(3000) }, {}],
    [415, 'datastore_search', 'x', { type: 'text/plain' }],
  ])('a %i is as described', async (expected, action, body, init) => {
    const { status, text } = await call(action, body, init);
    expect([status, wrongAnswer(action, status, text)], text).toEqual([expected, null]);
  });

  test('a 431 is as described, and each operation has it', async () => {
    const long = await fetch(`${gateway.url}/data/api/3/action/datastore_search?q=${'x'.repeat(70_000)}`);
    expect([long.status, wrongAnswer('datastore_search', long.status, await long.text())]).toEqual([431, null]);
    const operations: unknown = document.paths;
    const statuses = JSON.stringify(operations).split('"responses":').slice(1);
    expect(statuses.filter((text) => !text.includes('#/components/responses/431'))).toEqual([]);
    expect(statuses.filter((text) => !text.includes('#/components/responses/408'))).toEqual([]);
  });

  test.each(Object.keys(kinds))('a refusal of the kind %s is as described', (kind) => {
    const refusalKind = Object.keys(kinds).find((name): name is RefusalKind => name === kind) ?? 'internal';
    const details =
      kinds[refusalKind].type === 'Validation Error'
        ? { records: ['x'], records_row: 3, records_field: 'y' }
        : { message: 'x' };
    expect(
      wrongAnswer('datastore_search', kinds[refusalKind].status, failure('x', new Refusal(refusalKind, details))),
    ).toBeNull();
  });

  test.each(dumpFormats)('a download as %s is of a content type that the document names', async (format) => {
    const { get } = document.paths['/datastore/dump/{id}'] ?? {};
    expect(get?.parameters?.map(({ name }) => name)).toEqual(['id', ...dumpParameters.map(({ name }) => name)]);
    const answer = await fetch(
      `${gateway.url}/data/datastore/dump/movies?format=${format}&fields=id,title&geometry=id,id`,
    );
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    expect(Object.keys(get?.responses['200']?.content ?? {})).toContain(type);
  });

  test('it lists the resources that this caller may read, and no others', async () => {
    const anonymous = JSON.stringify(await read(null));
    expect([anonymous.includes('films'), anonymous.includes('pairs'), anonymous.includes('secret')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(JSON.stringify(document)).toContain('pairs.record');
  });

  test('it may be of one resource, under any of its names', async () => {
    const one = await read(null, '?resource_id=movies&resource_id=pairs');
    const schemas = Object.keys(one.components.schemas);
    expect(schemas.filter((name) => /^pairs|seen/.test(name))).toEqual([]);
    expect(schemas).toContain('films.record');
    expect(one.components.schemas).toEqual((await read(null, '?resource_id=films')).components.schemas);
    expect(one.paths['/datastore/dump/{id}']?.get?.parameters?.[0]?.schema).toEqual({ enum: ['films', 'movies'] });
    expect(JSON.stringify(await read(null, '?resource_id='))).toBe(JSON.stringify(await read(null)));
    const refused = [await ask(null, '?resource_id=nothing'), await ask(null, '?resource_id=pairs')];
    expect(refused.map(({ status }) => status)).toEqual([404, 403]);
    expect(await refused[1]?.text()).toContain('no token was sent');
  });

  test('it is there to be read only', async () => {
    const send = (method: string) =>
      fetch(`${gateway.url}/data/api/openapi.json`, { method, headers: { Origin: 'http://other.test' } });
    const [head, post, options] = [await send('HEAD'), await send('POST'), await send('OPTIONS')];
    expect([head.status, Number(head.headers.get('content-length')) > 1000, await head.text()]).toEqual([
      200,
      true,
      '',
    ]);
    expect(head.headers.get('access-control-allow-origin')).toBe('*');
    expect([post.status, options.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
