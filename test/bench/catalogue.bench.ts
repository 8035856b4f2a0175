/** The catalogue of 5,000 public tables: how long its answers take, with every last change in the cache, and what it costs in memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { byName, freshDatabase, type ServerDatabase, servers } from '../support/servers/engines.ts';
import { addressOf } from './address.ts';
import { median, report } from './report.ts';

const main = resolve(import.meta.dirname, '../../dist/main.js');
const tables = 5000;
const calls = 20;
const limit = 100;
const measured: (readonly string[])[] = [];

afterAll(() => {
  const header = ['Answer', `Median of ${calls} (ms)`, 'First (ms)', 'kB', 'RSS (MB)'];
  report('catalogue', `The catalogue of ${tables} public tables with a column \`changed\``, header, measured);
});

const search = '/api/3/action/package_search';
const answers = [
  ['package_search, 100 rows by id', `${search}?rows=100&start=2000&sort=id+asc`],
  [
    'package_search, all, changed since',
    `${search}?rows=100&sort=id+asc&fq=metadata_modified:[2020-01-01T00:00:00Z+TO+*]`,
  ],
  ['package_search, latest first', `${search}?rows=100&sort=metadata_modified+desc`],
  ['package_search, 1000 rows', `${search}?rows=1000`],
  ['package_search, words', `${search}?q=table+4999`],
  ['a page of catalog.jsonld', '/catalog.jsonld?page=2'],
  ['data.json', '/data.json'],
] as const;

test.each(byName(servers()))('%s', async (_, engine) => {
  const fresh = await freshDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await fresh.exec(
    'CREATE TABLE record (id int PRIMARY KEY, name text, updated timestamp); CREATE INDEX ON record (updated)',
  );
  await fresh.exec("INSERT INTO record SELECT n, 'x', '2026-01-01' FROM generate_series(1, 1000) AS n");
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, configuration(fresh));
  const child = spawn(process.execPath, [main, 'serve', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  try {
    const address = await addressOf(child);
    const memory = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1000;
    measured.push(['at the start', '', '', '', memory().toFixed(0)]);
    for (const [name, path] of answers) {
      const times: number[] = [];
      let bytes = 0;
      for (let nth = 0; nth <= calls; nth++) {
        const began = performance.now();
        const answer = await fetch(address + path, { headers: { 'Accept-Encoding': 'identity' } });
        bytes = (await answer.arrayBuffer()).byteLength;
        times.push(performance.now() - began);
        expect(answer.status).toBe(200);
      }
      const [first = 0, ...others] = times;
      measured.push([name, ...[median(others), first, bytes / 1000, memory()].map((figure) => figure.toFixed(0))]);
      if (name.startsWith('package_search')) expect(median(others), name).toBeLessThan(limit);
    }
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
    await fresh.drop();
  }
});

function configuration({ client, url }: ServerDatabase): string {
  const resources = Array.from(
    { length: tables },
    (_, nth) =>
      `  resource-${nth}: { database: db, table: record, title: The table ${nth}, changed: updated, access: { read: public } }`,
  );
  return [
    'server: { port: 0 }',
    'catalog: { publisher: { name: Office }, licence: CC-BY-4.0, language: [en], theme: [REGI], keywords: [records] }',
    'cache: { ttl: 1h }',
    `databases:\n  db: { client: ${client}, connection: "${url}" }`,
    `resources:\n${resources.join('\n')}\n`,
  ].join('\n');
}
