/** The record panel: every column in full, with buttons to edit and delete if the caller may write. */
import { useRef } from 'preact/hooks';
import { call } from '../ask/call.ts';
import { list, object } from '../ask/json.ts';
import { withKey } from '../ask/row-filters.ts';
import { useLoaded, useRedraw } from '../parts/hooks.ts';
import { Trouble } from '../parts/trouble.tsx';
import { isUnsaved } from '../parts/unsaved.ts';
import { say } from '../texts/index.ts';
import type { RecordProps } from './record-props.ts';
import { Shown } from './shown.tsx';

export { Neighbours } from './neighbours.tsx';

export function Record(props: RecordProps) {
  const { table, view, search } = props;
  const { id } = table;
  const { row } = view;
  const redraw = useRedraw();
  /** The version of the search whose record is on the screen. Loading unmounts the form, so it waits until nothing in the form is unsaved. */
  const version = useRef(search.version);
  if (!isUnsaved()) version.current = search.version;
  const key = row === null ? null : JSON.stringify([row, version.current]);
  const { data, error, isLoading, onRetry } = useLoaded(key, async (signal) => {
    const { result } = await call(
      'datastore_search',
      { resource_id: id, filters: row, limit: 1, include_total: false, ...withKey(table) },
      { signal, fresh: search.isFresh },
    );
    const [first] = list(result.records);
    return { row, record: first === undefined ? null : object(first) };
  });
  if (row === null) return <p class="note">{say.noKey}</p>;
  if (error !== null) return <Trouble error={error} resource={id} onRetry={onRetry} />;
  if (data === null || data.record === null) return <p class="note">{isLoading ? say.loading : say.gone}</p>;
  return (
    <Shown
      key={JSON.stringify(data.row)}
      {...props}
      {...{ row: data.row ?? row, record: data.record, isLoading }}
      onSaved={onRetry}
      onCancel={redraw}
    />
  );
}
