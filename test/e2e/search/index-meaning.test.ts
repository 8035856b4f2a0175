/** PostgreSQL full text finds the same records with and without an index: an index that contains other words is not used. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

interface Case {
  readonly is: string;
  readonly columns: string;
  readonly rows: string;
  readonly on: readonly string[];
  readonly index: string;
  /** For each word the ids that it finds. */
  readonly finds: Readonly<Record<string, readonly number[]>>;
}

const documents = { columns: 'j jsonb', rows: `(1, '{"colour": "red"}'), (2, '{"n": 4711}')`, on: ['j'] };
const cases: readonly Case[] = [
  {
    is: 'the texts of a document of JSON, without its names and numbers',
    ...documents,
    index: `to_tsvector('english', j)`,
    finds: { colour: [1], 4711: [2], red: [1] },
  },
  {
    is: 'a document of JSON as text',
    ...documents,
    index: `to_tsvector('english', j::text)`,
    finds: { colour: [1], 4711: [2], red: [1] },
  },
  {
    is: 'a word for NULL',
    columns: 'a text, b text',
    rows: `(1, 'moon', 'sun'), (2, NULL, 'star')`,
    on: ['a', 'b'],
    index: `to_tsvector('english', coalesce(a, 'unknown') || ' ' || coalesce(b, ''))`,
    finds: { unknown: [], moon: [1], star: [2] },
  },
  {
    is: 'a word between two columns',
    columns: 'a text NOT NULL, b text NOT NULL',
    rows: `(1, 'moon', 'sun'), (2, 'venus', 'star')`,
    on: ['a', 'b'],
    index: `to_tsvector('english', a || ' author ' || b)`,
    finds: { author: [], moon: [1], star: [2] },
  },
  {
    is: 'a comma behind an address',
    columns: 'a text NOT NULL, b text NOT NULL',
    rows: `(1, 'http://example.org/moon', 'sun')`,
    on: ['a', 'b'],
    index: `to_tsvector('english', a || ', ' || b)`,
    finds: { '/moon': [1], sun: [1] },
  },
];
const tables = cases.flatMap((one, nth) => [
  { ...one, name: `t${nth}`, index: null },
  { ...one, name: `t${nth}_indexed` },
]);

const postgres = fewEngines().filter(({ client }) => client !== 'mysql');
describe.each(postgres.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const { name, columns, rows, index } of tables) {
      await database.exec(`CREATE TABLE ${name} (id int PRIMARY KEY, ${columns}); INSERT INTO ${name} VALUES ${rows}`);
      if (index !== null) await database.exec(`CREATE INDEX ON ${name} USING gin (${index})`);
    }
    const resource = (table: string, columns: readonly string[]) => [
      table,
      { database: 'db', table, access: { read: 'public' }, search: { mode: 'native', columns, language: 'english' } },
    ];
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: Object.fromEntries(tables.map(({ name, on }) => resource(name, on))),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  async function found(resource_id: string, q: string): Promise<Json | undefined> {
    const params = { resource_id, q, sort: 'id', fields: ['id'], records_format: 'lists' };
    return (await gateway.result('datastore_search', params)).records;
  }

  test.each(cases.map((one, nth) => [one.is, `t${nth}`, one.finds] as const))('%s', async (_is, name, finds) => {
    for (const [word, ids] of Object.entries(finds))
      for (const table of [name, `${name}_indexed`])
        expect([table, word, await found(table, word)]).toEqual([table, word, ids.map((id) => [id])]);
  });
});
