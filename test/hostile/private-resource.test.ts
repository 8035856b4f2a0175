import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway, token } from '../support/gateway.ts';
import { anyEngine, byName, engines, type FreshDatabase, freshDatabase } from '../support/servers/engines.ts';
import { standsForItsKind } from './world.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const tables = `
  CREATE TABLE film (id int PRIMARY KEY, title varchar(40) NOT NULL, secret varchar(40) DEFAULT 'hush', UNIQUE (secret));
  INSERT INTO film VALUES (1, 'Alien', 'giger'), (2, 'Heat', 'mann');
  CREATE TABLE cast_of (film int, actor int, role varchar(40), PRIMARY KEY (film, actor));
  INSERT INTO cast_of VALUES (1, 1, 'Ripley');`;

type Call = readonly [action: string, params: object];

/** Calls that name a column, or give a value for it, in every possible place. */
function naming(resource_id: string, column: string): readonly Call[] {
  const membersOf = (value: unknown) => Object.fromEntries([[column, value]]);
  const searches = [
    ...[{ fields: column }, { fields: ['id', column] }, { sort: column }, { sort: [`${column} desc nulls last`] }],
    ...[
      { filters: membersOf('giger') },
      { filters: membersOf(['x', null]) },
      { filters: { id: 1, ...membersOf({ gt: 1 }) } },
    ],
    { filters: JSON.stringify(membersOf('x')) },
  ];
  const records = [
    [{ id: 1, ...membersOf('x') }],
    [{ id: 1 }, { _id: 1, ...membersOf(null) }],
    [membersOf('giger')],
    [membersOf({})],
  ];
  const deletes = [membersOf('giger'), membersOf([]), { id: 1, ...membersOf('x') }];
  return [
    ...searches.map((params): Call => ['datastore_search', { resource_id, ...params }]),
    ...['insert', 'update', 'upsert'].flatMap((method) =>
      records.map((list): Call => ['datastore_upsert', { resource_id, method, records: list }]),
    ),
    ...deletes.map((filters): Call => ['datastore_records_delete', { resource_id, filters }]),
  ];
}

// Most of these calls are refused before a statement, so one engine of each kind is enough.
describe.each(byName(engines().filter(standsForItsKind)))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(tables);
    const access = { read: 'token', write: 'token' };
    const hidden = { secret: { hidden: true } };
    gateway = await startGateway({
      tokens: [
        { name: 'tester', sha256: sha256(token), read: ['*'], write: ['*'] },
        { name: 'stranger', sha256: sha256('stranger'), read: ['plain'], write: ['plain'] },
        { name: 'reader', sha256: sha256('reader'), read: ['films', 'locked'], write: ['locked'] },
      ],
      databases: { db: entry(database) },
      resources: {
        films: { database: 'db', table: 'film', aliases: ['movies'], columns: hidden, access },
        locked: { database: 'db', table: 'film', access: { read: 'public', write: 'none' } },
        plain: { database: 'db', table: 'film', columns: hidden, access: { read: 'public', write: 'none' } },
        roles: { database: 'db', table: 'cast_of', columns: { actor: { hidden: true } }, access },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const columns = [
    ...['secret', 'nope', 'title', 'id', '_id', "'", '__proto__', '', ' title ', '"title"', 'TITLE'],
    'x'.repeat(70),
  ];
  /** All answers that a caller gets when he names these columns. The hidden one must not differ from those that do not exist. */
  const answers = async (resource: string, as: string | null, action: RegExp) => {
    const seen = new Map<string, Set<string>>();
    for (const column of columns) {
      for (const [name, params] of naming(resource, column)) {
        if (!action.test(name)) continue;
        const { status, text } = await gateway.call(name, params, as);
        seen.set(name, (seen.get(name) ?? new Set()).add(`${status} ${text}`));
      }
    }
    return Object.fromEntries([...seen].map(([name, bodies]) => [name, [...bodies]]));
  };
  const denied = (action: string, who: string, right: string, resource: string, why = '') => [
    `403 {"help":"http://gateway.test/api/3/action/help_show?name=${action}","error":{"__type":"Authorization Error","message":"Access denied: User ${who} not authorized to perform ${right} on resource ${resource}${why}"},"success":false}`,
  ];

  // No call without the right to make it gets as far as the engine, so one of them is enough for these thousands of calls.
  const testDenied = test.runIf(anyEngine().includes(engine));
  testDenied.each([
    ['nobody', null, '', ': no token was sent'],
    ['an unknown token', 'no-such-token', '', ': this token is not known'],
    ['a token for something else', 'stranger', 'stranger', ''],
  ])('%s gets one and the same 403, whatever he asks of a private table', async (_who, as, name, why) => {
    for (const resource of ['films', 'movies']) {
      expect(await answers(resource, as, /./)).toEqual({
        datastore_search: denied('datastore_search', name, 'resource_show', 'films', why),
        datastore_upsert: denied('datastore_upsert', name, 'resource_update', 'films', why),
        datastore_records_delete: denied('datastore_records_delete', name, 'resource_update', 'films', why),
      });
    }
  });

  testDenied('a caller that may only read gets one and the same 403 for every write', async () => {
    for (const [resource, as, name, why] of [
      ['films', 'reader', 'reader', ''],
      ['locked', 'reader', 'reader', ''],
      ['locked', token, 'tester', ''],
      ['plain', null, '', ': no token was sent'],
    ] as const) {
      expect(await answers(resource, as, /upsert|delete/)).toEqual({
        datastore_upsert: denied('datastore_upsert', name, 'resource_update', resource, why),
        datastore_records_delete: denied('datastore_records_delete', name, 'resource_update', resource, why),
      });
    }
  });

  test('a hidden column is answered like one that does not exist', async () => {
    const absent = 'absent';
    const hidden = naming('films', 'secret');
    expect(hidden).toHaveLength(23);
    for (const [nth, [action, params]] of naming('films', absent).entries()) {
      const other = hidden[nth] ?? ['', {}];
      const one = await gateway.call(action, params);
      const two = await gateway.call(other[0], other[1]);
      expect([JSON.stringify(other[1]), two.status, two.text]).toEqual([
        JSON.stringify(other[1]),
        one.status,
        one.text.replaceAll(absent, 'secret'),
      ]);
      expect([one.status, params]).toEqual([409, params]);
    }
  });

  test('q does not look into a hidden column, and records do not show it', async () => {
    for (const resource_id of ['films', 'plain']) {
      expect((await gateway.result('datastore_search', { resource_id, q: 'giger' })).total).toBe(0);
      const { records, fields } = await gateway.result('datastore_search', { resource_id, q: 'alien' });
      expect(records).toEqual([{ _id: 1, id: 1, title: 'Alien', rank: 0.5 }]);
      expect(fields).toEqual([
        { id: '_id', type: 'int' },
        { id: 'id', type: 'int4' },
        { id: 'title', type: 'text' },
        { id: 'rank', type: 'float' },
      ]);
    }
  });

  test('a refused write does not name the hidden column that refused it', async () => {
    await gateway.result('datastore_upsert', {
      resource_id: 'films',
      method: 'insert',
      records: [{ id: 3, title: 'x' }],
    });
    const answer = await gateway.call('datastore_upsert', {
      resource_id: 'films',
      method: 'insert',
      records: [{ id: 4, title: 'y' }],
    });
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([
      409,
      { records: ['duplicate key value violates unique constraint'], records_row: 0, __type: 'Validation Error' },
    ]);
    await gateway.result('datastore_records_delete', { resource_id: 'films', filters: { id: 3 } });
  });

  test('a hidden part of the key is not named, and finds no record', async () => {
    const calls: readonly Call[] = [
      ...naming('roles', '_id'),
      ...naming('roles', 'role'),
      ...['update', 'upsert'].flatMap((method) =>
        [{ film: 1, role: 'x' }, { role: 'x' }, { film: 1 }].map(
          (record): Call => ['datastore_upsert', { resource_id: 'roles', method, records: [record] }],
        ),
      ),
    ];
    for (const [action, params] of calls) {
      const { status, text } = await gateway.call(action, params);
      expect([params, status < 500, text]).toEqual([params, true, expect.not.stringContaining('actor')]);
    }
    for (const method of ['update', 'upsert']) {
      const answer = await gateway.call('datastore_upsert', { resource_id: 'roles', method, records: [{ film: 1 }] });
      expect(JSON.parse(answer.text).error).toMatchObject({
        table: [expect.stringContaining('this table has none that is visible')],
      });
    }
    expect((await gateway.result('datastore_search', { resource_id: 'roles' })).records).toEqual([
      { film: 1, role: 'Ripley' },
    ]);
  });
});
