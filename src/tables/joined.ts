/** Several resources of one call as one. */
import type { Resolved } from './served.ts';

/**
 * The first resource, with the answers of all: they are cached only as long as those of each, and depend on all of their tables. All must
 * be of one database.
 */
export function joined(resources: readonly [Resolved, ...Resolved[]]): Resolved {
  const [first, ...others] = resources;
  if (others.length === 0) return first;
  // Without one proof for all tables, the answer could show an old state of one.
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
