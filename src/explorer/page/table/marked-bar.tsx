import type { Marked } from '../ask/marks.ts';
import { say, shownCount } from '../texts/index.ts';

export interface MarkedBarProps {
  readonly marked: Marked;
  readonly most: number;
  onRemove(): void;
  onClear(): void;
}

/** A toolbar with the number of marked records and the bulk actions for them. */
export function MarkedBar({ marked: { size }, most, onRemove, onClear }: MarkedBarProps) {
  return (
    <section class="cell-bar" aria-label={say.marked}>
      <b role="status">{say.markedCount(shownCount(size), size)}</b>
      <span class="spring note">{size >= most && say.mostMarked(shownCount(most))}</span>
      <span class="row">
        <button type="button" onClick={onRemove}>
          {say.removeMarked}
        </button>
        <button type="button" onClick={onClear}>
          {say.clearMarks}
        </button>
      </span>
    </section>
  );
}
