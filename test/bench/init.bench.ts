/** How long `init` takes for a database with a thousand tables, from starting the command to the checked file. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { programAt } from '../support/program.ts';
import { byName, freshDatabase, servers } from '../support/servers/engines.ts';
import { makeTables } from './many-tables.ts';
import { median, report } from './report.ts';

const tables = 1000;
const times = 5;
const limit = 5000;
const measured: (readonly string[])[] = [];

afterAll(() => {
  const title = `init on a database with ${tables} tables, a tinyint(1) in each of MySQL's`;
  report('init', title, ['Server', `Median of ${times} (ms)`, 'Fastest', 'Slowest'], measured);
});

test.each(byName(servers()))('%s', async (name, engine) => {
  const fresh = await freshDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  try {
    await makeTables(fresh, tables);
    const program = programAt(resolve(import.meta.dirname, '../../dist/main.js'), folder);
    const durations: number[] = [];
    for (let nth = 0; nth < times; nth++) {
      const file = join(folder, `gateway-${nth}.yaml`);
      const began = performance.now();
      const { code, stderr } = await program.run(['init', fresh.url, '-o', file]);
      durations.push(performance.now() - began);
      if (code !== 0) throw new Error(stderr);
      expect(readFileSync(file, 'utf8').match(/^ {4}table: legacy_/gm)).toHaveLength(tables);
    }
    measured.push([
      name,
      ...[median(durations), Math.min(...durations), Math.max(...durations)].map((time) => time.toFixed(0)),
    ]);
    expect(median(durations)).toBeLessThan(limit);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await fresh.drop();
  }
});
