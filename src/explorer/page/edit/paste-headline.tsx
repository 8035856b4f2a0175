import { useEffect, useRef } from 'preact/hooks';
import { shownCount } from '../texts/index.ts';
import { words } from './texts/index.ts';
import type { WriteError } from './write-error.ts';
import { Wrong } from './wrong.tsx';

export interface HeadlineProps {
  readonly wrong: WriteError | null;
  readonly isChecked: boolean;
  /** The number of rows, as text. */
  readonly all: string;
}

/** The error, or the news that the dry run has passed. Each takes the focus when it is new. */
export function Headline({ wrong, isChecked, all }: HeadlineProps) {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wrong !== null || isChecked) head.current?.focus();
  }, [wrong, isChecked]);
  return (
    <div ref={head} tabIndex={-1} class="said" role={wrong === null ? 'status' : 'alert'}>
      {wrong === null ? isChecked && words.checked(all) : <Wrong text={inWords(wrong)} details={wrong.details} />}
    </div>
  );
}

const inWords = ({ row, fields, text }: WriteError): string =>
  row === null ? text : words.row(shownCount(row + 1), fields.join(', '), text);
