import type { Condition } from '../ask/conditions.ts';
import { Name } from '../parts/value.tsx';
import { say, summaryWords as words } from '../texts/index.ts';

export interface ChoiceProps {
  /** The text to show; null for NULL and for the empty text. */
  readonly text: string | null;
  /** The value with all digits. */
  readonly exact: string | null;
  /** What a click filters by. */
  readonly names: string;
  readonly conditions: readonly Condition[];
  onAdd(conditions: readonly Condition[]): void;
}

/** A cell, a row's or a column's name in a comparison. A click filters by it. */
export function Choice({ text, exact, names, conditions, onAdd }: ChoiceProps) {
  return (
    <button type="button" title={`${exact ?? ''}\n${words.pick(names)}`.trim()} onClick={() => onAdd(conditions)}>
      {text === null ? <i class="null">{exact === '' ? say.emptyText : say.noValue}</i> : <Name of={text} />}
    </button>
  );
}
