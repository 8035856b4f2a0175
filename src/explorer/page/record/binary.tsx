import { useState } from 'preact/hooks';
import { call } from '../ask/call.ts';
import { type Column, columnsOf } from '../ask/columns.ts';
import { type JsonObject, list, object, textOf } from '../ask/json.ts';
import { useLoaded } from '../parts/hooks.ts';
import type { Search } from '../parts/search.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Value } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { Term } from './term.tsx';

interface BinaryProps {
  readonly resource: string;
  readonly row: JsonObject;
  readonly column: Column;
  readonly search: Search;
}

/** Binary values may be large, so they are loaded on a click. */
export function Binary({ resource, row, column, search }: BinaryProps) {
  const [isWanted, setWanted] = useState(false);
  const key = isWanted ? JSON.stringify([row, search.version]) : null;
  const { data, error, onRetry } = useLoaded(key, async (signal) => {
    const params = { resource_id: resource, filters: row, fields: [column.name], limit: 1, include_total: false };
    const { result } = await call('datastore_search', params, { signal, fresh: search.isFresh });
    return { fields: columnsOf(result.fields), hex: textOf(object(list(result.records)[0])[column.name] ?? null) };
  });
  return (
    <div class="field">
      <Term column={column} />
      <dd>
        {error !== null ? (
          <Trouble {...{ error, resource, onRetry }} />
        ) : data === null ? (
          <button type="button" onClick={() => setWanted(true)}>
            {say.load}
          </button>
        ) : (
          <>
            {data.hex !== null && <small>{say.bytes(shownCount(bytesIn(data.hex)), bytesIn(data.hex))} </small>}
            <code>
              <Value value={data.hex} words={[]} most={2000} />
            </code>
          </>
        )}
      </dd>
    </div>
  );
}

/** @param hex a binary value as the API writes it, such as `\x00ff` */
const bytesIn = (hex: string): number => (hex.length - 2) / 2;
