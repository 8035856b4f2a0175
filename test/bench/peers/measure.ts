import { type Request, wrk } from '../load.ts';
import { median } from '../report.ts';
import { processorTime } from './processor-time.ts';

/** A program that answers a request. */
export interface Contender {
  readonly url: string;
  readonly pid: number;
  readonly request: Request;
}

/** What several rounds have shown. */
export interface Measured {
  /** The median. */
  readonly perSecond: number;
  /** Milliseconds of processor time for each request, of the program: the mean, because the system counts in tens. */
  readonly own: number;
  /** The same, of its database server; NaN where that is on another machine. */
  readonly server: number;
}

export interface How {
  /** One call after the other; else eight connections send them. */
  readonly isLong: boolean;
  readonly rounds: number;
  /** For each contender in each round, unless calls are long: then it is one call. */
  readonly seconds: number;
  /** The process id of the database server; null where it is on another machine. */
  readonly server: number | null;
}

/**
 * Measures contenders in turn, so that what else the machine does slows down all of them. A first and longer round warms them up:
 * compilers are busy in it.
 * @returns what each has shown
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
    const of = (what: keyof Measured) => runs.flatMap((all) => all[nth]?.[what] ?? []);
    return { perSecond: median(of('perSecond')), own: mean(of('own')), server: mean(of('server')) };
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

/** Seconds until one call is answered; `{n}` in its path is another hundred in each round. Throws where the answer is an error. */
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
