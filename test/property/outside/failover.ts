/** A failover to a server whose commit marker is equal although its rows differ. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startGateway } from '../../support/gateway.ts';
import { openSession, type ServerEngine } from '../../support/servers/engines.ts';
import { openTap } from '../../support/tap.ts';

const schema = [
  'CREATE DATABASE d',
  'CREATE TABLE d.r (id integer PRIMARY KEY, n integer)',
  'INSERT INTO d.r VALUES (1, 1)',
];

/**
 * @param servers two MariaDB servers, with a binary log and nothing else
 * @returns the number that a gateway shows after the failover to the second server, and the correct one
 */
export async function failOver(
  servers: readonly [ServerEngine, ServerEngine],
): Promise<readonly [shown: unknown, is: number]> {
  const positions: unknown[] = [];
  for (const [nth, { client, url }] of servers.entries()) {
    const session = await openSession({ client, url });
    try {
      for (const statement of schema) await session.exec(statement);
      if (nth === 1) await session.exec('SET sql_log_bin = 0; UPDATE d.r SET n = 2');
      positions.push(await session.query('SHOW MASTER STATUS'));
    } finally {
      await session.close();
    }
  }
  expect(positions[1]).toEqual(positions[0]);
  const [first, second] = servers.map(({ url }) => Object.assign(new URL(url), { pathname: '/d' }).href);
  const tap = await openTap(first ?? '');
  try {
    const gateway = await startGateway({
      databases: { db: { client: 'mysql', connection: tap.url, maxStaleness: '50ms' } },
      resources: { r: { database: 'db', table: 'r', access: { read: 'public' } } },
      cache: { ttl: '1h' },
    });
    const read = async () => {
      const response = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=r`);
      const { result }: { result?: { records: { n: number }[] } } = JSON.parse(await response.text());
      return { n: result?.records[0]?.n, by: response.headers.get('x-cache') };
    };
    try {
      await expect.poll(async () => (await read()).by).toBe('HIT');
      tap.redirect(second ?? '');
      tap.cut();
      await sleep(60);
      // The first call may use a connection that was cut.
      await expect.poll(async () => (await read()).n).toBeDefined();
      return [(await read()).n, 2];
    } finally {
      await gateway.close();
    }
  } finally {
    tap.close();
  }
}
