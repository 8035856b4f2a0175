import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Effects } from '../../../src/model/catalog.ts';
import { type ServerEngine, servers } from '../../support/servers/engines.ts';
import { check } from './check.ts';
import { type OpenField, openField } from './field.ts';

/** The part that is broken at the moment. */
const broken = vi.hoisted(() => {
  // Files share a process: a module that is broken here must be loaded anew, and be gone after it.
  vi.resetModules();
  return { by: 'nothing' };
});
afterAll(() => {
  vi.resetModules();
});

vi.mock('../../../src/pipeline/write.ts', async (original) => {
  const real = await original<typeof import('../../../src/pipeline/write.ts')>();
  const write: typeof real.write = async (asked) => {
    const { call, resource } = asked;
    const { gateway } = call;
    const through = (changed: Partial<typeof gateway>) =>
      real.write({ ...asked, call: { ...call, gateway: { ...gateway, ...changed } } });
    switch (broken.by) {
      case 'counts are raised before the commit':
        await gateway.invalidate(resource, []);
        return through({ invalidate: async () => undefined });
      case 'counts are raised after the answer':
        return through({ invalidate: async () => void sleep(30).then(() => gateway.invalidate(resource, [])) });
      case 'a commit in doubt is not doubted':
        return through({ suspend: async () => undefined });
    }
    return real.write(asked);
  };
  return { ...real, write };
});

vi.mock('../../../src/cache/generations.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/generations.ts')>();
  class Generations extends real.Generations {
    override currentCounts(counters: readonly string[]): string {
      return broken.by === 'counts are not in the key' ? '' : super.currentCounts(counters);
    }
  }
  return { ...real, Generations };
});

vi.mock('../../../src/cache/totals.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/totals.ts')>();
  const spoiled = (key: string) => {
    const parts: unknown[] = JSON.parse(key);
    return broken.by === 'counts are not in the key of totals' ? JSON.stringify(parts.toSpliced(1, 1)) : key;
  };
  class Totals extends real.Totals {
    override find(key: string, ttl: number) {
      return super.find(spoiled(key), ttl);
    }
    override set(key: string, count: Parameters<InstanceType<typeof real.Totals>['set']>[1], at: number): void {
      super.set(spoiled(key), count, at);
    }
  }
  return { ...real, Totals };
});

vi.mock('../../../src/cache/results.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/results.ts')>();
  class Results extends real.Results {
    override async lookUp(...[handle, request, staleIfError]: Parameters<InstanceType<typeof real.Results>['lookUp']>) {
      const found = await super.lookUp(handle, request, staleIfError);
      if (found.is !== 'load' || broken.by !== 'the key is taken after the database was asked') return found;
      const { load } = found;
      const fill = load.fill.bind(load);
      load.fill = async (making) => {
        await making;
        const late = await super.lookUp(handle, { ...request, refusesCached: true }, staleIfError);
        if (late.is === 'load') await late.load.fill(making);
        return fill(making);
      };
      return found;
    }
  }
  return { ...real, Results };
});

vi.mock('../../../src/cache/handle.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/handle.ts')>();
  class CacheHandle extends real.CacheHandle {
    /** The key that it had first. */
    readonly #first = super.key();
    override key(): string {
      return this.#isKept ? this.#first : super.key();
    }
    #isKept = false;
    override freshEntry(...asked: Parameters<InstanceType<typeof real.CacheHandle>['freshEntry']>) {
      this.#isKept = broken.by === 'the fast road keeps its key';
      return super.freshEntry(...asked);
    }
  }
  return { ...real, CacheHandle };
});

