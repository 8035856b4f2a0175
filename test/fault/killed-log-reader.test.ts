import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { variants } from '../property/outside/variants.ts';
import { addressOf, serverOf, streams } from '../support/binlog.ts';
import { openSession, type ServerEngine } from '../support/servers/engines.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import type { Session } from '../support/servers/sessions.ts';

const logging = variants().filter(({ client, hasLog }) => client === 'mysql' && hasLog);

/** A script that opens a stream and prints `open`. */
const reader = (compiled: string, address: unknown, server: unknown) => `
  const { openBinlog } = await import(${JSON.stringify(join(compiled, 'execute/drivers/mysql/binlog.js'))});
  const { binlogSource } = await import(${JSON.stringify(join(compiled, 'dialects/mysql/binlog-source.js'))});
  const listener = { committed() {}, reached() {}, ended() {} };
  await openBinlog(${JSON.stringify(address)}, binlogSource(${JSON.stringify(server)}), listener);
  console.log('open');`;

describe.runIf(logging.length > 0).each(logging.map((variant) => [variant.name, variant] as const))(
  'on %s',
  (_, variant) => {
    let scope: Scope;
    let engine: ServerEngine;
    let session: Session;
    beforeAll(async () => {
      scope = openScope();
      engine = await variant.start(scope);
      session = await openSession(engine);
    }, 120_000);
    afterAll(async () => {
      await session?.close();
      await scope?.close();
    });

    test('the stream of a killed process ends on the server within two seconds', async () => {
      const code = reader(inject('compiled'), addressOf(engine.url), await serverOf(session));
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        await once(child.stdout, 'data');
        expect(await streams(session)).toBe(1);
      } finally {
        child.kill('SIGKILL');
      }
      await expect.poll(() => streams(session), { timeout: 2000, interval: 20 }).toBe(0);
    });
  },
);
