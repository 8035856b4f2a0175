/** What `pg_walinspect` names, beside what has changed: random statements in several sessions, and questions between them. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../../src/model/rows.ts';
import type { Memory, TokenLog, TokenSource } from '../../../src/model/token.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { installFeed } from '../../support/queried-feeds.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { variants } from './variants.ts';

/** The part that is broken at the moment. */
const broken = vi.hoisted(() => {
  // Files share a process: a module that is broken here must be loaded anew, and be gone after it.
  vi.resetModules();
  return { by: 'nothing' };
});
afterAll(() => {
  vi.resetModules();
});
vi.mock('../../../src/dialects/postgres/wal-marks.ts', async (original) => {
  const real = await original<typeof import('../../../src/dialects/postgres/wal-marks.ts')>();
  const startFor: typeof real.startFor = (ids, marks) =>
    broken.by === 'the log is read from the last question on'
      ? (marks.at(-1)?.position ?? null)
      : real.startFor(ids, marks);
  const after: typeof real.after = (marks, mark) => {
    const isBroken = broken.by === 'numbers of transactions that run count as not given';
    return real.after(marks, isBroken ? { ...mark, next: String(BigInt(mark.next) - 3n) } : mark);
  };
  return { ...real, startFor, after };
});

const tables = ['t0', 't1', 't2', 'p', 'u'];
const schema = `${['t0', 't1', 't2'].map((name) => `CREATE TABLE ${name} (id integer PRIMARY KEY, n integer, long text)`).join('; ')};
  CREATE TABLE p (id integer, n integer, long text) PARTITION BY RANGE (id); CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (100);
  CREATE UNLOGGED TABLE u (id integer PRIMARY KEY, n integer, long text);
  ${tables.map((name) => `INSERT INTO ${name} SELECT id, 0, '' FROM generate_series(1, 9) id`).join('; ')}`;

/** A step of a session. The rows of one session are its own, so that none waits. */
type Step = readonly [session: number, what: What, table: number];
const whats = [
  'begin',
  'write',
  'copy',
  'save',
  'undo',
  'release',
  'commit',
  'abort',
  'prepare',
  'finish',
  'async',
  'ask',
] as const;
type What = (typeof whats)[number];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.nat(2),
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...whats) },
    { weight: 3, arbitrary: fc.constant<What>('write') },
    { weight: 2, arbitrary: fc.constant<What>('ask') },
  ),
  fc.nat(tables.length - 1),
);

interface Found {
  answered: number;
  unknown: number;
  /** Tables that were named and have not changed. */
  needless: number;
}

const variant = variants().find(({ queried }) => queried === 'wal');

