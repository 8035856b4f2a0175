import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { servers } from '../../support/servers/engines.ts';
import { check } from './check.ts';

/** Which part is currently broken. */
const broken = vi.hoisted(() => {
  // Test files share a process, so a module that we break must be loaded again here, and dropped afterwards.
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
        async sampleMarker() {
          const sample = await options.sampleMarker();
          // A delay that a busy server may have: if a proof were counted from its answer, it would be older than it claims.
          if (broken.by === 'a proof counts from its answer') await sleep(120);
          return broken.by === 'tokens are never equal to what was committed' ? { ...sample, marker: '' } : sample;
        },
      });
    }
    override isFresh(asked: number, now = asked): boolean {
      if (broken.by === 'an old proof is believed') return super.isFresh(asked - 200, now);
      if (broken.by === 'a proof counts from its answer') return super.isFresh(asked - 120, now);
      return super.isFresh(asked, now);
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

vi.mock('../../../src/cache/results.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/results.ts')>();
  class Results extends real.Results {
    override lookUp(...[handle, ...rest]: Parameters<InstanceType<typeof real.Results>['lookUp']>) {
      const key = handle.key();
      if (broken.by === 'the key is taken before the proof')
        Object.defineProperty(handle, 'key', { value: () => key, configurable: true });
      return super.lookUp(handle, ...rest);
    }
  }
  return { ...real, Results };
});

const always = [
  'a new token invalidates nothing',
  'an old proof is believed',
  'tokens are never equal to what was committed',
  'the key is taken before the proof',
];
/** Bugs that random calls rarely find; only `npm run soak` looks for them. */
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
