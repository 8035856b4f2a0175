/** Ten thousand pairs of a write and a read, and as many pairs of two reads, with a replica that lags by 300 ms. */
import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type Pair, startPair } from '../support/replica-pairs.ts';
import { reading, readsForward, readYourWrites, tables } from '../support/replica-reads.ts';
import { mysql56Unavailable } from '../support/servers/mysql56.ts';

const access = { read: 'public', write: 'token' };
const pairs = Number(process.env.SOAK_PAIRS ?? 10_000);

const configuration = ({ client, primaryUrl, replicaUrl }: Pair, maxStaleness: string | number) => ({
  databases: { db: { client, connection: primaryUrl, replicas: [replicaUrl], maxStaleness } },
  resources: Object.fromEntries(tables.map(({ name }) => [name, { database: 'db', table: name, access }])),
  cache: { ttl: '1h' },
});

// The MySQL 5.6 package exists only for Linux.
const engines = (['postgres', 'mariadb', 'mysql56'] as const).filter(
  (engine) => engine !== 'mysql56' || mysql56Unavailable() === null,
);

describe.each(engines)('a replica of %s', (engine) => {
  test(`${pairs} pairs, and none of them with an old answer`, async () => {
    const pair = await startPair(engine);
    try {
      for (const { create } of tables) for (const sql of create) await pair.primary.exec(sql);
      await pair.delay(300);
      const gateway = await startGateway(configuration(pair, '1s'));
      const forward = await startGateway(configuration(pair, 0));
      try {
        const written = await readYourWrites(reading(gateway), pairs);
        const read = await readsForward(reading(forward), pair.primary, pairs);
        console.log(`${engine}:`, written.by, read.by);
        expect([written.missed, read.missed]).toEqual([[], []]);
        for (const { by } of [written, read]) expect(by.get('replica 1')).toBeGreaterThan(pairs / 100);
      } finally {
        await gateway.close();
        await forward.close();
      }
    } finally {
      await pair.close();
    }
  });
});
