/** Combines the resources that one call reads into a single one. */
import type { Resolved } from './served.ts';

/**
 * The first resource, with the cache rules and dependencies of all of them: an answer is cached only as long as each resource allows, and
 * depends on every table. All resources must be in one database.
 */
export function joined(resources: readonly [Resolved, ...Resolved[]]): Resolved {
  const [first, ...others] = resources;
  if (others.length === 0) return first;
  // Without the same proof of freshness for all tables, a cached answer could show an old state of one of them.
  const isProvedAlike = others.every(({ freshness }) => freshness === first.freshness);
  const reads = resources.map(({ dependencies }) => dependencies?.dependsOn);
  const all = reads.flatMap((one) => one ?? []);
  const isCached = isProvedAlike && !reads.includes(undefined);
  const maxAge = Math.min(...resources.map(({ settings }) => settings.cache.maxAge));
  return {
    ...first,
    settings: { ...first.settings, cache: { ...first.settings.cache, maxAge } },
    access: { ...first.access, read: resources.every(({ access }) => access.read === 'public') ? 'public' : 'token' },
    dependencies: first.dependencies && { ...first.dependencies, dependsOn: [...new Set(all)] },
    cacheTtl: isCached ? Math.min(...resources.map(({ cacheTtl }) => cacheTtl)) : 0,
    noticesAllWrites: resources.every((one) => one.noticesAllWrites),
  };
}
