/** The record panel: every column in full, with buttons to edit and delete if the caller may write. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../ask/call.ts';
import { type JsonObject, list, object, textOf } from '../ask/json.ts';
import { addressOf } from '../ask/question.ts';
import { withKey } from '../ask/row-filters.ts';
import { tableUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { Copy } from '../parts/copy.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { useLabels } from '../parts/labels.ts';
import type { PanelProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { Binary } from './binary.tsx';
import { Field } from './field.tsx';
import { Referring } from './referring.tsx';

export { Neighbours } from './neighbours.tsx';

/** The forms that edit and delete the record. */
interface Forms {
  renderEdit(props: FormProps & { onSaved(): void }): ComponentChildren;
  renderRemoval(props: FormProps & { onRemoved(): void }): ComponentChildren;
  /** A map that shows the record. */
  renderPlace(props: {
    readonly longitude: number;
    readonly latitude: number;
    readonly label: string;
  }): ComponentChildren;
}

interface FormProps {
  readonly table: Table;
  readonly record: JsonObject;
  onCancel(): void;
}

export interface RecordProps extends PanelProps, Forms {
  /** Whether the form opens at once. */
  readonly isEdited?: boolean;
}

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

type Task = 'none' | 'edit' | 'remove' | 'saved';

interface ShownProps extends RecordProps {
  readonly row: JsonObject;
  readonly record: JsonObject;
  readonly isLoading: boolean;
  onSaved(): void;
}

function Shown(props: ShownProps) {
  const {
    table,
    view,
    search,
    row,
    record,
    isLoading,
    isEdited,
    renderEdit,
    renderRemoval,
    renderPlace,
    onSaved,
    onShow,
    onAdd,
  } = props;
  const { id, columns, binary, key, canWrite } = table;
  const [task, setTask] = useState<Task>(isEdited ? 'edit' : 'none');
  const acts = useRef<HTMLDivElement>(null);
  useFocusAfter(task, acts);
  const [labels] = useLabels(table.references);
  useEffect(() => labels.read((field) => [record[field] ?? null]), [record]);
  const cancel = () => setTask('none');
  // While the record is loading again after a save, the values on the screen are older than the saved ones, so they must not be edited.
  const title = (
    <h2 dir="auto">
      <Name of={titleOf(table, record)} />
    </h2>
  );
  if (task === 'edit' && !isLoading)
    return (
      <>
        {title}
        {renderEdit({
          ...{ table, record },
          onCancel: cancel,
          onSaved() {
            setTask('saved');
            onSaved();
            search.onWritten();
          },
        })}
      </>
    );
  const link = () =>
    new URL(tableUrl(id) + addressOf({ ...view, panel: 'record', isEditing: false }), location.href).href;
  return (
    <>
      {title}
      <div class="row" ref={acts}>
        {canWrite && key.length > 0 && <EditButtons task={task} onTask={setTask} />}
        <Copy label={say.copyJson} text={() => JSON.stringify(record, null, 2)} />
        <Copy label={say.copyLink} text={link} />
      </div>
      {task === 'remove' &&
        !isLoading &&
        renderRemoval({
          ...{ table, record },
          onCancel: cancel,
          onRemoved() {
            onShow({ panel: 'none', row: null });
            search.onWritten();
          },
        })}
      {canWrite && <p role="status">{task === 'saved' && say.saved}</p>}
      <dl class="record" aria-busy={isLoading}>
        {columns.map((column) => (
          <Field key={column.name} {...{ table, record, column, labels, onAdd }} />
        ))}
        {binary.map((column) => (
          <Binary key={column.name} resource={id} row={row} column={column} />
        ))}
      </dl>
      {table.coordinates !== null &&
        renderPlace({ ...placeOf(record, table.coordinates), label: titleOf(table, record) })}
      <Referring referencedBy={table.referencedBy} record={record} />
    </>
  );
}

function EditButtons({ task, onTask }: { readonly task: Task; onTask(task: Task): void }) {
  return (
    <>
      <button type="button" data-task="edit" onClick={() => onTask('edit')}>
        {say.edit}
      </button>
      <button type="button" data-task="remove" aria-expanded={task === 'remove'} onClick={() => onTask('remove')}>
        {say.remove}
      </button>
    </>
  );
}

/** When a task ends, the focus returns to the button that started it. */
function useFocusAfter(task: Task, buttons: RefObject<HTMLElement | null>): void {
  const before = useRef(task);
  useEffect(() => {
    const was = before.current;
    before.current = task;
    if (was !== 'none' && (task === 'none' || task === 'saved'))
      buttons.current?.querySelector<HTMLElement>(`[data-task=${was}]`)?.focus();
  }, [task]);
}

/** A record's place; NaN if it has none. */
function placeOf(record: JsonObject, coordinates: readonly [longitude: string, latitude: string]) {
  const [longitude, latitude] = coordinates.map((name) => Number(textOf(record[name] ?? null) ?? Number.NaN));
  return { longitude: longitude ?? Number.NaN, latitude: latitude ?? Number.NaN };
}

/** A record's label; its key if it has no label. */
function titleOf({ label, key }: Table, record: JsonObject): string {
  const own = label === null ? null : textOf(record[label] ?? null);
  return own || key.map((field) => textOf(record[field] ?? null) ?? '').join(', ') || say.record;
}
