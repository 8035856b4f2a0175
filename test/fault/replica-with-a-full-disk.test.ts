/** A replica whose disk is full stops to write the log: the primary answers, and the replica is used again when there is room. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { reading, tables } from '../support/replica-reads.ts';
import { openSession, servers } from '../support/servers/engines.ts';
import { startPostgres, startStandby } from '../support/servers/postgres.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { openScope } from '../support/servers/scope.ts';

const isPossible = servers().some(({ name }) => name === 'postgres') && process.env.TEST_POSTGRES_URL === undefined;

/** A small file system in a new folder; null where this user, or this container, may mount none. */
function mounted(folder: string): (() => void) | null {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return () => void execFileSync('umount', ['-l', folder]);
}

test.runIf(isPossible)('a replica with a full disk', { timeout: 180_000 }, async ({ skip }) => {
  const scope = openScope();
  const folder = join(scope.folder, 'standby');
  const unmount = mounted(folder);
  try {
    if (unmount === null) return skip('no file system can be mounted');
    const machine = thisMachine();
    const primaryUrl = await startPostgres(scope, machine, { wal_level: 'replica', max_wal_senders: 5 });
    const primary = await openSession({ client: 'postgres', url: primaryUrl });
    for (const { create } of tables) for (const sql of create) await primary.exec(sql);
    await primary.exec('CREATE TABLE filler (text text)');
    const replica = await startStandby(scope, machine, primaryUrl);
    const access = { read: 'public', write: 'token' };
    const gateway = await startGateway({
      databases: { db: { client: 'postgres', connection: primaryUrl, replicas: [replica] } },
      resources: Object.fromEntries(tables.map(({ name }) => [name, { database: 'db', table: name, access }])),
    });
    const { read, write } = reading(gateway);
    let variant = 0;
    const servedBy = async (n: number) => {
      expect(await read(1, variant++ % 10_000)).toBe(n);
      return gateway.events.findLast((event) => event.on === 'queried')?.server;
    };
    const fill = join(folder, 'fill');
    try {
      await expect.poll(() => servedBy(0)).toBe('replica 1');
      writeFileSync(fill, Buffer.alloc(statfsSync(folder).bavail * statfsSync(folder).bsize));
      // More than what is left of the files of the log that the replica has.
      for (let n = 1; n <= 12; n++) {
        await primary.exec(`INSERT INTO filler SELECT repeat(md5(i::text), 100) FROM generate_series(1, 10000) i`);
        await write(1, n);
        await servedBy(n);
      }
      for (let times = 0; times < 20; times++) expect(await servedBy(12)).toBe('primary');
      expect(gateway.events.filter((event) => event.on === 'answered' && event.status >= 400)).toEqual([]);
      rmSync(fill);
      // It may have ended.
      const again = await scope.stop(Number(new URL(replica).port), 'SIGKILL').catch(() => null);
      await again?.();
      if (again !== null) await expect.poll(() => servedBy(12), { timeout: 30_000 }).toBe('replica 1');
    } finally {
      await gateway.close();
      await primary.close();
    }
  } finally {
    // Lazily: the server still has files there, and ends only with its folder.
    unmount?.();
    await scope.close();
  }
});
