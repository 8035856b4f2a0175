/** Random writes. Each declares beforehand what every record will be if it succeeds. */

import type { Random } from '../../support/random.ts';
import type { State } from './history.ts';
import { groupOf, groups, items, ownerOf, owners, pets, type World } from './world.ts';

export interface Write {
  readonly action: 'datastore_upsert' | 'datastore_records_delete';
  readonly params: Readonly<Record<string, unknown>>;
  readonly changes: ReadonlyMap<string, State>;
  /** Whether nothing is stored, whatever the answer (a dry run). */
  readonly isTrial: boolean;
}

/** @param v the new value of the records: a number that no earlier write used */
export function randomWrite({ shelves, parts }: World, random: Random, v: number): Write {
  const usualKinds = ['item', 'item again', 'seen', 'seen', 'owner', 'owner', 'pet', 'pet', ...parts];
  // Rare, because its trigger invalidates everything.
  const kind = random.isIn(0.05) ? 'source' : random.one(usualKinds);
  const ids = shelves.find(({ resource }) => resource === kind)?.ids ?? [];
  const chosen = random.some(ids, random.from(1, 3));
  switch (kind) {
    case 'item':
    case 'item again':
      if (random.isIn(0.05)) {
        const g = random.one(groups);
        return deletes(
          kind,
          { g },
          items.filter((id) => groupOf(id) === g).map((id) => `item/${id}`),
          random,
        );
      }
      if (random.isIn(0.2))
        return deletes(
          kind,
          { id: chosen },
          chosen.map((id) => `item/${id}`),
          random,
        );
      return upserts(
        kind,
        chosen.map((id) => ({ id, g: groupOf(id), v })),
        'item',
        random,
      );
    case 'seen':
      // Some of its records may not exist; then the whole call is refused.
      return upserts(kind, [{ id: random.one(ids), v }], 'item', random, 'update');
    case 'owner': {
      const id = random.one(owners);
      const deletedRecords = [`owner/${id}`, ...pets.filter((pet) => ownerOf(pet) === id).map((pet) => `pet/${pet}`)];
      return random.isIn(0.35)
        ? deletes(kind, { id }, deletedRecords, random)
        : upserts(kind, [{ id, v }], 'owner', random);
    }
    case 'pet':
      if (random.isIn(0.1))
        return deletes(
          kind,
          { id: chosen },
          chosen.map((id) => `pet/${id}`),
          random,
        );
      return upserts(
        kind,
        chosen.map((id) => ({ id, owner: ownerOf(id), v })),
        'pet',
        random,
      );
    case 'source': {
      const both = (id: number) => [`source/${id}`, `mirror/${id}`];
      if (random.isIn(0.3)) return deletes(kind, { id: chosen }, chosen.flatMap(both), random);
      const written = upserts(
        kind,
        chosen.map((id) => ({ id, v })),
        'source',
        random,
      );
      return { ...written, changes: new Map(chosen.flatMap(both).map((record) => [record, v])) };
    }
    default:
      if (random.isIn(0.2))
        return deletes(
          kind,
          { id: chosen },
          chosen.map((id) => `whole/${id}`),
          random,
        );
      return upserts(
        kind,
        chosen.map((id) => ({ id, v })),
        'whole',
        random,
      );
  }
}

function upserts(
  resource: string,
  records: readonly { readonly id: number; readonly v: number }[],
  family: string,
  random: Random,
  method = 'upsert',
): Write {
  const isTrial = random.isIn(0.08);
  const isWrong = random.isIn(0.05);
  return {
    action: 'datastore_upsert',
    params: {
      resource_id: resource,
      method,
      records: isWrong ? [...records, { ...records[0], v: 'none' }] : records,
      ...(isTrial ? { dry_run: true } : {}),
      ...(random.isIn(0.3) ? { include_records: true } : {}),
    },
    changes: new Map(records.map(({ id, v }) => [`${family}/${id}`, v])),
    isTrial,
  };
}

function deletes(resource: string, filters: object, records: readonly string[], random: Random): Write {
  const isTrial = random.isIn(0.08);
  return {
    action: 'datastore_records_delete',
    params: { resource_id: resource, filters, ...(isTrial ? { dry_run: true } : {}) },
    changes: new Map(records.map((record) => [record, null])),
    isTrial,
  };
}
