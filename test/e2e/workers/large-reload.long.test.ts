/** Loading a configuration with thousands of resources blocks all workers for seconds. They must not be killed as unresponsive. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProgram, type Program } from '../../support/program.ts';
import { anyServer, byName, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { Connection, lines, running } from '../../support/workers.ts';

const [resources, workers] = [6000, 4];

describe.each(byName(anyServer()))('on %s', (_, engine) => {
  let program: Program;
  let folder: string;
  let database: ServerDatabase;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-large-'));
    program = openProgram();
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)');
  });
  afterAll(async () => {
    program?.remove();
    rmSync(folder, { recursive: true, force: true });
    await database?.drop();
  });

  test(`a reload of ${resources} resources ends none of ${workers} workers, and no call fails`, {
    timeout: 240_000,
  }, async () => {
    const file = join(folder, 'gateway.yaml');
    const write = (ttl: string) => {
      const resource = `{ database: db, table: t, access: { read: public }, cache: { ttl: ${ttl} } }`;
      const text = [
        `server: { port: 0, workers: ${workers} }`,
        `databases: { db: ${JSON.stringify({ client: engine.client, connection: database.url })} }`,
        'resources:',
        ...Array.from({ length: resources }, (_, nth) => `  r${nth}: ${resource}`),
      ];
      writeFileSync(file, text.join('\n'));
    };
    write('1h');
    const gateway = running(await program.serve(['serve', file]));
    const logged = (msg: string) => lines(gateway).filter((line) => line.msg === msg);
    const pollOptions = { timeout: 120_000 };
    const failed: string[] = [];
    let isOver = false;
    const reading = async () => {
      for (let nth = 0; !isOver; nth++) {
        const connection = new Connection(gateway.url);
        await connection.call('datastore_search', { resource_id: `r${nth % resources}` }).then(
          ({ status }) => status !== 200 && failed.push(`${status}`),
          (error: NodeJS.ErrnoException) => failed.push(error.code ?? error.message),
        );
        connection.close();
        await sleep(20);
      }
    };
    try {
      await expect.poll(() => logged('worker started').length, pollOptions).toBe(workers);
      const reads = reading();
      write('2h');
      process.kill(gateway.pid, 'SIGHUP');
      await expect.poll(() => logged('reloaded').length, pollOptions).toBe(1);
      // Some work of the workers continues after the reload.
      await sleep(3000);
      isOver = true;
      await reads;
      expect(logged('worker ended')).toEqual([]);
      expect(failed).toEqual([]);
    } finally {
      isOver = true;
      await gateway.stop();
    }
  });
});
