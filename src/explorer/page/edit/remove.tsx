import type { JsonObject } from '../ask/json.ts';
import type { PanelProps } from '../parts/panel.tsx';
import type { Table } from '../table-view.tsx';
import { Removal } from './removal.tsx';
import { words } from './texts/index.ts';
import { keyFilters } from './write.ts';

export interface RemoveRecordProps {
  readonly table: Table;
  /** The record as it was shown. */
  readonly record: JsonObject;
  onRemoved(): void;
  onCancel(): void;
}

/** One record, to be deleted, beside what is shown of it. */
export function RemoveRecord({ table, record, onRemoved, onCancel }: RemoveRecordProps) {
  return <Removal {...{ table, keys: [keyFilters(table, record)], shown: [record], onRemoved, onCancel }} />;
}

/** The marked records, to be deleted at once. */
export function RemoveMarked({ table, marked, onShow, onWritten }: PanelProps) {
  const close = () => onShow({ panel: 'none', row: null });
  if (marked.size === 0) return <p class="note">{words.noneMarked}</p>;
  return (
    <Removal
      // Other marks are other records to try.
      key={[...marked.keys()].join()}
      {...{ table, keys: [...marked.values()], shown: null, onCancel: close }}
      onRemoved={() => {
        close();
        onWritten();
      }}
    />
  );
}
