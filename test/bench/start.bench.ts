/** How long a gateway with many resources takes from the start of the command to its first answer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { engines, freshDatabase, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { addressOf } from './address.ts';
import { makeTables } from './many-tables.ts';
import { median, report } from './report.ts';

const main = resolve(import.meta.dirname, '../../dist/main.js');
const tables = 1000;
const starts = 5;
const limit = 3000;

const products = { postgres: 'PostgreSQL', mariadb: 'MariaDB', mysql: 'MySQL', mysql56: 'MySQL' };
const measured: (readonly string[])[] = [];
const servers = engines().filter((engine): engine is ServerEngine => engine.client !== 'pglite');

afterAll(() => {
  const title = `Start with ${tables} resources over ${tables} tables`;
  report('start', title, ['Server', `Median of ${starts} (ms)`, 'Fastest', 'Slowest'], measured);
});

test.each(servers.map((engine) => [engine.name, engine] as const))('%s', async (_, engine) => {
  const fresh = await freshDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  try {
    await makeTables(fresh, tables);
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, configuration(fresh));
    await start(file);
    const times: number[] = [];
    for (let nth = 0; nth < starts; nth++) times.push(await start(file));
    const version = `${products[engine.name]} ${/\d+(\.\d+)+/.exec(engine.version)?.[0]}`;
    measured.push([
      version,
      ...[median(times), Math.min(...times), Math.max(...times)].map((time) => String(Math.round(time))),
    ]);
    expect(median(times)).toBeLessThan(limit);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await fresh.drop();
  }
});

function configuration({ client, url }: ServerDatabase): string {
  const resources = Array.from({ length: tables }, (_, nth) =>
    [
      `  resource-${nth}:`,
      '    database: db',
      `    table: legacy_${nth}`,
      `    title: The table ${nth}`,
      '    columns:',
      '      remark: { hidden: true }',
      '    access: { read: public, write: none }',
    ].join('\n'),
  );
  return [
    'server: { port: 0 }',
    'log: { level: info }',
    `databases:\n  db: { client: ${client}, connection: "${url}" }`,
    `resources:\n${resources.join('\n')}\n`,
  ].join('\n');
}

/** Milliseconds until a newly started gateway has answered a search on its last resource. */
async function start(file: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [main, 'serve', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  try {
    const address = await addressOf(child);
    const answer = await fetch(`${address}/api/3/action/datastore_search?resource_id=resource-${tables - 1}`);
    const took = performance.now() - began;
    expect(answer.status).toBe(200);
    await answer.text();
    return took;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
