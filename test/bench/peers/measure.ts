import { type Request, wrk } from '../load.ts';
import { median } from '../report.ts';
import { processorTime } from './processor-time.ts';

/** A server to measure, and the request to send. */
export interface Contender {
  readonly url: string;
  readonly pid: number;
  readonly request: Request;
}

/** The result of several rounds. */
export interface Measured {
  /** The median. */
  readonly perSecond: number;
  /** CPU milliseconds of the program per request: the mean, because the system counts in steps of 10 ms. */
  readonly own: number;
  /** The same for its database server; NaN if that is on another machine. */
  readonly server: number;
}

export interface How {
  /** Whether calls are sent one after another; otherwise over eight connections. */
  readonly isLong: boolean;
  readonly rounds: number;
  /** Duration for each contender in each round, unless `isLong`: then it is one call. */
  readonly seconds: number;
  /** The process id of the database server; null if it is on another machine. */
  readonly server: number | null;
}

/**
 * Measures contenders in turn, so that other load on the machine affects all of them. A longer first round for warming up, while code is compiled,
 * does not count.
 * @returns the result of each contender
 */
export async function inTurn(contenders: readonly Contender[], how: How): Promise<readonly Measured[]> {
  const runs: (readonly Measured[])[] = [];
  for (let round = 0; round <= how.rounds; round++) {
    const all: Measured[] = [];
    const seconds = round === 0 ? warming * how.seconds : how.seconds;
    for (const contender of contenders) all.push(await run(contender, { ...how, seconds }, round));
    if (round > 0) runs.push(all);
  }
  return contenders.map((_, nth): Measured => {
    const figuresOf = (what: keyof Measured) => runs.flatMap((all) => all[nth]?.[what] ?? []);
    return {
      perSecond: median(figuresOf('perSecond')),
      own: mean(figuresOf('own')),
      server: mean(figuresOf('server')),
    };
  });
}

const warming = 3;
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

async function run(
  { url, pid, request }: Contender,
  { isLong, seconds, server }: How,
  round: number,
): Promise<Measured> {
  const [ownBefore, serverBefore] = [processorTime(pid), processorTime(server)];
  const perSecond = isLong ? 1 / (await timed(url, request, round)) : (await wrk(url, request, 8, seconds)).perSecond;
  const answered = isLong ? 1 : perSecond * seconds;
  const each = (now: number, before: number) => ((now - before) / answered) * 1000;
  return { perSecond, own: each(processorTime(pid), ownBefore), server: each(processorTime(server), serverBefore) };
}

/** Seconds until a call is answered. `{n}` in its path differs by a hundred from round to round. Throws if the answer is an error. */
async function timed(url: string, { method, path, headers, body }: Request, round: number): Promise<number> {
  const began = performance.now();
  const response = await fetch(url + path.replace('{n}', String(10_000 + 100 * round)), {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 1000)}`);
  return (performance.now() - began) / 1000;
}
