/** The records as a virtual grid: it renders only the rows on the screen, and loads only those nearby. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Pages } from '../ask/pages.ts';
import { type Block, tsvOf } from './block.ts';
import type { Cell } from './cells.ts';
import { handleGridKey } from './grid-keys.ts';
import { GridTable } from './grid-table.tsx';
import type { HeadProps } from './head.tsx';
import { edgesOf, isRendered, markWidth, reveal, rowHeight, rowsIn, useScreen } from './screen.ts';
import type { Shown } from './widths.ts';

export interface GridProps extends Pick<HeadProps, 'sort' | 'onSort' | 'onMenu' | 'onResize'> {
  readonly pages: Pages;
  /** The total number of records; null until they are counted. */
  readonly total: number | null;
  readonly columns: readonly Shown[];
  /** How many of the first columns do not scroll. */
  readonly frozen: number;
  readonly words: readonly string[];
  readonly selected: Cell;
  /** The cells to copy: the selected one, or a block that ends there. */
  readonly block: Block;
  /** The row whose record is open in the panel; -1 for none. */
  readonly open: number;
  /** Whether a row is marked; null if rows cannot be marked. */
  readonly isMarked: ((row: number) => boolean) | null;
  readonly isOld: boolean;
  /** @param isFurther whether to extend the block to this cell (Shift) */
  onSelect(cell: Cell, isFurther: boolean): void;
  /** Called when other rows come onto the screen, or have been loaded. */
  onScreen(first: number, last: number): void;
  onOpen(row: number): void;
  /** @param isFurther whether to mark all rows since the last marked one (Shift) */
  onMark(row: number, isFurther: boolean): void;
}

/** How many rows beyond the screen are loaded ahead. */
const rowsReadAhead = 120;

export function Grid(props: GridProps) {
  const { pages, columns, frozen, selected, block, isMarked, isOld, onSelect, onScreen, onMark } = props;
  const box = useRef<HTMLDivElement>(null);
  const hasMarks = isMarked !== null;
  const edges = useMemo(
    () =>
      edgesOf(
        columns.map(({ width }) => width),
        hasMarks ? markWidth : 0,
      ),
    [columns, hasMarks],
  );
  const screen = useScreen(box, pages.length, edges, rowHeight);
  const { first, last } = screen;
  useEffect(() => {
    pages.load(first, last + rowsReadAhead);
    onScreen(first, last);
  });
  // A layout effect, because the grid must be back at the top before a new search's rows are painted.
  useLayoutEffect(() => box.current?.scrollTo({ top: 0 }), [pages.name]);
  const focusSelected = useCellFocus(box, selected);
  const onKeyDown = (event: KeyboardEvent) =>
    handleGridKey(event, props, rowsIn(box.current), (cell) => {
      focusSelected();
      onSelect(cell, event.shiftKey);
      if (box.current !== null) reveal(box.current, cell.row, edges, cell.column, frozen);
    });
  const onMarkClick = (row: number, isFurther: boolean) => {
    // After a click on a checkbox, the arrow keys continue from this row.
    focusSelected();
    onMark(row, isFurther);
  };
  const onCopy = (event: ClipboardEvent) => {
    if (event.clipboardData === null || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', tsvOf(block, pages, columns));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of the grid, whose cells come and go
    <div
      ref={box}
      class={`grid${isOld ? ' old' : ''}`}
      // The selected cell is the tab stop. If it is scrolled out of view, the box takes the focus and handles the keys.
      tabIndex={isRendered(selected, screen, frozen) ? -1 : 0}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
    >
      <GridTable {...props} {...{ screen, edges, onMark: onMarkClick }} />
    </div>
  );
}

/** Returns a function that focuses the selected cell, once it is rendered. */
function useCellFocus(box: RefObject<HTMLDivElement | null>, selected: Cell): () => void {
  const mustFocus = useRef(false);
  useLayoutEffect(() => {
    if (!mustFocus.current) return;
    const cell = box.current?.querySelector<HTMLElement>(
      `[data-row="${selected.row}"][data-column="${selected.column}"]`,
    );
    if (cell === null || cell === undefined) return;
    mustFocus.current = false;
    // The cell may be rendered after the user has moved on. So take the focus only if it is still in the grid, or on body, where it goes when
    // a focused cell is removed.
    const focused = document.activeElement;
    if (focused === document.body || box.current?.contains(focused)) cell.focus({ preventScroll: true });
  });
  return () => {
    mustFocus.current = true;
  };
}
