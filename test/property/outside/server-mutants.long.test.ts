/** Bugs that only show on certain kinds of servers, or in certain states of a server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startGateway } from '../../support/gateway.ts';
import { freshDatabase } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { check, untilLogIsRead } from './check.ts';
import { failOver } from './failover.ts';
import { checkHeld } from './held.ts';
import { commitMiddle, startReplicated } from './standby.ts';
import { variants } from './variants.ts';

/** Which part is currently broken. */
const broken = vi.hoisted(() => {
  // Test files share a process, so a module that we break must be loaded again here, and dropped afterwards.
  vi.resetModules();
  return { by: 'nothing' };
});
afterAll(() => {
  vi.resetModules();
});

vi.mock('../../../src/cache/freshness.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/freshness.ts')>();
  class Freshness extends real.Freshness {
    constructor(...[counter, generations, options]: ConstructorParameters<typeof real.Freshness>) {
      super(counter, generations, {
        ...options,
        async sampleMarker() {
          const sample = await options.sampleMarker();
          return broken.by === 'another session counts as the same one' ? { ...sample, session: 1 } : sample;
        },
      });
    }
  }
  return { ...real, Freshness };
});

vi.mock('../../../src/changes/log/window.ts', async (original) => {
  const real = await original<typeof import('../../../src/changes/log/window.ts')>();
  class LogWindow extends real.LogWindow {
    override answer(question: Parameters<InstanceType<typeof real.LogWindow>['answer']>[0]) {
      const answer = super.answer(question);
      return broken.by === 'a log that is late names nothing' && answer === 'late' ? [] : answer;
    }
  }
  return { ...real, LogWindow };
});

vi.mock('../../../src/execute/drivers/postgres/log-messages.ts', async (original) => {
  const real = await original<typeof import('../../../src/execute/drivers/postgres/log-messages.ts')>();
  class LogMessages extends real.LogMessages {
    constructor(...[text, keep, handler]: ConstructorParameters<typeof real.LogMessages>) {
      const started: typeof handler.started = (connection) => {
        const write = connection.stream.write.bind(connection.stream);
        let first: Buffer | null = null;
        connection.stream.write = (bytes: Buffer) => {
          if (broken.by !== 'positions of the log are confirmed once' || bytes.length !== 39) return write(bytes);
          first ??= Buffer.from(bytes);
          return write(first);
        };
        handler.started(connection);
      };
      super(text, keep, { ...handler, started });
    }
  }
  return { ...real, LogMessages };
});

vi.mock('../../../src/dialects/postgres/commit-markers.ts', async (original) => {
  const real = await original<typeof import('../../../src/dialects/postgres/commit-markers.ts')>();
  const commitMarkers: typeof real.commitMarkers = (server) =>
    real.commitMarkers(server).map((source) => {
      const [statement] = source.statements;
      const text = statement?.text ?? '';
      const mistakes: Record<string, string> = {
        'a commit in the log counts as visible': 'SELECT pg_current_wal_insert_lsn()::text',
        'the token of a standby has no position': text.replace('pg_last_wal_replay_lsn()', 'NULL'),
      };
      return { ...source, statements: [{ text: mistakes[broken.by] ?? text, values: [] }] };
    });
  return { ...real, commitMarkers };
});

const logging = variants().filter(({ hasLog }) => hasLog);
const postgres = logging.find(({ client }) => client === 'postgres');
const mariadb = logging.find(({ name }) => name === 'mariadb with a log');
const isSoak = process.env.SOAK_OPERATIONS !== undefined;

let scope: Scope;
beforeEach(() => {
  broken.by = 'nothing';
  scope = openScope();
});
afterEach(() => scope.close());

describe.skipIf(postgres === undefined)('a proof broken in one place is found out, on PostgreSQL', () => {
  const start = async (how?: 'replicable') => {
    if (postgres === undefined) throw new Error('no server');
    return { variant: postgres, engine: await postgres.start(scope, how) };
  };

  test('a log that is late names nothing', async () => {
    const { engine } = await start();
    broken.by = 'a log that is late names nothing';
    const { stale } = await check(engine, { maxStaleness: '50ms', reads: 20_000, hasLog: true });
    expect(stale).not.toEqual([]);
  }, 60_000);

  test('a commit in the log counts as visible', async () => {
    const { engine, variant } = await start('replicable');
    broken.by = 'a commit in the log counts as visible';
    const { wrong } = await checkHeld(engine, { ...variant, hasLog: false }, 1);
    expect(wrong).toContainEqual(expect.stringContaining('some time after'));
  }, 60_000);

  test('the token of a standby has no position', async () => {
    const replicated = await startReplicated(scope);
    if (replicated === null) throw new Error('no server');
    broken.by = 'the token of a standby has no position';
    const [shown, is] = await commitMiddle(replicated);
    expect(shown).not.toBe(is);
  }, 60_000);

  test.runIf(isSoak)(
    'positions of the log are confirmed once',
    async () => {
      const { engine } = await start();
      const database = await freshDatabase(engine);
      await database.exec('CREATE TABLE r (id integer PRIMARY KEY); CREATE TABLE bulk (id integer, n integer)');
      await database.exec('INSERT INTO bulk VALUES (1, 1)');
      broken.by = 'positions of the log are confirmed once';
      const gateway = await startGateway({
        databases: { db: { client: 'postgres', connection: database.url, maxStaleness: '50ms' } },
        resources: { r: { database: 'db', table: 'r', access: { read: 'public' } } },
        cache: { ttl: '1h' },
      });
      let hasStopped = false;
      await untilLogIsRead(gateway.url, database);
      const stopped = scope.stop(Number(new URL(engine.url).port), 'SIGINT').then(() => (hasStopped = true));
      await sleep(5000);
      expect(hasStopped).toBe(false);
      await gateway.close();
      await stopped;
    },
    60_000,
  );
});

test.skipIf(mariadb === undefined)(
  'another session counts as the same one, on MariaDB',
  async () => {
    if (mariadb === undefined) return;
    const other = openScope();
    try {
      const pair = [await mariadb.start(scope), await mariadb.start(other)] as const;
      broken.by = 'another session counts as the same one';
      const [shown, is] = await failOver(pair);
      expect(shown).not.toBe(is);
    } finally {
      await other.close();
    }
  },
  60_000,
);
