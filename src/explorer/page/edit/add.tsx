/** The panels for new records: a form for one, and the import of many. */
import type { PanelProps } from '../parts/tab-props.ts';
import { keyFilters } from './keys.ts';
import { Paste } from './paste.tsx';
import { RecordForm } from './record-form.tsx';
import { words } from './texts/index.ts';

export function Add({ table, search, onShow }: PanelProps) {
  const close = () => onShow({ panel: 'none', row: null });
  return (
    <>
      {table.key.length === 0 && <p class="note">{words.noKey}</p>}
      <RecordForm
        {...{ table, record: null, onCancel: close }}
        onSaved={(record) => {
          if (record === null || table.key.length === 0) close();
          else onShow({ panel: 'record', row: keyFilters(table, record) });
          search.onWritten();
        }}
      />
    </>
  );
}

export function Import({ table, search }: PanelProps) {
  return (
    <>
      {table.key.length === 0 && <p class="note">{words.noKey}</p>}
      <Paste {...{ table, onWritten: search.onWritten }} />
    </>
  );
}
