import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Json, textOf } from '../ask/json.ts';
import { type KnownLabels, type LabelOf, readLabels, unknownValues } from '../ask/labels.ts';
import type { Reference } from '../ask/table.ts';

/**
 * Reads the labels of the records that a table refers to, for each of its referring columns by one search.
 * @param key changes when other values are shown; null: there are none yet
 * @param valuesOf the shown values of a column
 * @returns a new function when labels have arrived
 */
export function useLabels(
  references: readonly Reference[],
  key: string | null,
  valuesOf: (field: string) => readonly Json[],
): LabelOf {
  const known = useMemo<KnownLabels>(() => new Map(), []);
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    if (key === null) return;
    for (const reference of references) {
      const [field = '', ...others] = reference.fields;
      const values = others.length > 0 ? [] : unknownValues(known, field, valuesOf(field));
      if (values.length > 0)
        readLabels(known, reference, values).then(
          () => setLoads((now) => now + 1),
          () => undefined,
        );
    }
  }, [key]);
  return useMemo(() => (field, value) => known.get(field)?.get(textOf(value) ?? '') ?? null, [loads]);
}
