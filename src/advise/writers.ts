import type { ResourceFacts, Rule } from './facts.ts';

/** Finds tables that other programs write: cached answers show their changes only after `cache.ttl`. */
export const writers: Rule = ({ resources, changed }) =>
  resources.flatMap(({ id, catalogTable, kind, ttl }) => {
    if (ttl === 0) return [];
    const until = `other programs' changes are seen up to ${ttl / 1000} s late (cache.ttl)`;
    const path = ['resources', id, 'cache'];
    if (kind === 'foreign table') return [{ path, says: `keeps answers about a foreign table: ${until}` }];
    if (!changed.some(isOf(catalogTable))) return [];
    return [
      {
        path,
        says: `keeps answers about a table whose rows have just changed: unless that was this gateway, ${until}`,
      },
    ];
  });

const isOf =
  (found: ResourceFacts['catalogTable']) => (table: { readonly schema: string | null; readonly name: string }) =>
    table.name === found.name && table.schema === found.schema;
