import type { Refused } from '../ask/call.ts';
import { type Marked, maxMarked, noMarks } from '../ask/marks.ts';
import type { Pages } from '../ask/pages.ts';
import { useMedia } from '../parts/hooks.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { say } from '../texts/index.ts';
import { CellBar } from './cell-bar.tsx';
import type { Cell } from './cells.ts';
import { MarkedBar } from './marked-bar.tsx';
import type { Shown } from './widths.ts';

export interface SelectionBarProps extends Pick<TabProps, 'table' | 'onShow' | 'onAdd'> {
  readonly marked: Marked;
  readonly pages: Pages;
  readonly error: Refused | null;
  readonly columns: readonly Shown[];
  readonly selected: Cell | null;
  readonly canMark: boolean;
  onOpen(row: number): void;
  onMarked(marked: Marked): void;
}

/** The bar for the marked records; if there are none, the bar for the selected cell. */
export function SelectionBar(props: SelectionBarProps) {
  const { table, pages, error, marked, columns, selected, canMark, onShow, onAdd, onMarked, onOpen } = props;
  const isTouched = useMedia('(hover: none)');
  if (marked.size > 0)
    return (
      <MarkedBar
        {...{ marked, most: maxMarked(table.key) }}
        onRemove={() => onShow({ panel: 'remove', row: null })}
        onClear={() => onMarked(noMarks)}
      />
    );
  if (pages.first === null ? error !== null : pages.length === 0) return null;
  const shown = selected === null ? undefined : columns[selected.column];
  return (
    <CellBar
      column={shown?.column ?? null}
      referred={shown?.referred ?? null}
      value={selected === null || shown === undefined ? undefined : pages.row(selected.row)?.[shown.at]}
      hint={isTouched ? say.tapCell : canMark ? `${say.chooseCell} ${say.chooseMarks}` : say.chooseCell}
      onFilter={(condition) => onAdd([condition])}
      onOpen={() => selected !== null && onOpen(selected.row)}
    />
  );
}
