import { call } from '../ask/call.ts';
import type { Column } from '../ask/columns.ts';
import { type JsonObject, list, object, textOf } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { shownText } from '../parts/format.ts';
import { useLoaded } from '../parts/hooks.ts';
import { lookOf } from '../parts/looks.ts';
import type { Search } from '../parts/search.ts';
import { shownCount, summaryWords as words } from '../texts/index.ts';

export interface ExtremesProps {
  readonly table: Table;
  readonly search: Search;
  readonly column: Column;
  /** The search's parameters. */
  readonly found: JsonObject;
  /** The number of records without a value. */
  readonly nulls: number;
}

/** A column's lowest and highest value, and how many records have none. */
export function Extremes({ table, search, column, found, nulls }: ExtremesProps) {
  const { name, kind } = column;
  const request = { ...found, measures: { lowest: { min: name }, highest: { max: name } } };
  const key = JSON.stringify([request, search.version]);
  const { data } = useLoaded(key, async (signal) => {
    const { result } = await call('datastore_aggregate', request, { signal, fresh: search.isFresh });
    return { key, ends: object(list(result.records)[0]) };
  });
  // The previous search's values must not stay beside the new counts.
  const ends = data?.key === key ? data.ends : {};
  const labelOf = (end: 'lowest' | 'highest') => {
    const text = textOf(ends[end] ?? null);
    return text === null ? '–' : shownText(text, column, lookOf(column, table).isGrouped);
  };
  const isTime = kind === 'time';
  const items = [
    [isTime ? words.first : words.lowest, labelOf('lowest')],
    [isTime ? words.last : words.highest, labelOf('highest')],
    [words.noValue, shownCount(nulls)],
  ] as const;
  return (
    <dl class="extremes">
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
