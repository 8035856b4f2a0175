/** Histories of XA transactions on MariaDB, by chance: no entry that a token has proved lacks what was visible before it. */
import { expect, test } from 'vitest';
import { binlogSource } from '../../../src/dialects/mysql/binlog-source.ts';
import { tokens } from '../../../src/dialects/mysql/tokens.ts';
import { LogWindow } from '../../../src/feed/window.ts';
import type { Server } from '../../../src/model/catalog.ts';
import type { BinlogReader, LogQuestion } from '../../../src/model/feed.ts';
import type { Answer } from '../../../src/model/rows.ts';
import type { Cell } from '../../../src/model/value.ts';
import { commit, prepared, query, table } from '../../support/binlog-events.ts';
import { Random } from '../../support/random.ts';

const [histories, steps] = [1000, 250];
const [tables, ids] = [
  ['a', 'b', 'c', 'd'],
  ['01', '02', '03', '04', '05', '06'],
];
const server: Server = {
  ...{ product: 'mariadb', version: [10, 11], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
};
const answer = (cells: Cell[][] = []): Answer => ({ names: [], types: [], cells, found: cells.length });

const source = tokens(server).find(({ name }) => name === 'binlog_snapshot_position');

/** An XA transaction goes through these states. Its commit is in the log before its rows are visible, and it is listed for longer. */
type State = 'counted' | 'prepared' | 'listed' | 'logged' | 'visible';
interface Xa {
  readonly id: string;
  readonly tables: readonly string[];
  readonly isRollback: boolean;
  state: State;
  /** It was between the log and visibility when the stream was opened: it may be seen as late as it is listed (docs/caching.md). */
  mayBeLate: boolean;
}

/** What a server has, and shows. */
class Model {
  readonly log: { readonly bytes: Buffer; readonly end: number }[] = [];
  position = 100;
  prepares = 0;
  readonly xas = new Map<string, Xa>();
  /** The writes that a reader finds in a table, and those that it has to find. */
  readonly visible = new Map(tables.map((name) => [name, new Set<number>()]));
  readonly due = new Map(tables.map((name) => [name, new Set<number>()]));
  #writes = 0;

  append(events: (end: number) => readonly Buffer[]): void {
    this.position += 10;
    for (const bytes of events(this.position)) this.log.push({ bytes, end: this.position });
  }

  write(names: readonly string[], isDue = true): void {
    this.#writes++;
    for (const name of names) {
      this.visible.get(name)?.add(this.#writes);
      if (isDue) this.due.get(name)?.add(this.#writes);
    }
  }

  snapshot(): Cell[][] {
    return [
      ['Binlog_snapshot_file', 'log.000007'],
      ['Binlog_snapshot_position', String(this.position)],
    ];
  }

  count = (): Cell[] => ['Com_xa_prepare', String(this.prepares)];

  listed(): Answer {
    const isListed = ({ state }: Xa) => state !== 'counted' && state !== 'prepared';
    return answer([...this.xas.values()].filter(isListed).map(({ id }) => ['1', '1', '0', Buffer.from(id, 'hex')]));
  }

  /** One step of one transaction. */
  move(id: string, random: Random): void {
    const xa = this.xas.get(id);
    if (xa === undefined) {
      this.prepares++;
      const changed = random.isIn(0.3) ? [] : random.some(tables, random.from(1, 2));
      const isRollback = random.isIn(0.15);
      this.xas.set(id, { id, tables: changed, isRollback, state: 'counted', mayBeLate: false });
      return;
    }
    const { tables: changed, isRollback } = xa;
    switch (xa.state) {
      case 'counted':
        // One that has only read is not in the log.
        if (changed.length > 0) this.append((end) => prepared(id, changed, end));
        xa.state = 'prepared';
        return;
      case 'prepared':
        xa.state = 'listed';
        return;
      case 'listed':
        if (changed.length > 0)
          this.append((end) => [query(`XA ${isRollback ? 'ROLLBACK' : 'COMMIT'} X'${id}',X'',1`, end)]);
        xa.state = 'logged';
        return;
      case 'logged':
        if (!isRollback) this.write(changed, !xa.mayBeLate);
        xa.state = 'visible';
        return;
      case 'visible':
        this.xas.delete(id);
        if (!isRollback && xa.mayBeLate) this.write(changed);
    }
  }
}

/** The stream of the log: it is opened in steps, between which the server goes on. */
class Stream {
  #opening: Answer[] = [];
  #open: { readonly window: LogWindow; readonly reader: BinlogReader; next: number } | null = null;
  readonly #model: Model;
  readonly #kills: number;

  /** @param kills how often it is lost */
  constructor(model: Model, kills: number) {
    this.#model = model;
    this.#kills = kills;
  }

  step(random: Random): void {
    if (this.#open === null) this.#begin();
    else if (random.isIn(this.#kills)) this.#open = null;
    else this.deliver(random.from(1, 6));
  }

  #begin(): void {
    const model = this.#model;
    const snapshot = () => [answer(), answer(), answer(model.snapshot()), answer()];
    if (this.#opening.length === 0) this.#opening = [answer(), answer([['NONE']]), answer(), answer(), ...snapshot()];
    else if (this.#opening.length === 8) this.#opening.push(model.listed());
    else if (this.#opening.length === 9) {
      this.#opening.push(...snapshot());
      for (const xa of model.xas.values()) xa.mayBeLate ||= xa.state === 'logged';
    } else {
      const begun = binlogSource(server).begin(this.#opening);
      if (begun === null) throw new Error('there is no log');
      this.#opening = [];
      const window = new LogWindow(begun);
      const first = model.log.findIndex(({ end }) => end > begun.offset);
      const reader = begun.reader((transaction) => window.add(transaction));
      this.#open = { window, reader, next: first < 0 ? model.log.length : first };
    }
  }

  deliver(most: number): void {
    const { log } = this.#model;
    if (this.#open === null) return;
    const { window, reader } = this.#open;
    for (let nth = 0; nth < most; nth++) {
      const event = log[this.#open.next];
      if (event === undefined) return;
      this.#open.next++;
      reader.read(event.bytes);
      if (log[this.#open.next]?.end !== event.end) window.reached(reader.position);
    }
  }

  /** The tables that a question names; null: any. */
  named(question: LogQuestion): readonly string[] | null {
    if (this.#open === null) return null;
    let found = this.#open.window.answer(question);
    for (let tries = 0; found === 'late' && tries < 50; tries++) {
      this.deliver(5);
      found = this.#open.window.answer(question);
    }
    return found === null || found === 'late' ? null : found.map(({ name }) => name);
  }
}

/** Entries of tables, and the tokens that prove them: a token is sampled in steps, too. */
class Entries {
  readonly #filled = new Map<string, ReadonlySet<number>>();
  #sampling: { readonly answers: Answer[]; readonly due: readonly (readonly [string, readonly number[]])[] } | null =
    null;
  #last: string | null = null;
  readonly #model: Model;
  readonly #stream: Stream;

  constructor(model: Model, stream: Stream) {
    this.#model = model;
    this.#stream = stream;
  }

  fill(name: string): void {
    this.#filled.set(name, new Set(this.#model.visible.get(name)));
  }

  /** Returns the tables whose entries are old, once a token is there. */
  step(): readonly string[] {
    const model = this.#model;
    if (this.#sampling === null) {
      const answers = [answer(), answer(), answer([...model.snapshot(), model.count()]), answer()];
      this.#sampling = { answers, due: [...model.due].map(([name, writes]) => [name, [...writes]]) };
      return [];
    }
    const { answers, due } = this.#sampling;
    if (answers.length === 4) {
      answers.push(model.listed());
      return [];
    }
    answers.push(answer([['Com_reset', '0'], model.count()]));
    this.#sampling = null;
    this.#take(answers);
    return due.flatMap(([name, writes]) => {
      const entry = this.#filled.get(name);
      return entry !== undefined && writes.some((write) => !entry.has(write)) ? [name] : [];
    });
  }

  #take(answers: readonly Answer[]): void {
    const token = source?.token(answers) ?? '';
    const before = this.#last;
    this.#last = token;
    const changed = before === null ? null : this.#changed(before, token, source?.isOpen?.(answers) === true);
    if (changed === null) this.#filled.clear();
    for (const name of changed ?? []) this.#filled.delete(name);
  }

  /** As `Freshness` asks. */
  #changed(before: string, token: string, isOpen: boolean): readonly string[] | null {
    if (before !== token) {
      const question = source?.log?.question({ before, after: token }, null, []) ?? null;
      return question === null || 'tables' in question ? null : this.#stream.named(question);
    }
    const question = isOpen ? source?.log?.whileOpen?.(token) : null;
    return question ? this.#stream.named(question) : [];
  }
}

/** Returns the first table of which a proved entry is old; null: none is. */
function oldIn(seed: number): string | null {
  const random = new Random(seed);
  const model = new Model();
  const stream = new Stream(model, 0.02 + 0.2 * random.next());
  const entries = new Entries(model, stream);
  // With few ids each comes again soon.
  const some = random.some(ids, random.from(1, ids.length));
  const [fills, samples, reads] = [0.03 + 0.12 * random.next(), 0.15 + 0.3 * random.next(), 0.05 + 0.2 * random.next()];
  for (let step = 0; step < steps; step++) {
    const which = random.next();
    if (which < fills) entries.fill(random.one(tables));
    else if (which < fills + samples) {
      const [old] = entries.step();
      if (old !== undefined) return old;
    } else if (which < fills + samples + reads) stream.step(random);
    else if (which < fills + samples + reads + 0.03) {
      const name = random.one(tables);
      model.append((end) =>
        random.isIn(0.3) ? prepared('aa', [name], end, true) : [query('BEGIN', end), table(name, end), commit(end)],
      );
      model.write([name]);
    } else model.move(random.one(some), random);
  }
  return null;
}

test('no entry is old', () => {
  const old = Array.from({ length: histories }, (_, nth) => [nth, oldIn(nth)] as const).filter(
    ([, name]) => name !== null,
  );
  expect(old).toEqual([]);
});
