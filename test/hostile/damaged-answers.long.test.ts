/** Server answers with random damage: every statement must end with a result or an error, without any other effect. */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Database } from '../../src/execute/connection/database.ts';
import * as drivers from '../../src/execute/drivers/index.ts';
import type { Type } from '../../src/model/table.ts';
import * as formats from '../../src/reply/formats/index.ts';
import { objects } from '../../src/reply/formats/objects.ts';
import { encoder } from '../../src/values/encode.ts';
import { Random } from '../support/random.ts';
import { type Dialogue, openRecorder, openReplay } from '../support/replay.ts';
import {
  byName,
  fewServers,
  freshDatabase,
  type ServerDatabase,
  type ServerEngine,
} from '../support/servers/engines.ts';
import { damaged, mysqlHeads, postgresHeads } from './damage.ts';

const cases = Math.ceil(Number(process.env.FUZZ_CASES ?? 2000) / 40);
const chance = process.env.FUZZ_CASES === undefined ? 7 : Math.floor(Math.random() * 2 ** 31);
const seed = Number(process.env.FUZZ_SEED ?? chance);
/** Maximum duration of a case in milliseconds. A longer one hangs, and only the server could end it. */
const maxCaseMs = 3000;
/** Milliseconds after which the replayed server disconnects a client that waits for more. */
const idleTimeoutMs = 60;

const int: Type = { kind: 'int', wire: 'int4', min: -(2n ** 31n), max: 2n ** 31n - 1n };
const types: readonly Type[] = [
  int,
  { kind: 'text', length: null, padded: false, nul: false },
  { kind: 'timestamp', digits: 6, zoned: false, infinite: true },
  { kind: 'float', bits: 64, nan: true },
  { kind: 'array', of: int },
];
const encoders = types.map(encoder);
const fields = types.map((_, nth) => ({ id: `c${nth}`, type: 'text' }));

const tables = {
  postgres: `CREATE TABLE t (a int, b text, c timestamp, d float8, e int[]);
    INSERT INTO t SELECT i, repeat('x', i * i * 20), '2020-01-02 03:04:05.5', i / 3.0, ARRAY[i, NULL] FROM generate_series(1, 40) i;
    UPDATE t SET b = NULL WHERE a % 7 = 0;`,
  mysql: `CREATE TABLE t (a int, b mediumtext, c datetime(6), d double, e varchar(20));
    INSERT INTO t SELECT i, REPEAT('x', i * i * 20), '2020-01-02 03:04:05.5', i / 3.0, CONCAT('{', i, ',NULL}')
      FROM (SELECT a.n + b.n + 1 AS i FROM (SELECT 0 n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) a,
        (SELECT 0 n UNION SELECT 4 UNION SELECT 8 UNION SELECT 12 UNION SELECT 16 UNION SELECT 20 UNION SELECT 24) b) i;
    UPDATE t SET b = NULL WHERE a % 7 = 0;`,
};

const text = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString();
const collected = async <T>(pieces: AsyncIterable<T> | readonly T[]) => {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
};
const endless = () => new AbortController().signal;
const check = { text: 'SELECT a FROM t LIMIT 0', values: [] };

/** The ways in which the gateway uses rows; each has its own reader. */
const uses: Readonly<Record<string, (database: Database, client: 'postgres' | 'mysql') => Promise<unknown>>> = {
  'rows written': (database, client) => {
    const target = objects.jsonRows?.(fields, encoders, (bytes) =>
      client === 'mysql' ? bytes : Buffer.from(bytes).toString(),
    );
    const statement = {
      text: client === 'mysql' ? 'SELECT * FROM t WHERE a > ?' : 'SELECT * FROM t WHERE a > $1',
      values: ['1'],
    };
    return database
      .use((session) => session.run(statement, { into: target, maxBytes: 2_000_000 }))
      .then(() => target?.count);
  },
  'rows read': async (database) => {
    const { cells } = await database.use((session) => session.run({ text: 'SELECT * FROM t', values: [] }));
    return cells.map((row) => row.map((cell, nth) => encoders[nth]?.json(cell))).length;
  },
  'rows streamed': async (database) =>
    (await collected(database.streams?.rows({ text: 'SELECT * FROM t', values: [] }, endless()) ?? [])).flat().length,
  'lines of csv': async (database) => {
    const { streams } = database;
    const lines = formats.csv.lines?.(encoders).lines();
    if (streams === null || lines === undefined) return null;
    if (streams.lines !== null)
      return text(await collected(streams.lines({ text: 'SELECT * FROM t', values: [] }, lines, endless())));
    const copied = await collected(streams.copy?.(check, 'COPY t TO STDOUT (FORMAT csv)', endless()) ?? []);
    return text(copied.map(({ bytes, length }) => bytes.subarray(0, length)));
  },
};

