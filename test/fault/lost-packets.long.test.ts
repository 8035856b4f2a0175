/** The network drops packets without any error: a missing answer must not be reported as a statement that takes too long. */
import { describe, onTestFinished, test } from 'vitest';
import { fetched } from '../support/fetched.ts';
import { entry, startGateway } from '../support/gateway.ts';
import { freshDatabase, onePerDriver, openSession } from '../support/servers/engines.ts';
import { openTap, type Tap } from '../support/tap.ts';

/** Finds the other sessions of the same database, and kills one. */
const sessions = {
  postgres: {
    others: 'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    end: (id: string | null) => `SELECT pg_terminate_backend(${id})`,
  },
  mysql: {
    others: 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> connection_id()',
    end: (id: string | null) => `KILL ${id}`,
  },
};

const value = 'that-is-in-the-answer';
/** Longer than the gateway's timeout, in milliseconds. */
const lost = 8000;

interface Lost {
  /** @param endSessions kills the gateway's sessions on the server */
  lose(tap: Tap, endSessions: () => Promise<void>): void;
  readonly pool?: Record<string, unknown>;
}

const cases: Readonly<Record<string, Lost>> = {
  everything: { lose: (tap) => tap.freeze() },
  'a statement': {
    lose: (tap) => tap.watch((bytes) => (bytes.includes('lost') ? { holdFor: lost } : 'pass')),
  },
  'an answer': {
    lose: (tap) =>
      tap.watch(
        () => 'pass',
        (bytes) => (bytes.includes(value) ? lost : 0),
      ),
  },
  'an answer, and that the session has ended': {
    lose: (tap, endSessions) =>
      tap.watch(
        () => 'pass',
        (bytes) => {
          if (!bytes.includes(value)) return 0;
          void endSessions();
          return lost;
        },
      ),
  },
  'what a new session is told': {
    lose: (tap) => {
      tap.cut();
      tap.watch((bytes) => (/\bset\b/i.test(bytes.toString('latin1')) ? { holdFor: lost } : 'pass'));
    },
    pool: { acquireTimeout: '7s' },
  },
};

const engines = onePerDriver();

describe.runIf(engines.length > 0).each(engines.map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    test.concurrent.for(Object.entries(cases))(
      'a read is a 503 where the network loses %s',
      { timeout: 60_000 },
      async ([, { lose, pool }], { expect }) => {
        const database = await freshDatabase(engine);
        await database.exec(`CREATE TABLE lost (k int PRIMARY KEY, v varchar(40))`);
        await database.exec(`INSERT INTO lost VALUES (1, '${value}')`);
        const tap = await openTap(database.url);
        const gateway = await startGateway({
          databases: { db: { ...entry(database), connection: tap.url, statementTimeout: '500ms', pool } },
          resources: { r: { database: 'db', table: 'lost' } },
          cache: { ttl: 0 },
        });
        const admin = await openSession({ ...engine, url: database.url });
        onTestFinished(async () => {
          tap.close();
          await gateway.close();
          await admin.close();
          await database.drop();
        });
        const read = async (sort: string) => {
          const { status, headers } = await fetched(
            `${gateway.url}/api/action/datastore_search?resource_id=r&sort=${sort}`,
          );
          return [status, headers['retry-after']];
        };
        expect(await read('v')).toEqual([200, undefined]);
        const { others, end } = sessions[engine.client];
        lose(tap, async () => {
          for (const [id = null] of await admin.query(others)) await admin.exec(end(id));
        });
        expect(await read('k')).toEqual([503, expect.stringMatching(/^\d+$/)]);
      },
    );
  },
);
