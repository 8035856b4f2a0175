/**
 * A client that reads a resource only after a notice about it. Meanwhile connections are cut, the configuration is reloaded, the gateway restarts,
 * and other clients write to the database. In the end the client must know the current state of every resource.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EventStream, subscribe } from '../../support/event-stream.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { Random } from '../../support/random.ts';
import { byName, engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const tables = ['a', 'b', 'c'];
/** The gateway restarts after every fourth round. */
const rounds = process.env.SOAK_OPERATIONS === undefined ? 5 : 12;
/** A client that remembers the last number it has read from each table. */
class Reader {
  readonly known = new Map<string, number>();
  readonly #url: () => string;
  readonly #changed = new Set<string>();
  #stream: EventStream | null = null;
  #taken = 0;
  #lastId = '';

  constructor(url: () => string) {
    this.#url = url;
  }

  /** Cuts its connection. */
  cut(): void {
    this.#stream?.close();
  }

  /** Processes new notices, reads what has changed, and reconnects if necessary. */
  async step(): Promise<void> {
    for (const { id, resource } of this.#stream?.changes.slice(this.#taken) ?? []) {
      this.#taken++;
      this.#lastId = id;
      this.#changed.add(resource);
    }
    for (const resource of [...this.#changed]) {
      this.#changed.delete(resource);
      const n = await this.#read(resource).catch(() => null);
      if (n === null) this.#changed.add(resource);
      else this.known.set(resource, n);
    }
    if (this.#stream !== null && !this.#stream.isEnded()) return;
    const query = tables.map((table) => `resource_id=${table}`).join('&');
    this.#stream = await subscribe(this.#url(), query, { 'Last-Event-ID': this.#lastId }).catch(() => null);
    this.#taken = 0;
  }

  async #read(resource: string): Promise<number | null> {
    const response = await fetch(`${this.#url()}/api/3/action/datastore_search?resource_id=${resource}`);
    const { result }: { result?: { records: { n: number }[] } } = JSON.parse(await response.text());
    return result?.records[0]?.n ?? null;
  }
}

/** MySQL 5.6 without a binary log has no commit marker. */
const tested = engines().filter(({ name }) => name !== 'mysql56');

describe.each(byName(tested))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  const written = new Map(tables.map((table) => [table, 0]));
  const seed = Number(process.env.FUZZ_SEED ?? Date.now());
  const random = new Random(seed);

  const configuration = () => ({
    databases: { db: { ...entry(database), ...(engine.client === 'pglite' ? {} : { maxStaleness: '50ms' }) } },
    resources: Object.fromEntries(
      tables.map((table) => [table, { database: 'db', table, access: { read: 'public', write: 'token' } }]),
    ),
    cache: { ttl: '1h' },
    server: { secret: 'one secret for all of the gateways of this test' },
  });

  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const table of tables)
      await database.exec(
        `CREATE TABLE ${table} (id integer PRIMARY KEY, n integer); INSERT INTO ${table} VALUES (1, 0);`,
      );
    gateway = await startGateway(configuration());
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  /** @param outside the share of writes that go directly to the database */
  async function write(outside: number): Promise<void> {
    const table = random.one(tables);
    const n = (written.get(table) ?? 0) + 1;
    written.set(table, n);
    // PGlite runs in the gateway's process, so nobody else can write.
    if (engine.client === 'pglite' || !random.isIn(outside))
      await gateway.result('datastore_upsert', { resource_id: table, records: [{ id: 1, n }] });
    else await database.exec(`UPDATE ${table} SET n = ${n}`);
  }

  test('a reader misses no change', { timeout: 120_000 }, async () => {
    const readers = Array.from({ length: 3 }, () => new Reader(() => gateway.url));
    let isOver = false;
    const running = readers.map(async (reader) => {
      for (; !isOver; await sleep(3)) await reader.step();
    });
    const lastRead = () => readers.map((reader) => Object.fromEntries(reader.known));
    const agree = () =>
      expect
        .poll(lastRead, { timeout: 20_000, message: `FUZZ_SEED=${seed}` })
        .toEqual(readers.map(() => Object.fromEntries(written)));
    try {
      for (let round = 0; round < rounds; round++) {
        for (let i = 0; i < 12; i++) {
          if (random.isIn(0.6)) await write(0.5);
          if (random.isIn(0.3)) random.one(readers).cut();
          if (random.isIn(0.05)) expect(await gateway.reload(configuration())).toEqual([]);
          await sleep(random.from(0, 40));
        }
        if (round % 4 === 3) {
          await gateway.close();
          gateway = await startGateway(configuration());
        }
        await agree();
        // At this moment no request makes the gateway query the database.
        await write(1);
        await agree();
      }
    } finally {
      isOver = true;
      await Promise.all(running);
      for (const reader of readers) reader.cut();
    }
  });
});