async function open(url: string, client: 'postgres' | 'mysql'): Promise<Database> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = {
    user: username,
    password: password || null,
    database: pathname.slice(1),
    socketPath: null,
    tls: null,
  };
  return new Database({
    ...{ name: 'db', driver: await drivers[client]({ host: hostname, port: Number(port), ...login }) },
    ...{ max: 1, acquireTimeout: 5000, statementTimeout: 5000, replicas: [], aggregates: { max: 1, timeout: 5000 } },
    dumps: { max: 1, timeout: 5000 },
    initSession: async () => undefined,
  });
}

describe.each(byName(fewServers()))('answers of %s', (_, engine: ServerEngine) => {
  const heads = engine.client === 'postgres' ? postgresHeads : mysqlHeads;
  let server: ServerDatabase;
  const thrown: unknown[] = [];
  const onThrown = (error: unknown) => thrown.push(error);
  beforeAll(async () => {
    server = await freshDatabase(engine);
    await server.exec(tables[engine.client]);
    process.on('uncaughtException', onThrown);
    // mysql2 prints messages that it does not understand.
    for (const print of ['error', 'trace'] as const) vi.spyOn(console, print).mockImplementation(() => undefined);
  });
  afterAll(async () => {
    process.off('uncaughtException', onThrown);
    vi.restoreAllMocks();
    await server?.drop();
  });

  /** The outcome of one use of a replayed server; `null` if it does not end in time. */
  async function outcome(dialogue: Dialogue, use: (typeof uses)[string], random: Random, patience: number) {
    const cut = (bytes: Buffer): readonly Buffer[] => {
      const size = random.from(1, 20_000);
      return Array.from({ length: Math.ceil(bytes.length / size) }, (_, nth) =>
        bytes.subarray(nth * size, (nth + 1) * size),
      );
    };
    const replay = await openReplay(server.url, dialogue, patience, cut);
    const database = await open(replay.url, engine.client);
    try {
      const used = use(database, engine.client).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      );
      return await Promise.race([used, sleep(patience * 10 + maxCaseMs, null, { ref: false })]);
    } finally {
      replay.close();
      await database.close();
    }
  }

  test.each(Object.entries(uses))('%s', { timeout: 3_600_000 }, async (name, use) => {
    const recorder = await openRecorder(server.url);
    const recorded = await open(recorder.url, engine.client);
    const whole = await use(recorded, engine.client);
    const dialogue = recorder.dialogue();
    await recorded.close();
    recorder.close();
    expect(await outcome(dialogue, use, new Random(1), 5000)).toEqual({ answer: whole });

    let [answers, errors] = [0, 0];
    for (let nth = 0; nth < cases; nth++) {
      const one = (seed + nth) | 0;
      // If a reader never returns, this line is the only way to learn the seed of the case.
      if (process.env.FUZZ_CASES !== undefined) writeSync(2, `\r${engine.name}, ${name}: FUZZ_SEED=${one}  `);
      const random = new Random(one);
      const began = performance.now();
      const ended = await outcome(damaged(dialogue, heads, random), use, random, idleTimeoutMs);
      expect([one, ended, thrown]).toEqual([one, expect.anything(), []]);
      expect([one, performance.now() - began]).toEqual([one, expect.toSatisfy((ms) => ms < maxCaseMs + idleTimeoutMs)]);
      if (ended !== null && 'answer' in ended) answers++;
      else errors++;
    }
    // Some damage is in bytes that nobody reads, or in values, so there are successes as well.
    expect(Math.min(answers, errors)).toBeGreaterThan(0);
  });
});
