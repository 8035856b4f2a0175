import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import type { PanelProps } from '../parts/tab-props.ts';
import { keyFilters } from './keys.ts';
import { Removal } from './removal.tsx';
import { words } from './texts/index.ts';

export interface RemoveRecordProps {
  readonly table: Table;
  /** The record as the panel shows it. */
  readonly record: JsonObject;
  onRemoved(): void;
  onCancel(): void;
}

/** Deletes one record; shown above the record itself. */
export function RemoveRecord({ table, record, onRemoved, onCancel }: RemoveRecordProps) {
  return <Removal {...{ table, keys: [keyFilters(table, record)], shown: [record], onRemoved, onCancel }} />;
}

/** Deletes all marked records in one call. */
export function RemoveMarked({ table, marked, search, onShow }: PanelProps) {
  const close = () => onShow({ panel: 'none', row: null });
  if (marked.size === 0) return <p class="note">{words.noneMarked}</p>;
  return (
    <Removal
      // When other rows are marked, the confirmation starts over.
      key={[...marked.keys()].join()}
      {...{ table, keys: [...marked.values()], shown: null, onCancel: close }}
      onRemoved={() => {
        close();
        search.onWritten();
      }}
    />
  );
}
