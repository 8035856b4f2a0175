/** Warnings about tables that have no key, or one that does not order all records. */
import type { Column } from '../model/table.ts';
import { scalar } from '../values/yaml-scalar.ts';

/** `isOrdered`: `_id` alone orders all records. `hasId`: the table has an `_id`, so updates and upserts can identify records by it. */
interface Keyless {
  readonly isOrdered: boolean;
  readonly hasId: boolean;
  readonly writes: boolean;
}

/** The warning about a table without a key; null if nothing depends on a key. */
export function warningWithoutKey({ isOrdered, hasId, writes }: Keyless): string | null {
  const written = hasId ? 'updated and upserted by `_id` only' : 'inserted but not updated or upserted';
  const lacks = [
    ...(isOrdered ? [] : ['its pages have no total order once it is large']),
    ...(writes ? [`its records can be ${written}`] : []),
  ];
  return lacks.length === 0 ? null : `has no key: ${lacks.join(', and ')}; name one with \`key\``;
}

/** The warning about a PostgreSQL table that others inherit from: its key does not cover their records. */
export function warningOfChildren(key: readonly Column[], writes: boolean): string {
  const names = key.map(({ name }) => name).join(', ');
  const refused = writes ? ', and a write whose key finds several records is refused' : '';
  const remedy = `if no two of them share a key, write \`key: [${key.map(({ name }) => scalar(name)).join(', ')}]\``;
  return `has tables that inherit from it, over whose records its key (${names}) is not unique: its pages have no total order once it is large${refused}; ${remedy}`;
}
