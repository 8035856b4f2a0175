/** How binlog streams end, on each kind of server that has a binary log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identity, identityIn } from '../../../src/dialects/mysql/feed.ts';
import type { Server } from '../../../src/model/catalog.ts';
import { variants } from '../../property/outside/variants.ts';
import { follow, serverOf, streams } from '../../support/binlog.ts';
import { backTo, handles } from '../../support/leaks.ts';
import { openSession, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import type { Session } from '../../support/servers/sessions.ts';
import { openTap } from '../../support/tap.ts';

// One variant of each server: GTIDs make no difference to the end of a stream.
const logging = variants().filter(
  ({ client, hasLog, name }) => client === 'mysql' && hasLog && !name.includes('GTIDs'),
);

describe.runIf(logging.length > 0).each(logging.map((variant) => [variant.name, variant] as const))(
  'on %s',
  (_, variant) => {
    let scope: Scope;
    let engine: ServerEngine;
    let session: Session;
    let server: Server;
    beforeAll(async () => {
      scope = openScope();
      engine = await variant.start(scope);
      session = await openSession(engine);
      server = await serverOf(session);
      await session.exec(`CREATE USER reader; GRANT SELECT ON *.* TO reader`);
    }, 120_000);
    afterAll(async () => {
      await session?.close();
      await scope?.close();
    });

    const untilClosed = (limit: number) =>
      expect.poll(() => streams(session), { timeout: limit, interval: 20 }).toBe(0);

    test('closed by us: the server sends it no more, and nothing of it is left', async () => {
      const before = handles();
      const log = await follow(engine.url, server);
      expect(await streams(session)).toBe(1);
      log.stream.close();
      log.stream.close();
      await untilClosed(2000);
      expect(log.causes).toEqual([]);
      await backTo(before, handles);
    });

    test('of another server than before: it is not read, since its positions say nothing', async () => {
      const log = identityIn(await session.query(identity));
      (await follow(engine.url, server, log)).stream.close();
      const other = log.replace(/"port","\d+"/, '"port","1"');
      await expect(follow(engine.url, server, other)).rejects.toThrow('it is the log of another server');
      await untilClosed(2000);
    });

    test('cut, or silent for three seconds; an idle one goes on', async () => {
      const tap = await openTap(engine.url);
      const [idle, cut] = [await follow(engine.url, server), await follow(tap.url, server)];
      tap.cut();
      await expect.poll(() => cut.causes.length).toBe(1);
      const silent = await follow(tap.url, server);
      const since = performance.now();
      tap.freeze();
      await expect.poll(() => silent.causes.length, { timeout: 6000 }).toBe(1);
      expect(performance.now() - since).toBeGreaterThan(2900);
      expect(performance.now() - since).toBeLessThan(5500);
      tap.close();
      expect(idle.causes).toEqual([]);
      await session.exec('FLUSH PRIVILEGES');
      await expect.poll(() => idle.transactions.length).toBe(1);
      idle.stream.close();
      await untilClosed(2000);
    });

    test('ended by the server: its thread is killed, or it is stopped', async () => {
      const log = await follow(engine.url, server);
      const thread = (await session.query('SHOW PROCESSLIST')).find((row) => row[4]?.startsWith('Binlog Dump'));
      await session.exec(`KILL ${thread?.[0]}`);
      await expect.poll(() => log.causes.length, { timeout: 3000 }).toBe(1);
      const other = await follow(engine.url, server);
      const again = await scope.stop(Number(new URL(engine.url).port), 'SIGTERM');
      await expect.poll(() => other.causes.length).toBe(1);
      await again();
      await session.close().catch(() => undefined);
      session = await openSession(engine);
      const last = await follow(engine.url, server);
      await session.exec('FLUSH PRIVILEGES');
      await expect.poll(() => last.transactions.length).toBe(1);
      expect(last.transactions[0]?.end).toBeGreaterThan(log.stream.start.start);
      last.stream.close();
    });

    test('never begun: without rights, and with a log that is gone', async () => {
      const url = new URL(engine.url);
      url.username = 'reader';
      await expect(follow(url.href, server)).rejects.toMatchObject({ errno: 1227 });
      url.port = '1';
      await expect(follow(url.href, server)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await untilClosed(2000);
    });
  },
);
