/** The labels of the records that a table refers to: a cell shows `Germany`, not its code `DE`. */
import { call } from './call.ts';
import { filtersOf } from './conditions.ts';
import { type Json, list, object, textOf } from './json.ts';
import { otherTable } from './other-table.ts';
import { type Referred, referenceOf, urlOf } from './references.ts';
import type { Reference } from './table.ts';

/** How many labels of one column are kept. */
const maxLabels = 1000;

export class Labels {
  /** Only references of single columns: with several columns, there is no single value to look up. */
  readonly #references: readonly Reference[];
  readonly #changed: () => void;
  /** Labels by column and value. Null: requested, but there is no label, or not yet. */
  readonly #known = new Map<string, Map<string, string | null>>();

  /** @param changed called when labels have arrived */
  constructor(references: readonly Reference[], changed: () => void) {
    this.#references = references.filter(({ fields }) => fields.length === 1);
    this.#changed = changed;
  }

  /** The label of the record that this column's value refers to; null if that record has none, or is not loaded. */
  labelOf(field: string, value: Json): string | null {
    return this.#known.get(field)?.get(textOf(value) ?? '') ?? null;
  }

  /** Where a column's values lead; null if it refers to no other table. */
  referredOf(field: string): Referred | null {
    const reference = referenceOf(this.#references, field);
    if (reference === undefined) return null;
    return (value) => ({ href: urlOf(reference, value), label: this.labelOf(field, value) });
  }

  /** The length of a column's longest label, in characters. */
  longestOf(field: string): number {
    return Math.max(0, ...[...(this.#known.get(field)?.values() ?? [])].map((label) => label?.length ?? 0));
  }

  /** Reads the labels of values that were not asked for before: for each referring column by one search. */
  read(valuesOf: (field: string) => readonly Json[]): void {
    for (const reference of this.#references) {
      const [field = ''] = reference.fields;
      const known = this.#known.get(field) ?? new Map<string, string | null>();
      this.#known.set(field, known);
      const byText = new Map(valuesOf(field).map((value) => [textOf(value), value]));
      const values = [...byText].flatMap(([text, value]) => (text === null || known.has(text) ? [] : [value]));
      for (const value of values) known.set(textOf(value) ?? '', null);
      // After an error, the values stay in the map without labels, so that a busy gateway is not asked again and again.
      if (values.length > 0) void this.#load(reference, values, known).then(this.#changed, () => undefined);
    }
  }

  async #load({ resource, to: [key = ''] }: Reference, values: readonly Json[], known: Map<string, string | null>) {
    const { label } = await otherTable(resource);
    if (label === null || label === key) return;
    const { signal } = new AbortController();
    const filters = filtersOf([{ field: key, op: 'in', value: values }]);
    const request = {
      resource_id: resource,
      filters,
      fields: [key, label],
      limit: values.length,
      include_total: false,
    };
    const { result } = await call('datastore_search', request, { signal });
    for (const record of list(result.records).map(object))
      known.set(textOf(record[key] ?? null) ?? '', textOf(record[label] ?? null));
    for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - maxLabels))) known.delete(oldest);
  }
}
