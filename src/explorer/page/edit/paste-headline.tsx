import { useEffect, useRef } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import { shownCount } from '../texts/index.ts';
import { words } from './texts/index.ts';
import type { WriteError } from './write-error.ts';
import { Wrong } from './wrong.tsx';

export interface HeadlineProps {
  readonly wrong: WriteError | null;
  readonly columns: readonly Column[];
  readonly isChecked: boolean;
  /** The number of rows, as text. */
  readonly all: string;
}

/** The error, or the news that the dry run has passed. Each takes the focus when it is new. */
export function Headline({ wrong, columns, isChecked, all }: HeadlineProps) {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wrong !== null || isChecked) head.current?.focus();
  }, [wrong, isChecked]);
  return (
    <div ref={head} tabIndex={-1} class="said" role={wrong === null ? 'status' : 'alert'}>
      {wrong === null ? (
        isChecked && words.checked(all)
      ) : (
        <Wrong text={inWords(wrong, columns)} details={wrong.details} />
      )}
    </div>
  );
}

function inWords({ row, fields, text }: WriteError, columns: readonly Column[]): string {
  if (row === null) return text;
  const labels = fields.map((field) => columns.find(({ name }) => name === field)?.label ?? field);
  return words.row(shownCount(row + 1), labels.join(', '), text);
}
