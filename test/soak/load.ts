import { type Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { token } from '../support/gateway.ts';
import type { Random } from '../support/random.ts';

export interface Tally {
  /** How often each status was answered, by kind of call. */
  readonly answers: Map<string, number>;
  /** Answers that must never occur. */
  readonly wrong: string[];
}

export interface LoadOptions {
  readonly url: string;
  /** The names of resources. */
  readonly names: readonly string[];
  readonly agent: Agent;
  readonly random: Random;
  readonly stop: AbortSignal;
  readonly tally: Tally;
}

interface Asked {
  readonly kind: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds after which the client disconnects. */
  readonly leaves?: number;
}

/** Callers per resource. */
const callers = 6;
/** Maximum pause of a caller between two calls in milliseconds. */
const pause = 60;

/** Sends all kinds of calls until it is stopped. */
export async function load(options: LoadOptions): Promise<void> {
  const { names, random, stop, tally } = options;
  const one = async (name: string) => {
    while (!stop.aborted) {
      const call = next(name, random);
      const status = await ask(options, call);
      const key = `${call.kind} ${status}`;
      tally.answers.set(key, (tally.answers.get(key) ?? 0) + 1);
      // A database may be down or slow, and a dump may break off, which the client notices.
      const may = call.kind === 'passed on' ? [200] : [200, 409, 503];
      if (!may.includes(Number(status)) && status !== 'left' && !(call.kind === 'dump' && status === 'broken'))
        tally.wrong.push(key);
      await sleep(random.from(1, pause));
    }
  };
  await Promise.all(names.flatMap((name) => Array.from({ length: callers }, () => one(name))));
}

function next(name: string, random: Random): Asked {
  const search = `/api/action/datastore_search?resource_id=${name}`;
  const leaves = random.isIn(0.05) ? { leaves: random.from(1, 50) } : {};
  const dice = random.next();
  if (dice < 0.5) return { kind: 'kept', path: `${search}&limit=5&offset=${random.from(0, 20)}`, ...leaves };
  if (dice < 0.7)
    return { kind: 'fresh', path: `${search}&limit=50&sort=t,k`, headers: { 'Cache-Control': 'no-cache' }, ...leaves };
  if (dice < 0.85) {
    const records = Array.from({ length: 10 }, () => ({ k: random.from(0, 1999), a: random.from(0, 1e6) }));
    const body = JSON.stringify({
      resource_id: name,
      records: [...new Map(records.map((one) => [one.k, one])).values()],
    });
    return { kind: 'write', path: '/api/action/datastore_upsert', body };
  }
  if (dice < 0.9)
    return { kind: 'dump', path: `/datastore/dump/${name}?format=${random.one(['csv', 'json'])}`, ...leaves };
  return { kind: 'passed on', path: `/page/${random.from(1, 100)}`, body: 'x'.repeat(random.from(0, 20_000)) };
}

function ask(
  { url, agent }: LoadOptions,
  { path, headers = {}, body, leaves }: Asked,
): Promise<number | 'left' | 'broken'> {
  return new Promise((resolve) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    let hasLeft = false;
    const lost = () => resolve(hasLeft ? 'left' : 'broken');
    const sent = request(
      `${url}${path}`,
      { agent, method, headers: { Authorization: token, ...type, ...headers } },
      (answer) => {
        answer.on('error', lost);
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.resume();
      },
    );
    sent.on('error', lost);
    if (leaves !== undefined)
      setTimeout(() => {
        hasLeft = true;
        sent.destroy();
      }, leaves).unref();
    sent.end(body);
  });
}
