/** Parses a pasted text or a file in slices, so that the page stays responsive. */
import { useState } from 'preact/hooks';
import { site } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { useLoaded } from '../parts/hooks.ts';
import { Trouble } from '../parts/trouble.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { say, shownCount } from '../texts/index.ts';
import { faultInWords } from './fault-in-words.ts';
import { notationOf } from './notation.ts';
import { noOptions } from './paste-options.tsx';
import { type ParsedPaste, PasteRows } from './paste-rows.tsx';
import { inSlices, readPasted } from './pasted/read.ts';
import { mappingOf } from './pasted/records.ts';
import { Unreadable } from './pasted/unreadable.ts';
import { Source } from './source.tsx';
import { words } from './texts/index.ts';
import { loadWritable } from './write.ts';

export interface PasteProps {
  readonly table: Table;
  onWritten(): void;
}

export function Paste({ table, onWritten }: PasteProps) {
  const { data: writable, error, onRetry } = useLoaded('', (signal) => loadWritable(table, signal));
  const [{ text, edits }, setSource] = useState({ text: '', edits: 0 });
  const [how, setHow] = useState(noOptions);
  const [saved, setSaved] = useState(0);
  const limits = { bytes: site.mostBytes, records: writable?.mostRecords ?? 0 };
  /** The parsed text, or a message if it cannot be parsed. */
  const read = useLoaded<ParsedPaste | string>(writable === null || text === '' ? null : `${edits}`, async (signal) => {
    try {
      const pasted = await inSlices(readPasted(text, limits), signal);
      const mapping = mappingOf(pasted.names, writable?.fields ?? []);
      return { edits, pasted, mapping, notation: await inSlices(notationOf(pasted, mapping), signal) };
    } catch (error) {
      if (error instanceof Unreadable) return faultInWords(error.fault);
      throw error;
    }
  });
  useUnsaved(text !== '');
  if (error !== null) return <Trouble error={error} resource={table.id} onRetry={onRetry} />;
  if (writable === null) return <p class="note">{say.loading}</p>;
  const set = (to: string) => {
    setSource({ text: to, edits: edits + 1 });
    setHow({ ...how, numbers: null, leavesOut: false });
    setSaved(0);
  };
  const wrong = read.error === null ? read.data : read.error.message;
  return (
    <div class="edit form">
      <Source text={text} onText={set} />
      <p role="status">
        {saved > 0
          ? words.savedAll(words.rows(shownCount(saved), saved))
          : text !== '' && read.isLoading && words.reading}
      </p>
      {text !== '' && typeof wrong === 'string' && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      {text !== '' && read.data !== null && typeof read.data !== 'string' && (
        <PasteRows
          key={read.data.edits}
          {...{ table, fields: writable.fields, most: limits, how, read: read.data, onHow: setHow }}
          onSaved={(count) => {
            set('');
            setSaved(count);
            onWritten();
          }}
        />
      )}
    </div>
  );
}
