import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { servers } from '../../support/servers/engines.ts';
import { check } from './check.ts';

/** The part that is broken at the moment. */
const broken = vi.hoisted(() => {
  // Files share a process: a module that is broken here must be loaded anew, and be gone after it.
  vi.resetModules();
  return { by: 'nothing' };
});
afterAll(() => {
  vi.resetModules();
});

vi.mock('../../../src/cache/generations.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/generations.ts')>();
  class Generations extends real.Generations {
    override bump(counters: readonly string[]): void {
      const isOutside = counters.some((counter) => counter.endsWith(' outside'));
      if (!isOutside || broken.by !== 'a new token invalidates nothing') super.bump(counters);
    }
  }
  return { ...real, Generations };
});

vi.mock('../../../src/cache/freshness.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/freshness.ts')>();
  class Freshness extends real.Freshness {
    constructor(...[counter, generations, options]: ConstructorParameters<typeof real.Freshness>) {
      super(counter, generations, {
        ...options,
        async sample() {
          const sample = await options.sample();
          // As long as a busy server may take; a proof that counts from its answer is older than it says.
          if (broken.by === 'a proof counts from its answer') await sleep(120);
          return broken.by === 'tokens are never equal to what was committed' ? { ...sample, token: '' } : sample;
        },
      });
    }
    override isProved(asked: number, now = asked): boolean {
      if (broken.by === 'an old proof is believed') return super.isProved(asked - 200, now);
      if (broken.by === 'a proof counts from its answer') return super.isProved(asked - 120, now);
      return super.isProved(asked, now);
    }
    override async prove(asked: number): Promise<boolean> {
      if (broken.by === 'a request that needs a proof does not wait for it') {
        void super.prove(asked);
        return true;
      }
      return super.prove(asked);
    }
  }
  return { ...real, Freshness };
});

vi.mock('../../../src/pipeline/cached.ts', async (original) => {
  const real = await original<typeof import('../../../src/pipeline/cached.ts')>();
  const getOrLoad: typeof real.getOrLoad = (gateway, handle, ...rest) => {
    if (broken.by !== 'the key is taken before the proof') return real.getOrLoad(gateway, handle, ...rest);
    const key = handle.key();
    Object.defineProperty(handle, 'key', { value: () => key, configurable: true });
    return real.getOrLoad(gateway, handle, ...rest);
  };
  return { ...real, getOrLoad };
});

const always = [
  'a new token invalidates nothing',
  'an old proof is believed',
  'tokens are never equal to what was committed',
  'the key is taken before the proof',
];
/** Those that random calls meet seldom: `npm run soak`. */
const others = ['a proof counts from its answer', 'a request that needs a proof does not wait for it'];
const isSoak = process.env.SOAK_OPERATIONS !== undefined;

const postgres = servers().find(({ name }) => name === 'postgres');

describe.skipIf(postgres === undefined)('a proof broken in one place is found out', () => {
  test.each(isSoak ? [...always, ...others] : always)(
    '%s',
    async (by) => {
      broken.by = by;
      if (postgres === undefined) return;
      const { stale } = await check(postgres, { maxStaleness: '50ms', reads: 20_000 });
      expect(stale).not.toEqual([]);
    },
    60_000,
  );
});
