/** Reloads under load: triggered by a signal, and by the file watcher. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProgram, type Program, type Running } from '../../support/program.ts';
import { anyServer, byName, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { fewWorkers, lines, running } from '../../support/workers.ts';

/** A generous limit in milliseconds for busy machines. How fast a reload is does not matter here. */
const timeoutMs = 60_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Process handling does not depend on the engine. */
describe.each(byName(anyServer()))('on %s', { timeout: 4 * timeoutMs }, (_, engine) => {
  let program: Program;
  let fresh: ServerDatabase;
  let folder: string;
  let gateway: Running;

  beforeAll(async () => {
    program = openProgram();
    fresh = await freshDatabase(engine);
    await fresh.exec('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)');
    folder = mkdtempSync(join(tmpdir(), 'gateway-reload-'));
  });
  afterAll(async () => {
    program?.remove();
    rmSync(folder, { recursive: true, force: true });
    await fresh?.drop();
  });

  /** A connection that is late on a busy machine would be a 503 as well. */
  const pool = { acquireTimeout: '60s' };
  const configure = (name: string, changed: Record<string, unknown> = {}): string => {
    const path = join(folder, name);
    const configuration = {
      server: { port: 0, workers: 1, ...Object(changed.server) },
      databases: { db: { client: engine.client, connection: fresh.url, pool, ...Object(changed.db) } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public' }, ...Object(changed.t) } },
      tokens: changed.tokens ?? [],
      // Two of the callers download in parallel from the same address.
      limits: { dumpsPerDatabase: 8 },
      ...(changed.log === undefined ? {} : { log: changed.log }),
    };
    writeFileSync(`${path}.new`, JSON.stringify(configuration));
    renameSync(`${path}.new`, path);
    return path;
  };
  const logged = (msg: string) => lines(gateway).filter((line) => line.msg === msg);
  const search = '/api/3/action/datastore_search?resource_id=t';

  test.each(fewWorkers(2))(
    'a reload drops no request, with %i processes: neither hits nor queries nor downloads',
    async (workers) => {
      const path = configure(`load-${workers}.yaml`, { server: { workers } });
      gateway = running(await program.serve(['serve', path]));
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const seen = new Map<string, number>();
      let going = true;
      const caller = async (i: number) => {
        for (let n = 0; going; n++) {
          const way = [search, `${search}&offset=${n}&limit=${i + 1}`, '/datastore/dump/t'][i % 3] ?? '';
          const how = await status(`${gateway.url}${way}`, agent);
          seen.set(how, (seen.get(how) ?? 0) + 1);
        }
      };
      const callers = Array.from({ length: 8 }, (_, i) => caller(i));
      for (let round = 1; round <= 3; round++) {
        // Another timeout means another pool; the old one is closed while calls still use it.
        configure(`load-${workers}.yaml`, { server: { workers }, db: { statementTimeout: `${round + 1}s` } });
        process.kill(gateway.pid, 'SIGHUP');
        await expect.poll(() => logged('reloaded').length, { timeout: timeoutMs, interval: 20 }).toBe(round);
      }
      going = false;
      await Promise.all(callers);
      agent.destroy();
      expect((await gateway.stop()).code).toBe(0);
      expect([...seen.keys()]).toEqual(['200']);
      expect(seen.get('200')).toBeGreaterThan(50);
    },
  );

  test('a wrong configuration changes nothing, and the log says why; a changed port needs a restart, and the log says so', async () => {
    const path = configure('wrong.yaml', { server: { workers: 1 } });
    gateway = running(await program.serve(['serve', path]));
    writeFileSync(path, '{"server": {"prot": 1}, "databases": {}}');
    process.kill(gateway.pid, 'SIGHUP');
    await expect.poll(() => logged('configuration not taken over'), { timeout: timeoutMs }).toHaveLength(1);
    const [refused] = logged('configuration not taken over');
    expect(JSON.stringify(refused)).toContain('is not a setting; did you mean \\"port\\"?');
    expect(await status(`${gateway.url}${search}`)).toBe('200');

    configure('wrong.yaml', { server: { port: 1, workers: 3 }, log: { requests: 'none' }, t: { title: 'New' } });
    process.kill(gateway.pid, 'SIGHUP');
    await expect.poll(() => logged('reloaded'), { timeout: timeoutMs }).toHaveLength(1);
    const needRestart = ['server.port', 'server.workers', 'log.requests'];
    expect(logged('reloaded')).toEqual([expect.objectContaining({ level: 40, needRestart })]);
    expect(await status(`${gateway.url}${search}`)).toBe('200');

    configure('wrong.yaml');
    process.kill(gateway.pid, 'SIGHUP');
    await expect.poll(() => logged('reloaded'), { timeout: timeoutMs }).toHaveLength(2);
    expect(logged('reloaded').at(-1)).toMatchObject({ level: 30, needRestart: [] });
    expect((await gateway.stop()).code).toBe(0);
  });

  test('--watch sees changes of the file and of secrets it names, also behind a link that is swapped', async () => {
    // Like secrets in Kubernetes: the file is a link into a folder that is itself a link.
    const put = (version: string, text: string) => {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'hash'), text);
      symlinkSync(version, join(folder, 'data.new'));
      renameSync(join(folder, 'data.new'), join(folder, 'data'));
    };
    put('v1', sha256('first'));
    symlinkSync('data/hash', join(folder, 'hash'));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration has this syntax, too
    const tokens = [{ name: 'x', sha256: '${file:hash}', read: ['t'] }];
    const t = { access: { read: 'token' } };
    const path = configure('watched.yaml', { server: { reload: 'watch' }, tokens, t });
    gateway = running(await program.serve(['serve', path]));
    const statusWith = (token: string) => status(`${gateway.url}${search}`, undefined, token);
    expect([await statusWith('first'), await statusWith('second')]).toEqual(['200', '403']);

    put('v2', sha256('second'));
    await expect.poll(() => statusWith('second'), { timeout: timeoutMs }).toBe('200');
    expect(await statusWith('first')).toBe('403');

    writeFileSync(path, '{');
    await expect.poll(() => logged('configuration not taken over').length, { timeout: timeoutMs }).toBe(1);
    expect(await statusWith('second')).toBe('200');
    configure('watched.yaml', { server: { reload: 'watch' }, tokens, t: { access: { read: 'public' } } });
    await expect.poll(() => statusWith('nobody'), { timeout: timeoutMs }).toBe('200');
    expect((await gateway.stop()).code).toBe(0);
  });
});

/** The status of a complete response, else the error. */
function status(url: string, agent?: Agent, token?: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = token === undefined ? {} : { Authorization: token };
    const sent = get(url, { ...(agent === undefined ? {} : { agent }), headers }, (res) => {
      res.resume();
      res.on('error', (error) => resolve(error.message));
      res.on('end', () => resolve(String(res.statusCode)));
    });
    sent.on('error', (error) => resolve(error.message));
  });
}
