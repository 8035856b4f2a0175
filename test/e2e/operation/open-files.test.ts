import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entry } from '../../support/gateway.ts';
import { openProgram } from '../../support/program.ts';
import { anyServer, byName, freshDatabase } from '../../support/servers/engines.ts';

/** Runs the program with this limit of open files. */
const limited = ['sh', '-c', 'ulimit -n 300; exec "$@"', 'sh'];

describe.each(byName(anyServer()))('on %s', (_, engine) => {
  test('more clients than the system allows open files leave room for databases and the admin port, and the log says so', async () => {
    const program = openProgram();
    const folder = mkdtempSync(join(tmpdir(), 'open-files-'));
    const database = await freshDatabase(engine);
    const sockets: Socket[] = [];
    try {
      await database.exec('CREATE TABLE t (n int PRIMARY KEY)');
      const file = join(folder, 'gateway.json');
      const configuration = {
        server: { port: 0 },
        admin: { port: 0 },
        databases: { db: entry(database) },
        resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
        limits: { spoolBytes: '100MB' },
      };
      writeFileSync(file, JSON.stringify(configuration));
      const served = await program.serve(['serve', file], {}, limited);
      if ('code' in served) throw new Error(served.stderr);
      const { port } = new URL(served.url);
      for (let nth = 0; nth < 400; nth++) sockets.push(connect(Number(port), '127.0.0.1').on('error', () => undefined));
      await expect.poll(() => sockets.every((socket) => !socket.connecting)).toBe(true);
      const search = await fetch(`${served.url}/api/action/datastore_search?resource_id=t`);
      expect([search.status, await search.json()]).toMatchObject([200, { success: true }]);
      const admin = /"admin":"([^"]+)"/.exec(served.said())?.[1];
      expect((await fetch(`${admin}/ready`)).status).toBe(200);
      expect(served.said()).toContain(
        'limits.connections is 4096, but the system allows this process 300 open files: at most ',
      );
      await served.stop();
    } finally {
      for (const socket of sockets) socket.destroy();
      program.remove();
      await database.drop();
      rmSync(folder, { recursive: true });
    }
  });
});
