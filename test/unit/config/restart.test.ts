import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSettings } from '../../../src/config/load.ts';
import { afterReload, needsRestart } from '../../../src/config/restart.ts';
import { describeSettings } from '../../../src/config/schema.ts';

function settingsOf(more: object) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-restart-'));
  try {
    const file = join(folder, 'gateway.yaml');
    const rest = {
      databases: { db: { client: 'postgres', connection: 'postgres://127.0.0.1:1/x' } },
      resources: { t: { database: 'db', table: 't' } },
    };
    writeFileSync(file, JSON.stringify({ ...rest, ...more }));
    const loaded = loadSettings(file, {});
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.complaints));
    return loaded.settings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [running, wanted] = [
  settingsOf({
    server: { host: '127.0.0.1', port: 8000, workers: 1, reload: 'signal', title: 'before' },
    admin: { host: '127.0.0.1', port: 8001 },
    upstream: { url: 'http://127.0.0.1:1', host: 'a', connectTimeout: '1s', idleTimeout: '1s', maxRequests: 10 },
    cache: { maxBytes: '1MB', ttl: '1s' },
    limits: { connections: 100, headerBytes: '9kB', incomingBytes: '200MB', unsentBytes: '20MB', spoolBytes: '2MB' },
    log: { format: 'json', level: 'info', requests: 'all' },
  }),
  settingsOf({
    server: { host: '127.0.0.2', port: 9000, workers: 2, reload: 'watch', title: 'after' },
    admin: { host: '127.0.0.2', port: 9001 },
    upstream: { url: 'http://127.0.0.1:2', host: 'b', connectTimeout: '2s', idleTimeout: '2s', maxRequests: 20 },
    cache: { maxBytes: '2MB', ttl: '2s' },
    limits: { connections: 200, headerBytes: '10kB', incomingBytes: '300MB', unsentBytes: '30MB', spoolBytes: '3MB' },
    log: { format: 'text', level: 'warn', requests: 'none' },
  }),
];

test('a reload leaves every setting that needs a restart, and takes all others', () => {
  const all = describeSettings().flatMap(({ path, restart }) => (restart ? [path] : []));
  const shortest = all.filter((path) => !all.some((other) => path.startsWith(`${other}.`)));
  expect(needsRestart(running)(wanted).toSorted()).toEqual(shortest.toSorted());
  const after = afterReload(running, wanted);
  expect(needsRestart(running)(after)).toEqual([]);
  expect([after.server.title, after.cache.ttl]).toEqual(['after', 2000]);
});

test('links lead to the address at which the process listens, unless `siteUrl` says another one', () => {
  expect(afterReload(running, wanted).server.siteUrl).toBe('http://127.0.0.1:8000');
  const other = settingsOf({ server: { host: '127.0.0.2', port: 9000, siteUrl: 'https://data.example.org/' } });
  expect(afterReload(running, other).server.siteUrl).toBe('https://data.example.org');
});
