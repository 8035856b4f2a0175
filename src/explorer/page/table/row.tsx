import { Component } from 'preact';
import { textOf } from '../ask/json.ts';
import type { Row as Cells } from '../ask/pages.ts';
import { CellValue, exactText } from '../parts/cell-value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { barWidth, missing, type Shown } from './widths.ts';

export interface RowProps {
  readonly at: number;
  /** Undefined while the row is loading. */
  readonly cells: Cells | undefined;
  readonly columns: readonly Shown[];
  /** How many of the first columns do not scroll. */
  readonly frozen: number;
  /** The range of visible columns. */
  readonly from: number;
  readonly to: number;
  /** The left edge of each column. */
  readonly edges: readonly number[];
  /** The column of the selected cell; -1 in all other rows. */
  readonly selected: number;
  /** The selected block's columns; -1 in rows outside it. */
  readonly left: number;
  readonly right: number;
  readonly isOpen: boolean;
  /** Whether the row is marked; null if rows cannot be marked. */
  readonly isMarked: boolean | null;
  readonly words: readonly string[];
}

/** A row of the grid. It renders again only if one of its properties has changed. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const now = this.props;
    return (
      now.cells !== next.cells ||
      now.selected !== next.selected ||
      now.left !== next.left ||
      now.right !== next.right ||
      now.isOpen !== next.isOpen ||
      now.isMarked !== next.isMarked ||
      now.columns !== next.columns ||
      now.frozen !== next.frozen ||
      now.edges !== next.edges ||
      now.words !== next.words ||
      now.from !== next.from ||
      now.to !== next.to
    );
  }

  override render(props: RowProps) {
    const { at, cells, columns, frozen, from, to, isOpen, isMarked } = props;
    const after = columns.length - 1 - to;
    const first = Math.max(from, frozen);
    return (
      <tr aria-rowindex={at + 2} aria-selected={isMarked ?? isOpen} class={isOpen || isMarked ? 'open' : ''}>
        {isMarked !== null && (
          <td class="mark" data-mark={cells && at} aria-colindex={1}>
            {cells && (
              <input type="checkbox" tabIndex={-1} checked={isMarked} aria-label={say.markRow(shownCount(at + 1))} />
            )}
          </td>
        )}
        {columns.slice(0, frozen).map((shown, nth) => cellOf(props, shown, nth))}
        {first > frozen && <td colSpan={first - frozen} aria-hidden="true" />}
        {columns.slice(first, to + 1).map((shown, offset) => cellOf(props, shown, first + offset))}
        <td colSpan={after + 1} aria-hidden="true" />
      </tr>
    );
  }
}

function cellOf(props: RowProps, shown: Shown, nth: number) {
  const { at, cells, frozen, edges, selected, left, right, isMarked, words } = props;
  const { column, look, isNumber, referred, at: place, decimals, largest } = shown;
  const { name, kind } = column;
  const value = cells?.[place] ?? null;
  return (
    <td
      key={name}
      aria-colindex={nth + (isMarked === null ? 1 : 2)}
      data-row={at}
      data-column={nth}
      data-missing={isNumber && cells !== undefined ? missing(textOf(value) ?? '', decimals) : undefined}
      title={cells === undefined ? undefined : exactText(value, column, look, referred !== null)}
      tabIndex={selected === nth ? 0 : -1}
      class={[
        ...(isNumber ? ['number'] : []),
        ...(nth < frozen ? ['frozen'] : []),
        ...(look.icon === 'key' ? ['soft'] : []),
        ...(left <= nth && nth <= right ? ['block'] : []),
      ].join(' ')}
      style={nth < frozen ? { insetInlineStart: `${edges[nth] ?? 0}px` } : undefined}
      dir={kind === 'text' ? 'auto' : undefined}
    >
      {cells === undefined ? (
        <span class="wait" style={{ width: `${30 + ((at * 7 + nth * 3) % 5) * 12}%` }} />
      ) : (
        <>
          {largest !== null && value !== null && (
            <span class="size" style={{ width: `${sizeOf(Number(textOf(value)), largest)}px` }} />
          )}
          <CellValue {...{ value, column, look, referred, words }} />
        </>
      )}
    </td>
  );
}

/** The length of the bar that compares a number with the largest one; at least 2 pixels, so that it is visible. */
const sizeOf = (number: number, largest: number): number =>
  Number.isFinite(number) ? Math.round(Math.max(2, Math.min(1, number / largest) * barWidth)) : 0;
