import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.ts';
import type { TextRow } from '../../support/servers/sessions.ts';
import type { Tap } from '../../support/tap.ts';
import { type Heard, openClient } from './client.ts';
import { History, type Seen } from './history.ts';
import { type Question, questionsOf } from './questions.ts';
import type { World } from './world.ts';
import { randomWrite } from './writes.ts';

/** What the checker tests. */
export interface Field {
  /** One gateway, or several that must act as one: each request goes to a random one. */
  readonly urls: readonly string[];
  readonly world: World;
  /** Delays statements and answers, and loses commits. */
  readonly tap: Tap;
  /** Queries the database directly. */
  look(sql: string): Promise<readonly TextRow[]>;
}
export interface Effort {
  readonly operations: number;
  readonly seed: number;
  /** The share of commits that are lost. */
  readonly losses?: number;
  /** Maximum pause between two operations of a client in milliseconds. */
  readonly pause?: number;
  /**
   * Milliseconds after which a client abandons a read and goes to another gateway. It always waits for writes: a write that takes effect after the
   * next one to the same record would spoil the history.
   */
  readonly patience?: number;
  /** How long gateways may miss a write whose outcome is unknown after its commit, in milliseconds: docs/caching.md, several gateways. */
  readonly maxStaleness?: number;
}

export type Counts = Record<
  | 'operations'
  | 'reads'
  | 'hits'
  | 'misses'
  | 'fresh'
  | 'unkept'
  | 'notModified'
  | 'left'
  | 'refusedReads'
  | 'looks'
  | 'writes'
  | 'refused'
  | 'unknown',
  number
>;
/** `stale` is null, or describes the first answer that was already out of date when it was requested. */
export interface Verdict {
  readonly stale: string | null;
  readonly counts: Counts;
}

const clients = 24;
/** Probabilities of the clients' actions. */
const shares = { write: 0.16, look: 0.03, leave: 0.03, fresh: 0.03, zipped: 0.4, known: 0.6 };
/** How many answers of a search the clients remember, for conditional requests. */
const remembered = 6;

/**
 * Reads and writes at random, in parallel, and checks every answer against the history of writes. The tables must be empty and the cache must not
 * have older entries for them. Stops at the first stale answer.
 */
