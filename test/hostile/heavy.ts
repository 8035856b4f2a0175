/** Sends heavy requests and measures how long they delay all others. */
import { request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, type Sender, type Started, type Target } from './heavy-world.ts';
import type { HeavyRequest, Make } from './requests.ts';

/** Requests that are sent at the same time, and their bounds. */
export interface Heavy {
  readonly name: string;
  readonly sender: Sender;
  /** What each may be answered. */
  readonly status: readonly number[];
  readonly requests: readonly Make[];
  /** Milliseconds that one turn may last, where it is not the bound of the sender. */
  readonly bound?: number;
}

export function heavy(name: string, sender: Sender, status: Heavy['status'], ...requests: readonly Make[]): Heavy {
  return { name, sender, status, requests };
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly bytes: number;
  /** Its beginning, or why there was none. */
  readonly text: string;
}

/** The cost of a case, of the try that cost least. */
export interface Weighed {
  readonly answers: readonly Answer[];
  /** Milliseconds of the longest turn of the event loop. */
  readonly hold: number;
  /** Milliseconds that it may have been. */
  readonly bound: number;
  /** Bytes of memory beside those of the idle process. */
  readonly memory: number;
  readonly lives: boolean;
}

/** Milliseconds that one turn may last, on an idle machine. */
const bounds: Readonly<Record<Sender, number>> = { stranger: 50, reader: 50, writer: 100 };
/** Milliseconds that the probe's piece of work takes on the machine for which the bounds were set. */
const usualPace = 2.5;
/** Bytes that a case may take beside the memory of the idle process. */
export const mostMemory = 400_000_000;
const tries = 6;
/** Milliseconds after which a request is given up: no bound, only an end for an answer that would never come. */
const patience = 60_000;

type Weighable = Pick<Heavy, 'sender' | 'requests' | 'bound'>;

/**
 * Carries out a case. Only what holds the event loop each time counts: load of the machine slows one try down, or all of them as much
 * as the probe's piece of work.
 */
export async function weigh(target: Target, heavy: Weighable): Promise<Weighed> {
  let least = await weighOnce(await target.gateway(), heavy);
  for (let nth = 1; nth < tries && least.lives && least.hold > least.bound; nth++) {
    const again = await weighOnce(await target.gateway(), heavy);
    if (!again.lives || again.hold / again.bound < least.hold / least.bound) least = again;
  }
  return least;
}

async function weighOnce(
  gateway: Started,
  { sender, requests, bound: idle = bounds[sender] }: Weighable,
): Promise<Weighed> {
  const made = requests.map((make) => make());
  await gateway.held();
  const answers = await Promise.all(made.map((each) => ask(gateway.url, each, sender)));
  // The work behind an answer delays others, too.
  await sleep(10);
  const held = await Promise.race([gateway.held().catch(() => null), sleep(patience, null)]);
  // A loop that does not turn any more answers no request.
  if (held === null && gateway.lives()) process.kill(gateway.pid, 'SIGKILL');
  while (held === null && gateway.lives()) await sleep(10);
  const { hold, rss } = held ?? { hold: Number.POSITIVE_INFINITY, rss: Number.POSITIVE_INFINITY };
  const isLong = held !== null && hold > idle;
  const bound = idle * (isLong ? Math.max(1, (await gateway.pace()) / usualPace) : 1);
  return { answers, hold, bound, memory: rss - gateway.idle, lives: gateway.lives() };
}

/** Sends one request and forgets most of its answer. */
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
    sent.setTimeout(patience, () => sent.destroy(new Error(`no answer within ${patience} ms`)));
    sent.on('error', (error) => resolve({ status: 0, bytes: 0, text: String(error) }));
    sent.end(body);
  });
}
