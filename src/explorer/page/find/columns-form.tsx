import { useState } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import { Name } from '../parts/value.tsx';
import { say } from '../texts/index.ts';

export interface ColumnsFormProps {
  readonly columns: readonly Column[];
  /** Null means that all columns are shown. */
  readonly fields: readonly string[] | null;
  onChange(fields: readonly string[] | null): void;
}

/** Chooses the visible columns. */
export function ColumnsForm({ columns, fields, onChange }: ColumnsFormProps) {
  const [words, setWords] = useState('');
  const isShown = (name: string) => fields === null || fields.includes(name);
  const matches = columns.filter(({ label, name }) => `${label} ${name}`.toLowerCase().includes(words.toLowerCase()));
  const toggle = (name: string) => {
    const next = columns.map((column) => column.name).filter((one) => (one === name ? !isShown(one) : isShown(one)));
    onChange(next.length === columns.length ? null : next);
  };
  const shown = columns.filter(({ name }) => isShown(name)).length;
  return (
    <div class="form">
      {columns.length > 12 && (
        <input
          type="search"
          aria-label={say.findColumn}
          placeholder={say.findColumn}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <ul class="checks">
        {matches.map(({ name, label, type }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={isShown(name)}
                disabled={shown === 1 && isShown(name)}
                onChange={() => toggle(name)}
              />
              <span dir="auto">
                <Name of={label} />
              </span>{' '}
              <small>{type}</small>
            </label>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" disabled={fields === null} onClick={() => onChange(null)}>
        {say.showAll}
      </button>
    </div>
  );
}
