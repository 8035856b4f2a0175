import type { KnownSlowness } from '../execute/aggregate.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Aggregate } from '../model/plan.ts';
import { totalKeyOf } from '../model/read-key.ts';

/** Whether counting these groups took too long lately. */
export function knownSlowness(
  { cache: { totals }, version }: Gateway,
  { by, column, records }: Aggregate,
): KnownSlowness {
  const name = JSON.stringify([version, by.is, column.name, totalKeyOf(records)]);
  return { isSlow: totals.slowness(name) !== null, learn: () => totals.setSlow(name, 'for a client') };
}