describe.skipIf(variant === undefined)('names from the write-ahead log', () => {
  let scope: Scope;
  let engine: ServerEngine;
  let database: ServerDatabase;
  let opened: Opened;
  beforeAll(async () => {
    scope = openScope();
    if (variant === undefined) return;
    engine = await variant.start(scope);
    database = await freshDatabase(engine);
    await database.exec(schema);
    await installFeed('wal', database, tables);
    opened = await open(database);
  });
  afterAll(async () => {
    await opened?.close();
    await database?.drop();
    await scope.close();
  });
  afterEach(() => {
    broken.by = 'nothing';
  });

  /** Runs the steps; a sentence for each table that has changed and was not named, and how many questions were answered. */
  async function run(steps: readonly Step[], found: Found): Promise<readonly string[]> {
    const source = await opened.token();
    const log = source?.queried.wal;
    if (source === null || log === undefined) throw new Error('not read');
    const asker = new Asker(source, log, opened);
    const sessions = await Promise.all([0, 1, 2].map(() => openSession(database)));
    const state = sessions.map(() => ({ isOpen: false, saves: 0, prepared: false }));
    const missed: string[] = [];
    const contents = async () => {
      const rows = await database.query(
        tables.map((name) => `SELECT '${name}', sum(n), count(*), sum(length(long)) FROM ${name}`).join(' UNION ALL '),
      );
      return new Map(rows.map((row) => [String(row[0]), JSON.stringify(row)]));
    };
    let before = await contents();
    const take = async ([nth, what, at]: Step) => {
      const [session, of, table] = [sessions[nth], state[nth], tables[at]];
      if (session === undefined || of === undefined) return;
      // It would wait for the rows of the prepared one.
      if (of.prepared && what !== 'finish' && what !== 'ask') return;
      if (what === 'ask') {
        const named = await asker.ask();
        const now = await contents();
        if (named === null) found.unknown++;
        else {
          found.answered++;
          found.needless += ['t0', 't1', 't2'].filter(
            (name) => named.includes(name) && now.get(name) === before.get(name),
          ).length;
          for (const name of tables)
            if (
              now.get(name) !== before.get(name) &&
              !named.some((one) => one === name || (name === 'p' && one === 'p1'))
            )
              missed.push(`${name} is not among ${named.join()}`);
        }
        before = now;
      } else if (what === 'write') await session.exec(`UPDATE ${table} SET n = n + 1 WHERE id % 3 = ${nth}`);
      else if (what === 'copy')
        await session.exec(
          `UPDATE ${table} SET long = (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, ${at * 900})) WHERE id % 3 = ${nth}`,
        );
      else if (what === 'begin' && !of.isOpen) {
        await session.exec('BEGIN');
        of.isOpen = true;
      } else if (what === 'async') await session.exec(`SET synchronous_commit = ${at === 0 ? 'off' : 'on'}`);
      else if (what === 'finish' && of.prepared) {
        await session.exec(`COMMIT PREPARED 'x${nth}'`);
        of.prepared = false;
      } else if (of.isOpen) {
        if (what === 'save') await session.exec(`SAVEPOINT s${of.saves++}`);
        else if (what === 'undo' && of.saves > 0) await session.exec(`ROLLBACK TO s${of.saves - 1}`);
        else if (what === 'release' && of.saves > 0) await session.exec(`RELEASE s${--of.saves}`);
        else if (what === 'commit' || what === 'abort' || what === 'prepare') {
          await session.exec(what === 'prepare' ? `PREPARE TRANSACTION 'x${nth}'` : what);
          of.prepared ||= what === 'prepare';
          Object.assign(of, { isOpen: false, saves: 0 });
        }
      }
    };
    try {
      for (const one of steps) await take(one);
    } finally {
      for (const [nth, session] of sessions.entries()) {
        await session.exec('ROLLBACK');
        if (state[nth]?.prepared) await session.exec(`ROLLBACK PREPARED 'x${nth}'`);
        await session.close();
      }
    }
    return missed;
  }

  test('every table that has changed is named', async () => {
    const found = { answered: 0, unknown: 0, needless: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80 }), async (steps) => {
        expect(await run(steps, found)).toEqual([]);
      }),
      { numRuns: Math.ceil(Number(process.env.SOAK_OPERATIONS ?? 0) / 1000) || 12, endOnFailure: true },
    );
    console.log(JSON.stringify(found));
    expect(found.answered).toBeGreaterThan(found.unknown / 4);
    expect(found.needless).toBeLessThan(found.answered / 4);
  }, 60_000);

  test.each(['the log is read from the last question on', 'numbers of transactions that run count as not given'])(
    'a mistake is found out: %s',
    async (by) => {
      broken.by = by;
      const steps = fc.sample(fc.array(step, { minLength: 80, maxLength: 80 }), { numRuns: 90, seed: 1 });
      const missed: string[] = [];
      for (const one of steps) {
        missed.push(...(await run(one, { answered: 0, unknown: 0, needless: 0 })));
        if (missed.length > 0) break;
      }
      expect(missed).not.toEqual([]);
    },
    60_000,
  );
});

/** Asks as the gateway does. */
class Asker {
  readonly #source: TokenSource;
  readonly #log: TokenLog;
  readonly #opened: Opened;
  #before: string | null = null;
  #memory: Memory | null = null;

  constructor(source: TokenSource, log: TokenLog, opened: Opened) {
    this.#source = source;
    this.#log = log;
    this.#opened = opened;
  }

  /** The names of the tables that have changed since the last time; null: they are not known. */
  async ask(): Promise<readonly string[] | null> {
    const before = this.#before;
    const after = await this.#opened.sample(this.#source);
    this.#before = after;
    if (before === null || before === after) return before === null ? null : [];
    const ids = this.#source.ended(before, after) ?? [];
    const names = tables.map((name) => ({ database: '', schema: 'public', name }));
    const relations = { served: names, shown: names, related: names };
    const answers: Answer[] = [];
    try {
      for (const statement of this.#log.inspect(before, ids, relations, this.#memory))
        answers.push(await this.#opened.run(statement));
    } catch (error) {
      // Of a record that ends on the next page of the log only the beginning is flushed. The gateway takes it for any change.
      expect(String(error)).toContain('could not find a valid record');
      return null;
    }
    const question = this.#log.question({ before, after }, ids, answers, this.#memory, relations);
    if (question === null || !('tables' in question)) return null;
    this.#memory = question.memory === undefined ? null : { text: question.memory, milliseconds: 0 };
    return question.tables?.map(({ name }) => name) ?? null;
  }
}
