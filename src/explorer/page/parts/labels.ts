import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Condition, isGroup } from '../ask/conditions.ts';
import { isList, type Json } from '../ask/json.ts';
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

/** The labels of the records that conditions refer to. */
export function useConditionLabels(references: readonly Reference[], conditions: readonly Condition[]): Labels {
  const [labels] = useLabels(references);
  useEffect(() => labels.read((field) => conditions.flatMap((one) => wholeValues(field, one))), [conditions]);
  return labels;
}

/** A column's values in a condition, if the condition compares whole values. */
function wholeValues(field: string, one: Condition): readonly Json[] {
  if (isGroup(one) || one.field !== field || !['eq', 'ne', 'in', 'nin'].includes(one.op)) return [];
  return isList(one.value) ? one.value : [one.value];
}
