import { Component } from 'preact';
import { textOf } from '../ask/json.ts';
import type { Row as Cells } from '../ask/pages.ts';
import { Value } from '../parts/value.tsx';
import { say, shownCount } from '../texts/index.ts';
import { missing, type Shown } from './widths.ts';

export interface RowProps {
  readonly at: number;
  /** Undefined while the row is loading. */
  readonly cells: Cells | undefined;
  readonly columns: readonly Shown[];
  /** The range of visible columns. */
  readonly from: number;
  readonly to: number;
  /** The column of the selected cell; -1 in all other rows. */
  readonly selected: number;
  readonly isOpen: boolean;
  /** Whether the row is marked; null if rows cannot be marked. */
  readonly isMarked: boolean | null;
  readonly words: readonly string[];
}

/** Characters of a value that a cell shows. */
const maxCharacters = 200;

/** A row of the grid. It renders again only if one of its properties has changed. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const now = this.props;
    return (
      now.cells !== next.cells ||
      now.selected !== next.selected ||
      now.isOpen !== next.isOpen ||
      now.isMarked !== next.isMarked ||
      now.columns !== next.columns ||
      now.words !== next.words ||
      now.from !== next.from ||
      now.to !== next.to
    );
  }

  override render({ at, cells, columns, from, to, selected, isOpen, isMarked, words }: RowProps) {
    const after = columns.length - 1 - to;
    const before = isMarked === null ? 1 : 2;
    return (
      <tr aria-rowindex={at + 2} aria-selected={isMarked ?? isOpen} class={isOpen || isMarked ? 'open' : ''}>
        {isMarked !== null && (
          <td class="mark" data-mark={cells && at} aria-colindex={1}>
            {cells && (
              <input type="checkbox" tabIndex={-1} checked={isMarked} aria-label={say.markRow(shownCount(at + 1))} />
            )}
          </td>
        )}
        {from > 0 && <td colSpan={from} aria-hidden="true" />}
        {columns.slice(from, to + 1).map(({ column: { name, kind }, at: place, decimals }, offset) => {
          const nth = from + offset;
          const value = cells?.[place] ?? null;
          return (
            <td
              key={name}
              aria-colindex={nth + before}
              data-row={at}
              data-column={nth}
              data-missing={
                kind === 'number' && cells !== undefined ? missing(textOf(value) ?? '', decimals) : undefined
              }
              tabIndex={selected === nth ? 0 : -1}
              class={kind === 'number' ? 'number' : ''}
              dir={kind === 'text' ? 'auto' : undefined}
            >
              {cells === undefined ? <span class="wait" /> : <Value value={value} words={words} most={maxCharacters} />}
            </td>
          );
        })}
        <td colSpan={after + 1} aria-hidden="true" />
      </tr>
    );
  }
}