export async function check({ urls, world, tap, look }: Field, effort: Effort): Promise<Verdict> {
  const random = new Random(effort.seed);
  const history = new History(effort.maxStaleness === undefined ? {} : { maxStaleness: effort.maxStaleness });
  const questions = random.shuffled(questionsOf(world, random));
  const rememberedAnswers = new Map<Question, { readonly etag: string; readonly body: string }[]>();
  const busy = new Set<string>();
  const counts: Counts = {
    ...{ operations: 0, reads: 0, hits: 0, misses: 0, fresh: 0, unkept: 0, notModified: 0, left: 0, refusedReads: 0 },
    ...{ looks: 0, writes: 0, refused: 0, unknown: 0 },
  };
  let stale: string | null = null;
  let last = 0;
  const client = openClient(clients);
  const bounded = effort.patience === undefined ? {} : { leaves: effort.patience };
  disturb(tap, random, effort.losses ?? 0.03);

  async function write(): Promise<void> {
    const { action, params, changes, isTrial } = randomWrite(world, random, last + 1);
    // Only one writer per record at a time, so that its versions have an order.
    if ([...changes.keys()].some((record) => busy.has(record))) return read();
    last++;
    for (const record of changes.keys()) busy.add(record);
    const writing = history.write(changes);
    const sent = { method: 'POST', target: `/api/3/action/${action}`, body: JSON.stringify(params) } as const;
    const heard = await client.ask(random.one(urls), sent);
    if (heard === null || heard.body.includes('may or may not have been written')) {
      counts.unknown++;
      if (isTrial) writing.failed();
      else writing.lost();
    } else if (heard.status === 200) {
      counts.writes++;
      if (isTrial) writing.failed();
      else writing.done();
    } else {
      counts.refused++;
      writing.failed();
    }
    for (const record of changes.keys()) busy.delete(record);
  }

  async function read(): Promise<void> {
    // As in real life, some searches are much more frequent than others, so those are cached.
    const question = questions[Math.floor(random.next() ** 3 * questions.length)] ?? random.one(questions);
    const earlierAnswers = rememberedAnswers.get(question) ?? [];
    const etags = random.isIn(shares.known) ? random.some(earlierAnswers, 3).map(({ etag }) => etag) : [];
    const headers = {
      ...(etags.length > 0 ? { 'If-None-Match': etags.join(', ') } : {}),
      ...(random.isIn(shares.fresh) ? { 'Cache-Control': 'no-cache' } : {}),
      ...(random.isIn(shares.zipped) ? { 'Accept-Encoding': 'gzip' } : {}),
    };
    const leaves = random.isIn(shares.leave) ? { leaves: random.from(0, 10) } : bounded;
    const judge = history.read();
    const heard = await client.ask(random.one(urls), { ...question, headers, ...leaves });
    counts.reads++;
    if (heard === null) {
      counts.left++;
      return;
    }
    if (heard.status === 503) {
      counts.refusedReads++;
      return;
    }
    count(counts, heard);
    const body =
      heard.status === 304 ? earlierAnswers.find(({ etag }) => bare(etag) === bare(heard.etag))?.body : heard.body;
    const wrong =
      body === undefined ? 'a 304 to an ETag that was not sent' : judge(seenIn(question, heard.status, body));
    if (wrong !== null) {
      stale ??= `${wrong}\n${question.method} ${question.target} ${question.body}\n${JSON.stringify({ headers, ...heard, body })}`;
    } else if (heard.status === 200 && heard.etag !== '') {
      rememberedAnswers.set(question, [{ etag: heard.etag, body: heard.body }, ...earlierAnswers].slice(0, remembered));
    }
  }

  async function behind(): Promise<void> {
    const family = random.one(world.families);
    const judge = history.read();
    const rows = await look(`SELECT id, v FROM ${family}`);
    counts.looks++;
    const wrong = judge(rows.map(([id, v]) => ({ record: `${family}/${id}`, is: Number(v) })));
    if (wrong !== null) stale ??= `the history is wrong, the database says: ${wrong}`;
  }

  const work = async () => {
    while (stale === null && counts.operations < effort.operations) {
      counts.operations++;
      if (effort.pause !== undefined) await sleep(random.from(0, effort.pause));
      const chance = random.next();
      if (chance < shares.write) await write();
      else if (chance < shares.write + shares.look) await behind();
      else await read();
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, work));
  } finally {
    tap.watch(() => 'pass');
    client.close();
  }
  return { stale: stale === null ? null : `${stale}\nseed ${effort.seed}, ${JSON.stringify(counts)}`, counts };
}

/** Delays statements and answers, and loses commits in every possible way. */
function disturb(tap: Tap, random: Random, losses: number): void {
  tap.watch(
    (bytes) => {
      if (!/COMMIT(?!TED)/.test(bytes.toString('latin1')))
        return random.isIn(0.05) ? { holdFor: random.from(1, 5) } : 'pass';
      if (!random.isIn(losses)) return random.isIn(0.4) ? { holdFor: random.from(1, 8) } : 'pass';
      return random.one([
        'lose the answer',
        { hangUpAndDeliverAfter: null },
        { hangUpAndDeliverAfter: random.from(50, 300) },
      ] as const);
    },
    () => (random.isIn(0.05) ? random.from(1, 5) : 0),
  );
}

function seenIn(question: Question, status: number, body: string): readonly Seen[] {
  try {
    return question.seen(body);
  } catch (error) {
    throw new Error(`${status} to ${question.method} ${question.target} ${question.body}: ${body}`, { cause: error });
  }
}

function count(counts: Counts, { status, verdict }: Heard): void {
  const kinds = { HIT: 'hits', MISS: 'misses', BYPASS: 'fresh' } as const;
  const kind = verdict === 'HIT' || verdict === 'MISS' || verdict === 'BYPASS' ? kinds[verdict] : 'unkept';
  counts[kind]++;
  if (status === 304) counts.notModified++;
}

const bare = (etag: string): string => etag.replace('-gzip"', '"');
