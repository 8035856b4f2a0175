/** A pooler in transaction mode shares a session among programs: no command may leave its settings in it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings } from '../../../src/config/load.ts';
import { openSurvey } from '../../../src/tables/survey.ts';
import { runCheck } from '../../support/advised.ts';
import { startGateway } from '../../support/gateway.ts';
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

  test('check, init and serve refuse it, and other programs still write', async () => {
    expect(await runCheck(config(pooler.url))).toEqual([expect.stringMatching(why), '1 error']);
    await expect(startGateway(config(pooler.url))).rejects.toThrow(why);
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

  test('a statement of a template runs, although its session has lost all of them', async () => {
    const { sql, run, close } = await open(fresh);
    const template = {};
    const ask = async (value: string) => (await run({ template, text: 'SELECT $1::text', values: [value] })).cells;
    try {
      expect(await ask('a')).toEqual([['a']]);
      await sql('DEALLOCATE ALL');
      for (const value of ['b', 'c']) expect(await ask(value)).toEqual([[value]]);
    } finally {
      await close();
    }
  });

  test('a running gateway refuses what it reloads, and serves a database only when it is no pooler', async () => {
    const tap = await openTap(fresh.url);
    const gateway = await startGateway(config(tap.url));
    const status = async () => (await gateway.call('datastore_search', { resource_id: 'film' })).status;
    try {
      expect(await status()).toBe(200);
      expect(await gateway.reload(config(pooler.url))).toEqual([expect.stringMatching(why)]);
      tap.redirect(pooler.url);
      tap.cut();
      await expect.poll(status).toBe(503);
      expect(await status()).toBe(503);
      tap.redirect(fresh.url);
      await expect.poll(status).toBe(200);
    } finally {
      await gateway.close();
      tap.close();
    }
  });

  test('a proxy that hands on each connection is none', async () => {
    const tap = await openTap(fresh.url);
    try {
      expect(await runCheck(config(tap.url))).toEqual([
        expect.stringMatching(/^database db: /),
        '1 resource can be served',
      ]);
    } finally {
      tap.close();
    }
  });
});
