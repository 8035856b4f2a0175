import { useState } from 'preact/hooks';
import { site } from '../ask/site.ts';
import { shownCount } from '../texts/index.ts';
import { faultInWords } from './fault-in-words.ts';
import type { Fault } from './pasted/unreadable.ts';
import { words } from './texts/index.ts';

export interface SourceProps {
  readonly text: string;
  onText(text: string): void;
}

/** Above this many characters, a textarea becomes slow. A longer text is not put into it; only its length is shown. */
const maxTypedCharacters = 50_000;

/** The input for rows: paste, type, or open a file. */
export function Source({ text, onText }: SourceProps) {
  const [fault, setFault] = useState<Fault | null>(null);
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    const maxBytes = site.mostBytes;
    if (file.size > maxBytes) return setFault({ is: 'tooLarge', most: maxBytes });
    try {
      const read = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      setFault(null);
      onText(read);
    } catch {
      setFault({ is: 'notUtf8' });
    }
  };
  return (
    <>
      {text.length > maxTypedCharacters ? (
        <p class="row held-text">
          {words.held(shownCount(text.length))}
          <button type="button" onClick={() => onText('')}>
            {words.clear}
          </button>
        </p>
      ) : (
        <label>
          {words.pasteHere}
          <textarea
            class="rows"
            rows={8}
            wrap="off"
            spellcheck={false}
            placeholder={words.pasteHelp}
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
            onPaste={(event) => {
              const pasted = event.clipboardData?.getData('text/plain') ?? '';
              if (pasted.length <= maxTypedCharacters) return;
              event.preventDefault();
              onText(pasted);
            }}
          />
        </label>
      )}
      <label>
        {words.file}
        <input
          type="file"
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
          onClick={({ currentTarget }) => {
            // Without this, a file that was corrected and is chosen again causes no `change` event.
            currentTarget.value = '';
          }}
          onChange={(event) => void open(event.currentTarget.files?.[0])}
        />
      </label>
      {fault !== null && (
        <p class="wrong" role="alert">
          {faultInWords(fault)}
        </p>
      )}
    </>
  );
}
