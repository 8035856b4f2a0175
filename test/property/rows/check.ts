/** How both properties choose their cases, and what they tell of a failure. */
import { Random } from '../../support/random.ts';
import type { Engine } from '../../support/servers/engines.ts';
import type { Call } from './calls.ts';
import { insideKeys, outsideKeys, rowInside, rowOutside } from './lines.ts';
import type { Answer, World } from './world.ts';

/** New rows after this many sequences, so that a failure late in a long run can be repeated with its own seed. */
const block = 25;

interface Cases {
  /** Sequences of this engine. */
  readonly count: number;
  /** `npm test` is the same every time; `npm run fuzz` makes new choices. */
  readonly seed: number;
}

/**
 * The sequences of `npm test` on all engines together. They take about 20 ms of CPU time each, and the files run first, so that no worker is
 * still busy with them when all others have finished.
 */
const few = 1000;
/** How many of them run on PGlite beside a server. It is PostgreSQL, and a sequence takes twice the CPU time there. */
const fewOnPglite = 50;

/** The sequences of one of the `engines` of the run, of `count` in `npm test`. Those of PGlite are few in `npm test` only. */
export function casesOf(engine: Engine, engines: readonly Engine[], count = few): Cases {
  const chosen = process.env.FUZZ_CASES;
  const seed = Number(process.env.FUZZ_SEED ?? (chosen === undefined ? 7 : Math.floor(Math.random() * 2 ** 31)));
  if (chosen !== undefined) return { count: Math.ceil(Number(chosen) / engines.length), seed };
  const servers = engines.filter(({ client }) => client !== 'pglite').length;
  if (servers === 0) return { count, seed };
  if (engine.client === 'pglite') return { count: fewOnPglite, seed };
  return { count: Math.ceil((servers < engines.length ? count - fewOnPglite : count) / servers), seed };
}

/** A call, as the transcript of a failure shows it. */
export const spelled = ({ action, params, words }: Call): string =>
  `${action}${words ? ' (native)' : ''} ${JSON.stringify(params)}`;

/** Throws both answers unless they are equal. */
export function expectEqual(one: Answer, other: Answer): void {
  if (one.status === other.status && one.text === other.text) return;
  throw new Error([one, other].map(({ status, text }) => `${status} ${text}`).join('\n'));
}

/**
 * Runs sequences of calls until one of them fails, and fills the tables at the beginning of each block.
 * @param sequence makes the calls of one sequence; throws what is wrong, and tells the calls since the tables were filled
 * @param end checks the tables at the end of a block
 */
export async function runSequences(
  world: World,
  { count, seed: first }: Cases,
  sequence: (random: Random, transcript: string[]) => Promise<void>,
  end: () => Promise<void>,
): Promise<void> {
  console.log(`${world.engine}: FUZZ_SEED=${first}, ${count} sequences`);
  for (let done = 0, seed = first; done < count; seed = (seed + 1000) % 2 ** 31) {
    const random = new Random(seed);
    const transcript: string[] = [];
    await world.fill(
      random.some(insideKeys, random.from(0, insideKeys.length)).map((id) => rowInside(id, random)),
      random.some(outsideKeys, random.from(1, outsideKeys.length)).map((id) => rowOutside(id, random)),
    );
    try {
      for (const last = Math.min(done + block, count); done < last; done++) await sequence(random, transcript);
      await end();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw new Error(`on ${world.engine}, repeat with FUZZ_SEED=${seed}\n${transcript.join('\n')}\n\n${text}`);
    }
  }
}
