import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkServed } from '../../property/outside/check.ts';
import { openProgram } from '../../support/program.ts';
import { anyServer, byName } from '../../support/servers/engines.ts';
import { running } from '../../support/workers.ts';

const soak = process.env.SOAK_OPERATIONS;

test.each(byName(anyServer()))(
  'each worker proves its own answers, on %s',
  async (_, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-outside-'));
    const program = openProgram();
    try {
      const course = { maxStaleness: '50ms', reads: Number(soak ?? 200) };
      const found = await checkServed(engine, course, async (configuration) => {
        const file = join(folder, 'gateway.yaml');
        writeFileSync(
          file,
          JSON.stringify({ ...configuration, server: { port: 0, workers: soak === undefined ? 2 : 4 } }),
        );
        return running(await program.serve(['serve', file]));
      });
      expect(found.stale).toEqual([]);
      expect(found.hits).toBeGreaterThan(0);
      expect(found.writes).toBeGreaterThan(10);
    } finally {
      program.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000 + Number(soak ?? 0) * 20,
);
