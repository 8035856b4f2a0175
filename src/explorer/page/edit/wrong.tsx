import { Details } from '../parts/trouble.tsx';
import type { WriteError } from './write-error.ts';

/** What is wrong with a write: a sentence, and the gateway's own message. */
export function Wrong({ text, details }: Pick<WriteError, 'text' | 'details'>) {
  return (
    <>
      <p class="wrong">{text}</p>
      {details !== '' && <Details of={details} />}
    </>
  );
}
