import { say, shownCount } from '../texts/index.ts';
import { type Marked, mostMarked } from './marks.ts';

export interface MarkedBarProps {
  readonly marked: Marked;
  onRemove(): void;
  onClear(): void;
}

/** How many records are marked, and what can be done with them. */
export function MarkedBar({ marked: { size }, onRemove, onClear }: MarkedBarProps) {
  return (
    <section class="cell-bar" aria-label={say.marked}>
      <b role="status">{say.markedCount(shownCount(size), size)}</b>
      <span class="spring note">{size >= mostMarked && say.mostMarked(shownCount(mostMarked))}</span>
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
