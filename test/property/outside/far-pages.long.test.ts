/** Pages far behind the first record, while others write: each is a page of one state of the table, whatever position it began at. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { randomFrom } from '../../support/random-from.ts';
import { byName, freshDatabase, openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { startMariadb } from '../../support/servers/mariadb.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { openTap, type Tap } from '../../support/tap.ts';

/** Servers that no other test file writes to: no position would outlive its commits. */
const start = { postgres: startPostgres, mariadb: startMariadb };
const isAlone = (name: string): name is keyof typeof start => Object.hasOwn(start, name);
const alone = byName(servers().filter(({ name }) => isAlone(name)));

const size = 13_000;
/** Pages that began at a position, and commits. */
const enough = Number(process.env.SOAK_OPERATIONS ?? 3000) / 100;

describe.runIf(alone.length > 0).each(alone)('on %s', (name, engine) => {
  const random = randomFrom(20_261_123);
  const below = (most: number) => Math.floor(random() * most);
  let scope: Scope;
  let database: ServerDatabase;
  let tap: Tap;
  let gateway: TestGateway;
  /** The pages that began at a position. */
  let moved = 0;
  /** What clients have sent last. */
  let said = '';
  const open = (maxStaleness: string) =>
    startGateway({
      databases: { db: { client: database.client, connection: tap.url, maxStaleness } },
      resources: {
        t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } },
        u: { database: 'db', table: 'u', access: { read: 'public' } },
      },
      cache: { ttl: '1h' },
    });
  beforeAll(async () => {
    scope = openScope();
    database = await freshDatabase({ ...engine, url: isAlone(name) ? await start[name](scope, thisMachine()) : '' });
    const rows = Array.from({ length: size }, (_, nth) => `(${2 * nth})`).join(', ');
    // The digits of a key are more than a JavaScript number has.
    const pairs = Array.from(
      { length: 11_000 },
      (_, nth) => `(${(nth % 4) - 1}, 9007199254740993 + ${nth}, 'Ä ${nth}')`,
    );
    await database.exec(
      `CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES ${rows};
       CREATE TABLE u (a int, b bigint, name varchar(20), PRIMARY KEY (a, b)); INSERT INTO u VALUES ${pairs.join(', ')}`,
    );
    tap = await openTap(database.url);
    tap.watch((bytes) => {
      said = bytes.toString('latin1');
      if (/where ["`]?(id|a|b)["`]? [<>]/i.test(said)) moved++;
      return 'pass';
    });
    gateway = await open('2s');
  });
  afterAll(async () => {
    await gateway?.close();
    tap?.close();
    await database?.drop();
    await scope?.close();
  });

  const page = async (offset: number, limit: number) => {
    const { status, text } = await gateway.call('datastore_search', {
      ...{ resource_id: 't', fields: 'id', records_format: 'lists', include_total: false, offset, limit },
    });
    expect(status).toBe(200);
    const records: readonly (readonly number[])[] = JSON.parse(text).result.records;
    return records.map(([id]) => id ?? Number.NaN);
  };

  test(
    'each page is one of a state between its request and its answer',
    async () => {
      const states: (readonly number[])[] = [
        (await database.query('SELECT id FROM t ORDER BY id')).map(([id]) => Number(id)),
      ];
      let committed = 0;
      let isOver = false;
      const write = async (through: (sql: string, id: number, isNew: boolean) => Promise<unknown>, low: boolean) => {
        const now = states[committed] ?? [];
        const at = low ? below(9000) : 9990 + below(now.length - 9990);
        const id = now[at] ?? 0;
        const isNew = random() < 0.5 && now[at + 1] !== id + 1;
        states.push(isNew ? now.toSpliced(at + 1, 0, id + 1) : now.toSpliced(at, 1));
        const sql = isNew ? `INSERT INTO t VALUES (${id + 1})` : `DELETE FROM t WHERE id = ${id}`;
        await through(sql, isNew ? id + 1 : id, isNew);
        committed++;
      };
      const writing = (async () => {
        const session = await openSession(database);
        const bySession = (sql: string) => session.exec(sql);
        const byGateway = (_: string, id: number, isNew: boolean) =>
          isNew
            ? gateway.result('datastore_upsert', { resource_id: 't', method: 'insert', records: [{ id }] })
            : gateway.result('datastore_records_delete', { resource_id: 't', filters: { id } });
        while (!isOver) {
          // One moves the page, the next one changes it.
          for (const low of [true, false]) await write(random() < 0.7 ? bySession : byGateway, low);
          await sleep(random() < 0.7 ? below(20) : 100 + below(400));
        }
        await session.close();
      })();
      const wrong: string[] = [];
      try {
        // A checker that meets nothing finds nothing.
        while (wrong.length === 0 && (moved < enough || committed < enough)) {
          const [offset, limit] = [10_000 + below(size - 10_000), 1 + below(200)];
          const first = committed;
          const found = (await page(offset, limit)).join();
          const possible = states.slice(first).map((ids) => ids.slice(offset, offset + limit).join());
          if (!possible.includes(found))
            wrong.push(`${offset}, ${limit}: ${found.slice(0, 60)}, not ${possible[0]?.slice(0, 60)}`);
        }
      } finally {
        isOver = true;
        await writing;
      }
      expect(wrong).toEqual([]);
    },
    60_000 + enough * 200,
  );

  /** Opens a gateway without positions, and waits for longer than a token may be early. */
  const settle = async () => {
    await gateway.close();
    gateway = await open('50ms');
    for (let nth = 1; nth < 10; nth++, await sleep(60)) await page(0, nth);
    moved = 0;
  };

  test('it is the page of the whole order, by keys of several columns in either direction', async () => {
    await settle();
    const formats = {
      objects: (names: readonly unknown[]) => names.map((name) => ({ name })),
      lists: (names: readonly unknown[]) => names.map((name) => [name]),
      csv: (names: readonly unknown[]) => names.map((name) => `${name}\n`).join(''),
    };
    for (const sort of ['a, b', 'a desc, b desc', 'b, a desc']) {
      const order = (await database.query(`SELECT name FROM u ORDER BY ${sort}`)).map(([name]) => name);
      for (const [records_format, formatted] of Object.entries(formats))
        for (const [offset, limit] of [
          [10_000, 7],
          [10_007, 5],
          [10_100, 30],
          [10_999, 10],
          [20_000, 1],
        ] as const) {
          const asked = { resource_id: 'u', fields: 'name', records_format, sort, offset, limit };
          const { records, total } = JSON.parse((await gateway.call('datastore_search', asked)).text).result;
          const expected = formatted(order.slice(offset, offset + limit));
          expect([asked, records, total]).toEqual([asked, expected, order.length]);
        }
    }
    expect(moved).toBeGreaterThan(6);
  });

  /** Reads a page that begins at a position. MariaDB itself writes now and then, to its statistics. */
  const move = async () => {
    for (let nth = 1; moved === 0 && nth < 30; nth++, await sleep(60)) {
      await page(10_000, 50 + nth);
      await page(10_100, nth);
    }
    expect(moved).toBe(1);
  };

  test('where a position takes longer than the walk, the server walks', async () => {
    const [lock, unlock] =
      database.client === 'mysql' ? ['LOCK TABLES t WRITE', 'UNLOCK TABLES'] : ['BEGIN; LOCK t', 'END'];
    await settle();
    await move();
    const session = await openSession(database);
    try {
      await session.exec(lock);
      const found = page(10_110, 5);
      await expect.poll(() => said, { timeout: 10_000 }).toMatch(/offset 10110\b/i);
      expect(moved).toBe(2);
      await session.exec(unlock);
      expect(await found).toEqual(
        (await database.query('SELECT id FROM t ORDER BY id LIMIT 5 OFFSET 10110')).flat().map(Number),
      );
    } finally {
      await session.close();
    }
  });

  test('a page begins at the nearest position, and only where a token proves it', async () => {
    await settle();
    await page(10_000, 50);
    await page(10_010, 5);
    expect(moved).toBe(0);
    await move();
    await gateway.close();
    gateway = await open('none');
    for (const offset of [10_000, 10_100]) await page(offset, 50);
    expect(moved).toBe(1);
  });
});
