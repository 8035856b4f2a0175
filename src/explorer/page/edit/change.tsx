import type { Json } from '../ask/json.ts';
import { Value } from '../parts/value.tsx';
import { words } from './texts/index.ts';

export interface ChangeProps {
  readonly value: Json | undefined;
  /** The value is cut off after this many characters. */
  readonly most: number;
}

/** The old value, which the write replaces or deletes. */
export function Before({ value, most }: ChangeProps) {
  return (
    <del>
      <span class="unseen-label">{words.before} </span>
      <Value value={value ?? null} words={[]} most={most} hasLines />
    </del>
  );
}

/** The new value that the write stores. */
export function After({ value, most }: ChangeProps) {
  return (
    <ins>
      <span class="unseen-label">{words.after} </span>
      <Value value={value ?? null} words={[]} most={most} hasLines />
    </ins>
  );
}