vi.mock('../../../src/cache/invalidation.ts', async (original) => {
  const real = await original<typeof import('../../../src/cache/invalidation.ts')>();
  const but = (names: readonly string[], edges: Effects['shows']) =>
    edges.filter(({ from, to }) => !names.includes(from.name) && !names.includes(to.name));
  const blind: Record<string, (effects: Effects) => Partial<Effects>> = {
    'views are not followed': ({ shows }) => ({ shows: but(['seen', 'home'], shows) }),
    'views over views are not followed': ({ shows }) => ({ shows: but(['tally'], shows) }),
    'tables below a view are not followed': ({ changes }) => ({ changes: but(['seen'], changes) }),
    'partitions are not followed': ({ shows }) => ({ shows: but(['low', 'high'], shows) }),
    'what is partitioned is not followed': ({ changes }) => ({ changes: but(['low', 'high'], changes) }),
    'cascades are not followed': ({ changes }) => ({ changes: but(['owner'], changes) }),
    'triggers are not minded': () => ({ mayChangeAnything: [] }),
    'functions in views are not minded': () => ({ mayShowAnything: [] }),
  };
  const dependenciesOf: typeof real.dependenciesOf = (table, known, narrowed) => {
    const seen = known.map((effects) => real.indexed({ ...effects, ...blind[broken.by]?.(effects) }));
    return real.dependenciesOf(table, seen, narrowed);
  };
  return { ...real, dependenciesOf };
});

vi.mock('../../../src/dialects/postgres/effects.ts', async (original) => {
  const real = await original<typeof import('../../../src/dialects/postgres/effects.ts')>();
  let nth = 0;
  const effects: typeof real.effects = (answer) => {
    const found = real.effects(answer);
    return broken.by === 'each database is taken for a server'
      ? { ...found, server: `${found.server} ${nth++}` }
      : found;
  };
  return { ...real, effects };
});

vi.mock('../../../src/reply/cached-reply.ts', async (original) => {
  const real = await original<typeof import('../../../src/reply/cached-reply.ts')>();
  const given = new Set<string>();
  const cachedReply: typeof real.cachedReply = (what, wants, isPrivate, now) => {
    const known = wants.ifNoneMatch?.split(', ').find((etag) => given.has(etag));
    const reply = real.cachedReply(what, wants, isPrivate, now);
    given.add(reply.headers.ETag ?? '');
    if (broken.by !== 'an ETag of any time is current' || known === undefined) return reply;
    return { status: 304, headers: { ...reply.headers, ETag: known }, body: '' };
  };
  return { ...real, cachedReply };
});

const seed = 3;
/** These three always; `npm run soak` breaks everything else, too. */
const always = ['counts are raised before the commit', 'counts are not in the key', 'views are not followed'];
const others = [
  'counts are raised after the answer',
  'counts are not in the key of totals',
  'the key is taken after the database was asked',
  'the fast road keeps its key',
  'cascades are not followed',
  'views over views are not followed',
  'tables below a view are not followed',
  'partitions are not followed',
  'what is partitioned is not followed',
  'triggers are not minded',
  'functions in views are not minded',
  'each database is taken for a server',
  'an ETag of any time is current',
];
const isSoak = process.env.SOAK_OPERATIONS !== undefined;

const breaks = (engine: ServerEngine | undefined, mistakes: readonly string[], losses: number) =>
  describe.skipIf(engine === undefined)(`a cache broken in one place is found out, on ${engine?.name}`, () => {
    let field: OpenField;
    beforeAll(async () => {
      if (engine !== undefined) field = await openField(engine);
    });
    afterAll(() => field?.close());

    test.each(mistakes)(
      '%s',
      async (by) => {
        broken.by = by;
        await field.renew();
        const { stale } = await check(field, { operations: 20_000, seed, losses });
        expect(stale).toMatch(/is shown as|are counted/);
      },
      120_000,
    );
  });

const postgres = servers().find(({ name }) => name === 'postgres');
breaks(postgres, isSoak ? [...always, ...others] : always, 0);
// PostgreSQL is asked what became of a commit, and leaves none in doubt.
const doubtful = servers().find(({ client }) => client === 'mysql');
if (isSoak) breaks(doubtful, ['a commit in doubt is not doubted'], 0.3);
