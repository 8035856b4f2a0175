/** The panel for new records: a form for one, or a paste of many. */
import { useState } from 'preact/hooks';
import type { PanelProps } from '../parts/tab-props.ts';
import { mayLeave } from '../parts/unsaved.ts';
import { Paste } from './paste.tsx';
import { RecordForm } from './record-form.tsx';
import { words } from './texts/index.ts';
import { keyFilters } from './write.ts';

const ways = ['oneRecord', 'paste'] as const;

export function Add({ table, search, onShow }: PanelProps) {
  const [way, setWay] = useState<(typeof ways)[number]>('oneRecord');
  const close = () => onShow({ panel: 'none', row: null });
  return (
    <>
      <div class="switch">
        {ways.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === way}
            onClick={() => one !== way && mayLeave() && setWay(one)}
          >
            {words[one]}
          </button>
        ))}
      </div>
      {table.key.length === 0 && <p class="note">{words.noKey}</p>}
      {way === 'paste' ? (
        <Paste {...{ table, onWritten: search.onWritten }} />
      ) : (
        <RecordForm
          {...{ table, record: null, onCancel: close }}
          onSaved={(record) => {
            if (record === null || table.key.length === 0) close();
            else onShow({ panel: 'record', row: keyFilters(table, record) });
            search.onWritten();
          }}
        />
      )}
    </>
  );
}
