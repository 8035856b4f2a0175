/**
 * The largest allowed value, or slightly more, in every parameter of every action, in every form and encoding: no request may crash or block the
 * process, fill its memory, cause a 500, or get a long refusal.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../support/random-from.ts';
import { byName, onePerDriver, servers } from '../support/servers/engines.ts';
import { type Answer, maxMemory, weigh } from './heavy.ts';
import { openTarget, type Sender, type Target } from './heavy-world.ts';
import { allEncodings, type Form, forms, type Largest, nameOf, requestOf, sizes } from './largest.ts';
import { beforeTheDatabase, everyOperator, everyParameter, nearTheDatabase, pages } from './positions.ts';
import { shapes } from './shapes.ts';
import { columns, kin, shareOf } from './world.ts';

const isFuzz = process.env.FUZZ_CASES !== undefined;
const cases = Number(process.env.FUZZ_CASES ?? 60);
// `npm test` always makes the same choices.
const chance = isFuzz ? Math.floor(Math.random() * 2 ** 31) : 14;
const seed = Number(process.env.FUZZ_SEED ?? chance);
/** Maximum size of a refusal in bytes. */
const mostRefused = 10_000;
const formNames: readonly Form[] = Object.keys(forms).filter((name): name is Form => name in forms);

const isWrite = ({ position }: Largest) =>
  /^(upsert|insert|update|delete|datastore_(upsert|delete|records_delete)) /.test(position.name);

/** What is wrong with an answer; null if nothing is. */
function judge({ status, bytes, text }: Answer): string | null {
  if (status === 0) return text;
  if (status >= 500 && status !== 503) return `${status}: ${text}`;
  return status >= 400 && bytes > mostRefused ? `a refusal of ${bytes} bytes: ${text.slice(0, 300)}` : null;
}

describe.each(byName(isFuzz ? servers() : onePerDriver()))('on %s', (_, engine) => {
  const positions = [nearTheDatabase, everyOperator].flatMap((of) => of(columns[kin(engine)]));
  const all = [...positions, ...everyParameter(), ...beforeTheDatabase(), ...pages()];
  let target: Target;
  beforeAll(async () => {
    target = await openTarget(engine);
  });
  afterAll(() => target?.close());

  /** A random case. If there are enough cases, positions and shapes are taken in turn, so that all of them occur. */
  function draw(nth: number, random: () => number): Largest | null {
    const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
    const every = cases < all.length ? Math.floor(random() * all.length * shapes.length) : nth * 7919 + seed;
    const position = all[every % all.length];
    const shape = shapes[Math.floor(every / all.length) % shapes.length];
    const [size, form, encoding] = [pick(sizes), pick(formNames), pick(allEncodings)];
    if (
      position === undefined ||
      shape === undefined ||
      size === undefined ||
      form === undefined ||
      encoding === undefined
    )
      return null;
    // Half of the calls are plain JSON, because only then the records can be numerous.
    const isPlain = random() < 0.5;
    return {
      position,
      shape,
      size: isWriting(position.name) && random() < 0.1 ? 'records' : size,
      form: isPlain ? 'json' : form,
      encoding: random() < 0.6 ? null : encoding,
    };
  }
  const isWriting = (name: string) => name.includes('records');

  test(`${cases} requests of seed ${seed}`, { timeout: 3_600_000 }, async () => {
    const random = randomFrom(seed + shareOf.length);
    const wrong: string[] = [];
    const worst: [number, string][] = [];
    let requests = 0;
    for (let nth = 0; requests < cases && nth < cases * 4; nth++) {
      const drawn = draw(nth, random);
      const request = drawn === null ? null : requestOf(drawn);
      if (drawn === null || request === null) continue;
      requests++;
      const { Authorization: _, ...headers } = request.headers;
      const sender: Sender = isWrite(drawn) && random() < 0.9 ? 'writer' : random() < 0.5 ? 'reader' : 'stranger';
      const { answers, hold, bound, memory, lives } = await weigh(target, {
        sender,
        requests: [() => ({ ...request, headers })],
      });
      const complaints = [
        lives ? null : 'the process has ended',
        hold > bound ? `it held for ${hold.toFixed()} of ${bound.toFixed()} ms` : null,
        memory > maxMemory ? `it took ${(memory / 1e6).toFixed()} MB` : null,
        ...answers.map(judge),
      ].filter((complaint) => complaint !== null);
      const name = `${sender}: ${nameOf(drawn)}`;
      worst.push([
        hold / bound,
        `${hold.toFixed()} ms, ${(memory / 1e6).toFixed()} MB, ${answers[0]?.status}, ${name}`,
      ]);
      if (complaints.length > 0)
        wrong.push(`${name} (${request.body?.length ?? request.path.length} bytes): ${complaints.join('; ')}`);
      if (complaints.length > 0 && process.env.HEAVY_REPORT) console.log(wrong.at(-1));
    }
    worst.sort(([a], [b]) => b - a);
    console.log(
      `${requests} requests of seed ${seed} on ${engine.name}; the longest:\n  ${worst
        .slice(0, process.env.HEAVY_REPORT ? 40 : 3)
        .map(([, line]) => line)
        .join('\n  ')}`,
    );
    expect(wrong).toEqual([]);
  });
});
