import { useMemo, useState } from 'preact/hooks';
import { Labels } from '../ask/labels.ts';
import type { Reference } from '../ask/table.ts';

/**
 * The labels of the records that a table refers to.
 * @returns the labels, and a number that changes when more have arrived
 */
export function useLabels(references: readonly Reference[]): readonly [labels: Labels, loads: number] {
  const [loads, setLoads] = useState(0);
  const labels = useMemo(() => new Labels(references, () => setLoads((now) => now + 1)), []);
  return [labels, loads];
}
