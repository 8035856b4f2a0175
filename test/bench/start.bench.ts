/** How long a gateway takes from the start of the command to its first answer, and its memory at rest, by the number of its resources. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { engines, freshDatabase, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { addressOf } from './address.ts';
import { makeTables } from './many-tables.ts';
import { median, report } from './report.ts';

const main = resolve(import.meta.dirname, '../../dist/main.js');
const starts = 5;
/** The most milliseconds that the median may take, by the number of resources. */
const limits = { 100: 1000, 1000: 3000 } as const;
const sizes = [100, 1000] as const;

const products = { postgres: 'PostgreSQL', mariadb: 'MariaDB', mysql: 'MySQL', mysql56: 'MySQL' };
const measured: (readonly string[])[] = [];
const servers = engines().filter((engine): engine is ServerEngine => engine.client !== 'pglite');

afterAll(() => {
  const times = [`Median of ${starts} (ms)`, 'Fastest', 'Slowest', 'Median with compiled code kept'];
  report('start', 'Start, and memory at rest', ['Server', 'Resources', ...times, 'RSS (MB)'], measured);
});

const cases = servers.flatMap((engine) => sizes.map((tables) => [engine.name, tables, engine] as const));

test.each(cases)('%s, %d resources', async (_, tables, engine) => {
  const fresh = await freshDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  try {
    await makeTables(fresh, tables);
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, configuration(fresh, tables));
    await start(file, tables);
    const times: number[] = [];
    const keptTimes: number[] = [];
    // Turn by turn, so that a busy moment of the machine meets both.
    const keep = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
    await start(file, tables, keep);
    for (let nth = 0; nth < starts; nth++) {
      times.push((await start(file, tables)).took);
      keptTimes.push((await start(file, tables, keep)).took);
    }
    const { atRest } = await start(file, tables, {}, 10_000);
    const version = `${products[engine.name]} ${/\d+(\.\d+)+/.exec(engine.version)?.[0]}`;
    const figures = [tables, median(times), Math.min(...times), Math.max(...times), median(keptTimes), atRest / 1e6];
    measured.push([version, ...figures.map((figure) => String(Math.round(figure)))]);
    expect(median(times)).toBeLessThan(limits[tables]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await fresh.drop();
  }
});

function configuration({ client, url }: ServerDatabase, tables: number): string {
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

/**
 * Starts a gateway and ends it again.
 * @param env additional variables, such as where Node keeps compiled code (as `config/datastore-gateway.service` sets it)
 * @param restMs how long it rests after its first answer
 * @returns the milliseconds until it has answered a search on its last resource, and the bytes of its RSS at the end
 */
async function start(file: string, tables: number, env: Readonly<Record<string, string>> = {}, restMs = 0) {
  const began = performance.now();
  const child = spawn(process.execPath, [main, 'serve', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  try {
    const address = await addressOf(child);
    const answer = await fetch(`${address}/api/3/action/datastore_search?resource_id=resource-${tables - 1}`);
    const took = performance.now() - began;
    expect(answer.status).toBe(200);
    await answer.text();
    await sleep(restMs);
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return { took, atRest: Number(kilobytes) * 1024 };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
