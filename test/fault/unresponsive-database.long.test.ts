import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Deaf, openUnresponsivePort } from '../support/deaf.ts';
import { fetched } from '../support/fetched.ts';
import { entry, startGateway, type TestGateway, token } from '../support/gateway.ts';
import { backTo, handles, onServer } from '../support/leaks.ts';
import { post } from '../support/post.ts';
import { freshDatabase, onePerDriver, openSession, type ServerDatabase } from '../support/servers/engines.ts';
import type { Session } from '../support/servers/sessions.ts';
import { openTap, type Tap } from '../support/tap.ts';

const rows = Array.from({ length: 300 }, (_, i) => `(${i})`).join(', ');
const ddl = `CREATE TABLE t (k int PRIMARY KEY); INSERT INTO t VALUES ${rows};
  CREATE TABLE stubborn (k int PRIMARY KEY);
  CREATE VIEW never AS SELECT a.k AS a, b.k AS b FROM t a, t b, t c, t d WHERE a.k * b.k + c.k * d.k = -1;`;

/** A trigger that ignores both the server's own timeout and the gateway's cancellation, and runs for another second. */
const stubborn = `CREATE FUNCTION resist() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    FOR nth IN 1..2 LOOP
      BEGIN PERFORM pg_sleep(10); EXCEPTION WHEN query_canceled THEN NULL; END;
    END LOOP;
    PERFORM pg_sleep(1);
    RETURN NEW;
  END $$;
  CREATE TRIGGER resists BEFORE INSERT ON stubborn FOR EACH ROW EXECUTE FUNCTION resist();`;

// Without PGlite, which has no network. One engine for each driver, because only the driver matters.
const engines = onePerDriver();

