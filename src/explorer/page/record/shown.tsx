/** A loaded record: its values, and the buttons and forms that change it. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type JsonObject, textOf } from '../ask/json.ts';
import type { Labels } from '../ask/labels.ts';
import { addressOf } from '../ask/question.ts';
import { tableUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { Copy } from '../parts/copy.tsx';
import { useLabels } from '../parts/labels.ts';
import { setUnsaved } from '../parts/unsaved.ts';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';
import { Binary } from './binary.tsx';
import { Field } from './field.tsx';
import type { RecordProps } from './record-props.ts';
import { Referring } from './referring.tsx';

type Task = 'none' | 'edit' | 'remove' | 'saved';

export interface ShownProps extends RecordProps {
  readonly row: JsonObject;
  readonly record: JsonObject;
  readonly isLoading: boolean;
  onSaved(): void;
  onCancel(): void;
}

export function Shown(props: ShownProps) {
  const { table, search, record, isLoading, isEdited, onSaved, onCancel, onShow } = props;
  const { renderEdit, renderRemoval, renderPlace } = props;
  const { coordinates } = table;
  const [task, setTask] = useState<Task>(isEdited ? 'edit' : 'none');
  const acts = useRef<HTMLDivElement>(null);
  useFocusAfter(task, acts);
  const [labels] = useLabels(table.references);
  useEffect(() => labels.read((field) => [record[field] ?? null]), [record]);
  const cancel = () => {
    setTask('none');
    setUnsaved(false);
    onCancel();
  };
  const title = titleOf(table, record);
  const heading = (
    <h2 dir="auto">
      <Name of={title} />
    </h2>
  );
  // While the record is loading again after a save, the values on the screen are older than the saved ones, so they must not be edited.
  if (task === 'edit' && !isLoading)
    return (
      <>
        {heading}
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
  return (
    <>
      {heading}
      <Acts {...props} acts={acts} task={task} onTask={setTask} />
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
      {table.canWrite && <p role="status">{task === 'saved' && say.saved}</p>}
      <Fields {...props} labels={labels} />
      {coordinates !== null && renderPlace({ ...placeOf(record, coordinates), label: title })}
      <Referring referencedBy={table.referencedBy} record={record} />
    </>
  );
}

interface ActsProps extends Pick<ShownProps, 'table' | 'view' | 'record'> {
  readonly acts: RefObject<HTMLDivElement | null>;
  readonly task: Task;
  onTask(task: Task): void;
}

/** The buttons that edit, delete and copy the record. */
function Acts({ table, view, record, acts, task, onTask }: ActsProps) {
  const link = () =>
    new URL(tableUrl(table.id) + addressOf({ ...view, panel: 'record', isEditing: false }), location.href).href;
  return (
    <div class="row" ref={acts}>
      {table.canWrite && table.key.length > 0 && <EditButtons task={task} onTask={onTask} />}
      <Copy label={say.copyJson} text={() => JSON.stringify(record, null, 2)} />
      <Copy label={say.copyLink} text={link} />
    </div>
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

/** The record's values, with the labels of the records that it refers to. */
function Fields({ table, row, record, labels, search, isLoading, onAdd }: ShownProps & { readonly labels: Labels }) {
  return (
    <dl class="record" aria-busy={isLoading}>
      {table.columns.map((column) => (
        <Field key={column.name} {...{ table, record, column, labels, onAdd }} />
      ))}
      {table.binary.map((column) => (
        <Binary key={column.name} resource={table.id} {...{ row, column, search }} />
      ))}
    </dl>
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
