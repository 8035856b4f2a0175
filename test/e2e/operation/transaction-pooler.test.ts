/** A pooler that gives a session to several programs: `check` and `init` set none of them to read only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings } from '../../../src/config/load.ts';
import { openSurvey } from '../../../src/gateway/survey.ts';
import { checked } from '../../support/advised.ts';
import { open } from '../../support/open-database.ts';
import { byName, freshDatabase, openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { openTap } from '../../support/tap.ts';
import { openTransactionPooler, type TransactionPooler } from '../../support/transaction-pooler.ts';

const asking = servers().filter(({ name, url }) => name === 'postgres' && new URL(url).password === '');
describe.each(byName(asking))('before %s', (_, engine) => {
  let fresh: ServerDatabase;
  let pooler: TransactionPooler;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec('CREATE TABLE film (id int PRIMARY KEY)');
    pooler = await openTransactionPooler(fresh.url);
  });
  afterAll(async () => {
    pooler?.close();
    await fresh?.drop();
  });
  const config = (connection: string) => ({
    databases: { db: { client: 'postgres', connection } },
    resources: { film: { database: 'db', table: 'film' } },
  });
  const why =
    /is a pooler in transaction mode: settings of a session, such as read-only, would reach other programs; connect to the server itself, or to a pool in session mode/;

  test('check and init refuse it, and other programs still write', async () => {
    expect(await checked(config(pooler.url))).toEqual([expect.stringMatching(why), '1 error']);
    const loaded = loadSettings('my.yaml', {}, () => JSON.stringify(config(pooler.url)));
    const database = loaded.ok ? loaded.settings.databases.get('db') : undefined;
    if (database === undefined) throw new Error('not loaded');
    expect(await openSurvey(database)).toMatchObject({ why: expect.stringMatching(why) });
    const other = await openSession({ client: 'postgres', url: pooler.url });
    try {
      await other.exec('INSERT INTO film VALUES (1)');
      expect(await other.query('SHOW statement_timeout')).toEqual([['0']]);
    } finally {
      await other.close();
    }
  });

  test('a statement of a template runs, whoever has parsed it in the session, or taken it away', async () => {
    const clients = await Promise.all([1, 2].map(() => open({ ...fresh, url: pooler.url })));
    const template = {};
    const ask = async ({ run }: (typeof clients)[number], value: string) =>
      (await run({ template, text: 'SELECT $1::text', values: [value] })).cells;
    try {
      const [first, second] = clients;
      if (first === undefined || second === undefined) throw new Error('no clients');
      for (const value of ['a', 'b']) {
        expect(await ask(first, value)).toEqual([[value]]);
        expect(await ask(second, value)).toEqual([[value]]);
      }
      await second.sql('DEALLOCATE ALL');
      for (const value of ['c', 'd']) expect(await ask(first, value)).toEqual([[value]]);
    } finally {
      for (const client of clients) await client.close();
    }
  });

  test('a proxy that hands on each connection is none', async () => {
    const tap = await openTap(fresh.url);
    try {
      expect(await checked(config(tap.url))).toEqual([
        expect.stringMatching(/^database db: /),
        '1 resource can be served',
      ]);
    } finally {
      tap.close();
    }
  });
});
