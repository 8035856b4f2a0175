/** The address now leads to another server, where somebody else's session has the same id as ours: it must not be killed. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql2 from 'mysql2';
import pg from 'pg';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import * as drivers from '../../../src/execute/drivers/index.ts';
import { hangUp } from '../../../src/execute/drivers/mysql/connection.ts';
import {
  type Identity,
  selectFromSession,
  selectIdentity,
} from '../../../src/execute/drivers/postgres/session-identity.ts';
import type { Connection } from '../../../src/model/engines.ts';
import type { Statement } from '../../../src/model/rows.ts';
import { byName, servers } from '../../support/servers/engines.ts';
import { startMariadb } from '../../support/servers/mariadb.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { freePort, openScope, type Scope } from '../../support/servers/scope.ts';
import { openTap } from '../../support/tap.ts';

const addressOf = (url: string): Connection => {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) || null };
  return { host: hostname, port: Number(port), ...login, database: pathname.slice(1), socketPath: null, tls: null };
};

/** @param localPort the local port of the connection; any if missing */
async function openMysql(url: string, localPort?: number): Promise<mysql2.Connection> {
  const { host, port, user, password } = addressOf(url);
  const stream = () => connect({ host: host ?? '', port, ...(localPort === undefined ? {} : { localPort }) });
  const client = mysql2.createConnection({ user: user ?? '', password: password ?? '', stream });
  client.on('error', () => undefined);
  await once(client, 'connect');
  onTestFinished(() => hangUp(client));
  return client;
}

/** A session on each of two servers, with the same id and the same local port. Session ids of a server only increase. */
async function sameNumber(url: string, otherUrl: string): Promise<readonly [mysql2.Connection, mysql2.Connection]> {
  const next = async () => {
    const client = await openMysql(otherUrl);
    hangUp(client);
    return client.threadId;
  };
  for (let last = await next(); ; ) {
    const localPort = await freePort();
    const own = await openMysql(url, localPort);
    while (last < own.threadId - 1) last = await next();
    if (last === own.threadId - 1) {
      const other = await openMysql(otherUrl, localPort);
      last = other.threadId;
      if (last === own.threadId) return [own, other];
      hangUp(other);
    }
    hangUp(own);
  }
}

const mysqls = servers().filter(({ client }) => client === 'mysql');

describe.runIf(mysqls.length > 0)('on MySQL and MariaDB', () => {
  let scope: Scope;
  let otherUrl: string;
  beforeAll(async () => {
    scope = openScope();
    otherUrl = await startMariadb(scope, thisMachine());
  }, 120_000);
  afterAll(() => scope?.close());

  /** Whether a statement of this session runs to its end during `work`. */
  async function isSpared(client: mysql2.Connection, work: () => Promise<unknown>): Promise<boolean> {
    // When SLEEP is interrupted, MySQL returns 1, MariaDB an error.
    const slept = client
      .promise()
      .query({ sql: 'SELECT SLEEP(1)', rowsAsArray: true })
      .then(
        ([rows]) => JSON.stringify(rows) === '[[0]]',
        () => false,
      );
    await sleep(100);
    await work();
    return slept;
  }

  test.for(byName(mysqls))('a session of %s, which another server follows', async ([, { url }], { expect }) => {
    const tap = await openTap(url);
    onTestFinished(() => tap.close());
    const driver = await drivers.mysql({ ...addressOf(tap.url), database: 'information_schema' });
    const [own, stranger] = await sameNumber(url, otherUrl);
    await driver.identify(own);
    expect(await isSpared(own, async () => expect(await driver.activity(own)).toBe('busy'))).toBe(true);
    tap.redirect(otherUrl);
    expect(await isSpared(stranger, () => driver.cancel(own))).toBe(true);
    expect(await isSpared(stranger, () => driver.end(own))).toBe(true);
    expect(await isSpared(stranger, async () => expect(await driver.activity(own)).toBe('ended'))).toBe(true);
    tap.redirect(url);
    expect(await isSpared(own, () => driver.cancel(own))).toBe(false);
    expect(await isSpared(own, () => driver.end(own))).toBe(false);
    expect(await driver.activity(own)).toBe('ended');
  });

  test('a session of a server that was started again', async ({ expect }) => {
    const driver = await drivers.mysql(addressOf(otherUrl));
    const own = await openMysql(otherUrl);
    await driver.identify(own);
    await (await scope.stop(Number(new URL(otherUrl).port), 'SIGKILL'))();
    let stranger = await openMysql(otherUrl);
    for (; stranger.threadId < own.threadId; stranger = await openMysql(otherUrl)) hangUp(stranger);
    expect(stranger.threadId).toBe(own.threadId);
    expect(await isSpared(stranger, () => driver.cancel(own))).toBe(true);
    expect(await isSpared(stranger, async () => expect(await driver.activity(own)).toBe('ended'))).toBe(true);
  });
});

const postgres = servers().filter(({ client }) => client === 'postgres');

describe.runIf(postgres.length > 0).each(byName(postgres))('on %s', (_, { url }) => {
  async function open(options?: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, ...(options === undefined ? {} : { options }) });
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => void client.end().catch(() => undefined));
    return client;
  }

  test('a session is found by its pid and its begin, whatever a role sets', async ({ expect }) => {
    const [own, side] = [
      await open('-c DateStyle=German -c TimeZone=Asia/Tokyo -c extra_float_digits=0'),
      await open(),
    ];
    const rows = async (client: pg.Client, { text, values }: Statement): Promise<unknown[][]> =>
      (await client.query({ text, values: [...values], rowMode: 'array' })).rows;
    const [[pid, began] = []] = await rows(own, selectIdentity);
    const found = (...as: Identity) => rows(side, selectFromSession('pid', as));
    expect(await found(String(pid), String(began))).toEqual([[pid]]);
    expect(await found(String(pid), String(BigInt(String(began)) - 1n))).toEqual([]);
    expect(await found(String(Number(pid) + 1), String(began))).toEqual([]);
  });

  test('a session is cancelled behind a pooler too, which tells its clients other pids', async ({ expect }) => {
    const driver = await drivers.postgres(addressOf(url));
    const [own, never] = [await open(), await open()];
    Reflect.set(own, 'processID', Reflect.get(never, 'processID'));
    await driver.identify(own);
    const spared = never.query('SELECT pg_sleep(1)');
    const cancelled = expect(own.query('SELECT pg_sleep(1)')).rejects.toThrow(/canceling statement/);
    await expect.poll(() => driver.activity(own)).toBe('busy');
    await driver.cancel(own);
    await cancelled;
    await driver.end(own);
    await expect.poll(() => driver.activity(own)).toBe('ended');
    await spared;
  });

  test('a session that has not shown itself is not cancelled', async ({ expect }) => {
    const driver = await drivers.postgres(addressOf(url));
    const own = await open();
    const slept = own.query('SELECT pg_sleep(0.5)');
    await driver.cancel(own);
    expect((await slept).rowCount).toBe(1);
    expect(await driver.activity(own)).toBe('ended');
  });
});
