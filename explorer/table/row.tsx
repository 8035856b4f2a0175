import { Component } from 'preact';
import { textOf } from '../ask/json.ts';
import type { Row as Cells } from '../ask/pages.ts';
import { Value } from '../parts/value.tsx';
import { missing, type Shown } from './widths.ts';

export interface RowProps {
  readonly at: number;
  /** Undefined while it is being read. */
  readonly cells: Cells | undefined;
  readonly columns: readonly Shown[];
  /** The columns on the screen, from and to. */
  readonly from: number;
  readonly to: number;
  /** The column of the selected cell; -1 in all other rows. */
  readonly selected: number;
  readonly isOpen: boolean;
  readonly words: readonly string[];
}

/** Characters of a value that a cell shows. */
const most = 200;

/** A record. It is rendered again only if something of it has changed. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const now = this.props;
    return (
      now.cells !== next.cells ||
      now.selected !== next.selected ||
      now.isOpen !== next.isOpen ||
      now.columns !== next.columns ||
      now.words !== next.words ||
      now.from !== next.from ||
      now.to !== next.to
    );
  }

  override render({ at, cells, columns, from, to, selected, isOpen, words }: RowProps) {
    const after = columns.length - 1 - to;
    return (
      <tr aria-rowindex={at + 2} aria-selected={isOpen} class={isOpen ? 'open' : ''}>
        {from > 0 && <td colSpan={from} aria-hidden="true" />}
        {columns.slice(from, to + 1).map(({ column: { name, kind }, at: place, decimals }, offset) => {
          const nth = from + offset;
          const value = cells?.[place] ?? null;
          return (
            <td
              key={name}
              aria-colindex={nth + 1}
              data-row={at}
              data-column={nth}
              data-missing={
                kind === 'number' && cells !== undefined ? missing(textOf(value) ?? '', decimals) : undefined
              }
              tabIndex={selected === nth ? 0 : -1}
              class={kind === 'number' ? 'number' : ''}
              dir={kind === 'text' ? 'auto' : undefined}
            >
              {cells === undefined ? <span class="wait" /> : <Value value={value} words={words} most={most} />}
            </td>
          );
        })}
        {after > 0 && <td colSpan={after} aria-hidden="true" />}
      </tr>
    );
  }
}