describe.runIf(engines.length > 0).each(engines.map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    let database: ServerDatabase;
    let other: ServerDatabase;
    let tap: Tap;
    let deaf: Deaf | null = null;
    let gateway: TestGateway;
    let admin: Session;
    let before: number;
    beforeAll(async () => {
      [database, other] = await Promise.all([freshDatabase(engine), freshDatabase(engine)]);
      await database.exec(ddl);
      await other.exec(ddl);
      if (engine.client === 'mysql') await database.exec('USE mysql');
      else await database.exec(stubborn);
      admin = await openSession(engine);
      tap = await openTap(database.url);
      const bounds = { statementTimeout: '600ms', pool: { max: 3, acquireTimeout: '300ms' } };
      gateway = await startGateway({
        databases: {
          db: { ...entry(database), connection: tap.url, ...bounds },
          other: { ...entry(other), ...bounds },
        },
        resources: {
          t: { database: 'db', table: 't' },
          never: { database: 'db', table: 'never' },
          stubborn: { database: 'db', table: 'stubborn', access: { read: 'token', write: 'token' } },
          other: { database: 'other', table: 't' },
        },
      });
      // Fill all pools.
      await Promise.all(Array.from({ length: 40 }, (_, nth) => call(nth % 2 === 0 ? 't' : 'other')));
      await isFull();
      before = handles();
    });
    afterEach(async () => {
      await backTo(before, handles);
      await expect.poll(async () => (await gatewaySessions()).busy, { timeout: 5000 }).toBe(0);
      // The last session may still be closing.
      await expect.poll(async () => (await gatewaySessions()).sessions, { timeout: 5000 }).toBeLessThanOrEqual(3);
    });
    afterAll(async () => {
      await gateway?.close();
      await deaf?.close();
      tap?.close();
      await admin?.close();
      await Promise.all([database?.drop(), other?.drop()]);
    });

    const gatewaySessions = () => onServer(admin, engine.client, new URL(database.url).pathname.slice(1));
    const call = async (resource: string) => {
      const started = performance.now();
      const url = `${gateway.url}/api/action/datastore_search?resource_id=${resource}&limit=1`;
      // A connection per call, so that the remaining sockets are those to the database.
      const { status, body, headers } = await fetched(url, { Connection: 'close' });
      const milliseconds = performance.now() - started;
      return { status, error: JSON.parse(body.toString()).error, retryAfter: headers['retry-after'], milliseconds };
    };
    /** A pool opens another session only when the others are busy, so a few rounds of calls may be needed. */
    const isFull = () =>
      vi.waitFor(
        async () => {
          await Promise.all(Array.from({ length: 20 }, () => call('t')));
          expect((await gatewaySessions()).sessions).toBe(3);
        },
        { timeout: 10_000, interval: 20 },
      );
    const works = async () => expect((await call('t')).status).toBe(200);
    const away = { __type: 'Service Unavailable', message: 'the database cannot be reached, try again' };
    /** Repeats the call until it gets a 503 at once. */
    const isGivenUp = () =>
      expect
        .poll(
          async () => {
            const { status, milliseconds } = await call('t');
            return status === 503 && milliseconds < 100;
          },
          { timeout: 10_000, interval: 50 },
        )
        .toBe(true);
    /** The gateway must serve again within two seconds, and from then on every call. */
    const isBack = async () => {
      const since = performance.now();
      await expect.poll(async () => (await call('t')).status, { timeout: 5000, interval: 20 }).toBe(200);
      expect(performance.now() - since).toBeLessThan(2000);
      expect((await Promise.all(Array.from({ length: 6 }, () => call('t')))).map(({ status }) => status)).toEqual(
        Array(6).fill(200),
      );
    };
    const news = () =>
      gateway.events.flatMap((event) =>
        event.on === 'database lost' || event.on === 'database reached' ? [`${event.on} ${event.database}`] : [],
      );

    test.each([
      [
        'refuses connections',
        () => {
          tap.refuse();
          tap.cut();
        },
        () => tap.accept(),
      ],
      [
        'is switched off, and comes back as another',
        async () => {
          tap.freeze();
          tap.refuse();
          deaf = await openUnresponsivePort(Number(new URL(tap.url).port));
        },
        async () => {
          await deaf?.close();
          tap.cut();
          tap.thaw();
          await tap.accept();
        },
      ],
    ])(
      'a database that %s is soon waited for no longer, costs others nothing, and is found again',
      async (_case, goes, returns) => {
        const newsBefore = news().length;
        await goes();
        const answers = await Promise.all(Array.from({ length: 20 }, () => call('t')));
        for (const { status, error, retryAfter } of answers) {
          expect([status, error]).toEqual([503, { ...away, message: expect.stringMatching(/cannot be reached|busy/) }]);
          expect(retryAfter).toMatch(/^\d+$/);
        }
        await isGivenUp();
        const many = await Promise.all(Array.from({ length: 50 }, () => call('t')));
        expect(many.filter(({ status, error }) => status !== 503 || error.message !== away.message)).toEqual([]);
        for (const resource of ['t', 'other', 't', 'other', 't', 'other']) {
          const { status, milliseconds } = await call(resource);
          expect(status).toBe(resource === 't' ? 503 : 200);
          // Far shorter than any timeout.
          expect(milliseconds).toBeLessThan(500);
        }
        // If the port refuses connections, calls fail quickly on their own. For a second after a probe, none of them starts another one.
        const heardWithCalls = async () => {
          await call('t');
          return news().slice(newsBefore);
        };
        await expect.poll(heardWithCalls).toEqual(['database lost db']);
        await returns();
        await isBack();
        // "Reached" is logged again if the catalogue has changed: other tests create tables on the same server.
        const heard = news().slice(newsBefore);
        expect(heard.filter((text, nth) => text !== heard[nth - 1])).toEqual([
          'database lost db',
          'database reached db',
        ]);
      },
    );

    test('a connection that is cut in the middle of a query is a 503, and the next call works', async () => {
      const slowCall = call('never');
      await expect.poll(async () => (await gatewaySessions()).busy, { timeout: 5000, interval: 20 }).toBe(1);
      tap.cut();
      expect(await slowCall).toMatchObject({ status: 503, error: away });
      await isBack();
    });

    test('idle connections that die are noticed before they are used', async () => {
      await Promise.all([call('t'), call('t'), call('t')]);
      tap.cut();
      await sleep(50);
      expect((await Promise.all([call('t'), call('t'), call('t')])).map(({ status }) => status)).toEqual([
        200, 200, 200,
      ]);
    });

    test('a database that is only slow is not taken for one that is away', async () => {
      // Opening a session takes several round trips: with this delay the call would time out.
      await isFull();
      const newsBefore = news().length;
      tap.delay(100);
      const answers = await Promise.all([call('t'), call('t'), call('t')]);
      tap.delay(0);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const busy = [call('never'), call('never'), call('never')];
      await sleep(50);
      expect(await call('t')).toMatchObject({ status: 503, error: { message: 'the database is busy, try again' } });
      for (const answer of await Promise.all(busy)) expect(answer.status).toBe(409);
      await works();
      expect(news().slice(newsBefore)).not.toContain('database lost db');
    });

    test.runIf(engine.client === 'postgres')('nor is one that still works on a write that was ended', async () => {
      const newsBefore = news().length;
      const sent = { resource_id: 'stubborn', method: 'insert', records: [{ k: 1 }] };
      const headers = { 'Content-Type': 'application/json', Authorization: token };
      const url = `${gateway.url}/api/action/datastore_upsert`;
      const answer = await post(new Agent(), url, headers, JSON.stringify(sent));
      expect([answer.status, JSON.parse(answer.text).error.query]).toEqual([409, ['Query took too long']]);
      await works();
      expect(news().slice(newsBefore)).not.toContain('database lost db');
    });
  },
);
