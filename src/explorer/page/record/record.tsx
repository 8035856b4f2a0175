/** The record panel: every column in full, with buttons to edit and delete if the caller may write. */
import { call } from '../ask/call.ts';
import { list, object } from '../ask/json.ts';
import { withKey } from '../ask/row-filters.ts';
import { useLoaded } from '../parts/hooks.ts';
import { Trouble } from '../parts/trouble.tsx';
import { say } from '../texts/index.ts';
import type { RecordProps } from './record-props.ts';
import { Shown } from './shown.tsx';

export { Neighbours } from './neighbours.tsx';

export function Record(props: RecordProps) {
  const { table, view } = props;
  const { id } = table;
  const { row } = view;
  const { data, error, isLoading, onRetry } = useLoaded(row === null ? null : JSON.stringify(row), async (signal) => {
    const { result } = await call(
      'datastore_search',
      { resource_id: id, filters: row, limit: 1, include_total: false, ...withKey(table) },
      { signal },
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
    />
  );
}
