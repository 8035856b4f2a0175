/** Sends heavy requests and measures how long they block everybody else. */
import { request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, type Sender, type Started, type Target } from './heavy-world.ts';
import type { HeavyRequest, Make } from './requests.ts';

/** Requests that are sent in parallel, and their limits. */
export interface Heavy {
  readonly name: string;
  readonly sender: Sender;
  /** The statuses allowed. */
  readonly status: readonly number[];
  readonly requests: readonly Make[];
  /** Maximum milliseconds of one event-loop turn, if it differs from the limit for the sender. */
  readonly bound?: number;
}

export function heavy(name: string, sender: Sender, status: Heavy['status'], ...requests: readonly Make[]): Heavy {
  return { name, sender, status, requests };
}

export interface Answer {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly bytes: number;
  /** The beginning of the body, or why there is none. */
  readonly text: string;
}

/** The cost of a case in its cheapest attempt. */
export interface Weighed {
  readonly answers: readonly Answer[];
  /** The longest turn of the event loop in milliseconds. */
  readonly hold: number;
  /** The limit for it. */
  readonly bound: number;
  /** Additional memory in bytes, compared with the idle process. */
  readonly memory: number;
  readonly lives: boolean;
}

/** Maximum milliseconds of one event-loop turn on an idle machine. */
const bounds: Readonly<Record<Sender, number>> = { stranger: 50, reader: 50, writer: 100 };
/** How long the probe's fixed work takes on the machine for which the limits were chosen, in milliseconds. */
const usualPace = 2.5;
/** Additional memory in bytes that a case may use. */
export const maxMemory = 400_000_000;
const tries = 6;
/** Milliseconds after which a request is given up; only for requests that would never be answered. */
const requestTimeoutMs = 60_000;

type Weighable = Pick<Heavy, 'sender' | 'requests' | 'bound'>;

/**
 * Runs a case. A case counts as too slow only if every attempt is: other load on the machine slows down single attempts, or all of them as much as
 * the probe's fixed work.
 */
export async function weigh(target: Target, heavy: Weighable): Promise<Weighed> {
  let cheapest = await weighOnce(await target.gateway(), heavy);
  for (let nth = 1; nth < tries && cheapest.lives && cheapest.hold > cheapest.bound; nth++) {
    const again = await weighOnce(await target.gateway(), heavy);
    if (!again.lives || again.hold / again.bound < cheapest.hold / cheapest.bound) cheapest = again;
  }
  return cheapest;
}

async function weighOnce(
  gateway: Started,
  { sender, requests, bound: idle = bounds[sender] }: Weighable,
): Promise<Weighed> {
  const built = requests.map((make) => make());
  await gateway.held();
  const answers = await Promise.all(built.map((each) => ask(gateway.url, each, sender)));
  // Work that continues after the answer blocks others as well.
  await sleep(10);
  const measured = await Promise.race([gateway.held().catch(() => null), sleep(requestTimeoutMs, null)]);
  // A blocked event loop does not answer, so the process is killed.
  if (measured === null && gateway.lives()) process.kill(gateway.pid, 'SIGKILL');
  while (measured === null && gateway.lives()) await sleep(10);
  const { hold, rss } = measured ?? { hold: Number.POSITIVE_INFINITY, rss: Number.POSITIVE_INFINITY };
  const isLong = measured !== null && hold > idle;
  const bound = idle * (isLong ? Math.max(1, (await gateway.pace()) / usualPace) : 1);
  return { answers, hold, bound, memory: rss - gateway.idle, lives: gateway.lives() };
}

/** Sends one request and keeps only the beginning of the answer. */
export function ask(url: string, { method, path, headers, body }: HeavyRequest, sender: Sender): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { method, headers: { ...headersOf[sender], ...headers }, agent: false };
    const sent = send(`${url}${path}`, options, (answer) => {
      const status = answer.statusCode ?? 0;
      const first: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        if (bytes < 2000) first.push(chunk);
        bytes += chunk.length;
      });
      const done = () => resolve({ status, bytes, text: Buffer.concat(first).toString().slice(0, 2000) });
      answer.on('end', done);
      answer.on('error', (error) => resolve({ status: 0, bytes, text: String(error) }));
    });
    sent.setTimeout(requestTimeoutMs, () => sent.destroy(new Error(`no answer within ${requestTimeoutMs} ms`)));
    sent.on('error', (error) => resolve({ status: 0, bytes: 0, text: String(error) }));
    sent.end(body);
  });
}
