/** One record: every column, whole. */
import { useState } from 'preact/hooks';
import { call } from '../ask/call.ts';
import { type Column, columnsOf } from '../ask/columns.ts';
import { type Json, type JsonObject, list, object, textOf } from '../ask/json.ts';
import { addressOf } from '../ask/question.ts';
import { tableUrl } from '../ask/site.ts';
import { Copy } from '../parts/copy.tsx';
import { useLoaded } from '../parts/hooks.ts';
import type { PanelProps } from '../parts/panel.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Value } from '../parts/value.tsx';
import { sameValue } from '../table/cell-bar.tsx';
import { say, shownCount } from '../texts/index.ts';

export function Record({ table, view, onAdd }: PanelProps) {
  const { id, columns, binary } = table;
  const { row } = view;
  const [tries, setTries] = useState(0);
  const { data, error, isLoading } = useLoaded(row === null ? null : JSON.stringify([row, tries]), async (signal) => {
    const { result } = await call(
      'datastore_search',
      { resource_id: id, filters: row, limit: 1, include_total: false },
      { signal },
    );
    const [first] = list(result.records);
    return first === undefined ? null : object(first);
  });
  if (row === null) return <p class="note">{say.noKey}</p>;
  if (error !== null) return <Trouble error={error} resource={id} onRetry={() => setTries(tries + 1)} />;
  if (data === null) return <p class="note">{isLoading ? say.loading : say.gone}</p>;
  const link = () => new URL(tableUrl(id) + addressOf({ ...view, panel: 'record' }), location.href).href;
  return (
    <>
      <div class="row">
        <Copy label={say.copyJson} text={() => JSON.stringify(data, null, 2)} />
        <Copy label={say.copyLink} text={link} />
      </div>
      <dl class="record" aria-busy={isLoading}>
        {columns.map((column) => (
          <Field key={column.name} column={column} value={data[column.name] ?? null} onAdd={onAdd} />
        ))}
        {binary.map((column) => (
          <Binary key={column.name} resource={id} row={row} column={column} />
        ))}
      </dl>
    </>
  );
}

/** A longer text would hold up the browser; copying gives the whole. */
const mostCharacters = 20_000;

interface FieldProps extends Pick<PanelProps, 'onAdd'> {
  readonly column: Column;
  readonly value: Json;
}

function Field({ column, value, onAdd }: FieldProps) {
  const { only, without } = sameValue(column, value);
  const shown = shownDocument(value);
  const rest = (textOf(shown) ?? '').length - mostCharacters;
  return (
    <div class="field">
      <Term column={column} />
      <dd dir="auto">
        <Value value={shown} words={[]} most={mostCharacters} hasLines />
        {rest > 0 && <small> {say.moreCharacters(shownCount(rest))}</small>}
        <span class="acts">
          {only !== null && (
            <button type="button" class="quiet" onClick={() => onAdd([only])}>
              {say.filterTo}
            </button>
          )}
          {without !== null && (
            <button type="button" class="quiet" onClick={() => onAdd([without])}>
              {say.leaveOut}
            </button>
          )}
          <Copy class="quiet" text={() => textOf(value) ?? ''} />
        </span>
      </dd>
    </div>
  );
}

function Term({ column: { label, name, type, notes } }: { readonly column: Column }) {
  return (
    <dt>
      <span dir="auto">{label}</span> <small>{label === name ? type : `${name} · ${type}`}</small>
      {notes !== '' && <small dir="auto">{notes}</small>}
    </dt>
  );
}

/** Documents are shown with a line for each member. */
function shownDocument(value: Json): Json {
  return typeof value === 'object' && value !== null && !JSON.isRawJSON(value) ? JSON.stringify(value, null, 2) : value;
}

interface BinaryProps {
  readonly resource: string;
  readonly row: JsonObject;
  readonly column: Column;
}

/** Bytes are read when they are wanted: they may be many. */
function Binary({ resource, row, column }: BinaryProps) {
  const [isWanted, setWanted] = useState(false);
  const { data } = useLoaded(isWanted ? JSON.stringify([row]) : null, async (signal) => {
    const params = { resource_id: resource, filters: row, fields: [column.name], limit: 1, include_total: false };
    const { result } = await call('datastore_search', params, { signal });
    return { fields: columnsOf(result.fields), hex: textOf(object(list(result.records)[0])[column.name] ?? null) };
  });
  return (
    <div class="field">
      <Term column={column} />
      <dd>
        {data === null ? (
          <button type="button" onClick={() => setWanted(true)}>
            {say.load}
          </button>
        ) : (
          <>
            {data.hex !== null && <small>{say.bytes(shownCount((data.hex.length - 2) / 2))} </small>}
            <code>
              <Value value={data.hex} words={[]} most={2000} />
            </code>
          </>
        )}
      </dd>
    </div>
  );
}
