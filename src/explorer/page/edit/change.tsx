import type { Json } from '../ask/json.ts';
import { Value } from '../parts/value.tsx';
import { words } from './texts/index.ts';

export interface ChangeProps {
  readonly value: Json | undefined;
  /** Characters after which it is cut. */
  readonly most: number;
}

/** A value that a write takes away. */
export function Before({ value, most }: ChangeProps) {
  return (
    <del>
      <span class="unseen-label">{words.before} </span>
      <Value value={value ?? null} words={[]} most={most} hasLines />
    </del>
  );
}

/** A value that a write puts there. */
export function After({ value, most }: ChangeProps) {
  return (
    <ins>
      <span class="unseen-label">{words.after} </span>
      <Value value={value ?? null} words={[]} most={most} hasLines />
    </ins>
  );
}
