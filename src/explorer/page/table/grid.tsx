/** The records as a virtual grid: it renders only the rows on the screen, and loads only those nearby. */
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Pages } from '../ask/pages.ts';
import { say } from '../texts/index.ts';
import { Head, type HeadProps } from './head.tsx';
import { Row } from './row.tsx';
import { edgesOf, markWidth, reveal, rowHeight, useScreen } from './screen.ts';
import type { Shown } from './widths.ts';

export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface GridProps extends Pick<HeadProps, 'sort' | 'onSort' | 'onMenu'> {
  readonly pages: Pages;
  /** The total number of records; null until they are counted. */
  readonly total: number | null;
  readonly columns: readonly Shown[];
  readonly words: readonly string[];
  readonly selected: Cell;
  /** The row whose record is open in the panel; -1 for none. */
  readonly open: number;
  /** Whether a row is marked; null if rows cannot be marked. */
  readonly isMarked: ((row: number) => boolean) | null;
  readonly isOld: boolean;
  onSelect(cell: Cell): void;
  onOpen(row: number): void;
  /** @param isFurther whether to mark all rows since the last marked one (Shift) */
  onMark(row: number, isFurther: boolean): void;
}

/** Number of rows to load ahead of the screen. */
const rowsReadAhead = 120;

export function Grid({
  pages,
  total,
  columns,
  words,
  selected,
  open,
  isMarked,
  isOld,
  sort,
  onSort,
  onMenu,
  onSelect,
  onOpen,
  onMark,
}: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const mustFocus = useRef(false);
  const hasMarks = isMarked !== null;
  const edges = useMemo(
    () =>
      edgesOf(
        columns.map(({ width }) => width),
        hasMarks ? markWidth : 0,
      ),
    [columns, hasMarks],
  );
  const span = columns.length + (hasMarks ? 1 : 0);
  const { first, last, from, to } = useScreen(box, pages.length, edges);
  // The columns are known only after the first response.
  const count = columns.length === 0 ? 0 : Math.max(0, last - first + 1);
  const visible = Array.from({ length: count }, (_, nth) => first + nth);

  useEffect(() => pages.load(first, last + rowsReadAhead));
  // A layout effect: the grid must be back at the top before the rows of a new search are painted.
  useLayoutEffect(() => box.current?.scrollTo({ top: 0 }), [pages.name]);
  useLayoutEffect(() => {
    if (!mustFocus.current) return;
    const cell = box.current?.querySelector<HTMLElement>(
      `[data-row="${selected.row}"][data-column="${selected.column}"]`,
    );
    if (cell === null || cell === undefined) return;
    mustFocus.current = false;
    // The cell may be rendered after the user has moved on. We take the focus only if it is still in the grid, or on body, where it goes when a
    // focused cell is removed.
    const focused = document.activeElement;
    if (focused === document.body || box.current?.contains(focused)) cell.focus({ preventScroll: true });
  });

  const move = (row: number, column: number) => {
    const to = { row: clamp(row, pages.length), column: clamp(column, columns.length) };
    mustFocus.current = true;
    onSelect(to);
    if (box.current !== null) reveal(box.current, to.row, edges, to.column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest('thead') !== null) return;
    if (event.key === 'Enter') return onOpen(selected.row);
    if (event.key === ' ' && hasMarks) {
      event.preventDefault();
      return onMark(selected.row, event.shiftKey);
    }
    const screen = Math.max(1, Math.floor((box.current?.clientHeight ?? 400) / rowHeight) - 3);
    const to = moved(event, selected, screen, { row: pages.length - 1, column: columns.length - 1 });
    if (to === null) return;
    event.preventDefault();
    move(to.row, to.column);
  };
  // The selected cell is the tab stop. If it is scrolled out of view, the box takes the focus and handles the keys.
  const isAway = selected.row < first || selected.row > last || selected.column < from || selected.column > to;
  const above = first * rowHeight;
  const below = Math.max(0, pages.length - 1 - last) * rowHeight;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of the grid, whose cells come and go
    <div ref={box} class={`grid${isOld ? ' old' : ''}`} tabIndex={isAway ? 0 : -1} onKeyDown={onKeyDown}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys */}
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA in HTML allows a table to be a grid
        role="grid"
        aria-label={say.records}
        aria-rowcount={total === null ? -1 : total + 1}
        aria-colcount={span}
        aria-multiselectable={hasMarks || undefined}
        aria-busy={isOld}
        style={{ width: `${edges.at(-1)}px` }}
        onClick={(event) => {
          const cell = cellOf(event.target);
          if (cell !== null) return onSelect(cell);
          const mark = markOf(event.target);
          if (mark === null) return;
          // After a click on a checkbox, the arrow keys continue from this row.
          mustFocus.current = true;
          onMark(mark, event.shiftKey);
        }}
        onFocusIn={(event) => {
          const cell = cellOf(event.target);
          if (cell !== null && (cell.row !== selected.row || cell.column !== selected.column)) onSelect(cell);
        }}
        onDblClick={(event) => {
          const cell = cellOf(event.target);
          if (cell !== null) onOpen(cell.row);
        }}
      >
        <colgroup>
          {hasMarks && <col style={{ width: `${markWidth}px` }} />}
          {columns.map(({ column, width }) => (
            <col key={column.name} style={{ width: `${width}px` }} />
          ))}
          {/* Fills the rest of the width if there are few columns. */}
          <col />
        </colgroup>
        {columns.length > 0 && <Head {...{ columns, from, to, sort, hasMarks, onSort, onMenu }} />}
        <tbody>
          {above > 0 && <Gap height={above} span={span} />}
          {visible.map((index) => (
            <Row
              key={index}
              at={index}
              cells={pages.row(index)}
              columns={columns}
              from={from}
              to={to}
              selected={index === selected.row ? selected.column : -1}
              isOpen={index === open}
              isMarked={isMarked?.(index) ?? null}
              words={words}
            />
          ))}
          {below > 0 && <Gap height={below} span={span} />}
        </tbody>
      </table>
    </div>
  );
}

/** A spacer for rows that are not rendered. */
function Gap({ height, span }: { readonly height: number; readonly span: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused
    <tr aria-hidden="true" class="gap">
      <td colSpan={span + 1} style={{ height: `${height}px` }} />
    </tr>
  );
}

const clamp = (at: number, count: number) => Math.max(0, Math.min(at, count - 1));

function cellOf(target: EventTarget | null): Cell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-row]') : null;
  return cell === null ? null : { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
}

/** The row of a checkbox cell. */
function markOf(target: EventTarget | null): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-mark]') : null;
  return cell === null ? null : Number(cell.dataset.mark);
}

/** The cell that a key moves to, by the grid pattern of the ARIA Authoring Practices; null for other keys. */
function moved(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { row, column }: Cell,
  screen: number,
  end: Cell,
): Cell | null {
  if (altKey) return null;
  const isFar = ctrlKey || metaKey;
  switch (key) {
    case 'ArrowDown':
      return { row: row + 1, column };
    case 'ArrowUp':
      return { row: row - 1, column };
    case 'ArrowRight':
      return { row, column: column + 1 };
    case 'ArrowLeft':
      return { row, column: column - 1 };
    case 'PageDown':
      return { row: row + screen, column };
    case 'PageUp':
      return { row: row - screen, column };
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 };
    case 'End':
      return { row: isFar ? end.row : row, column: end.column };
    default:
      return null;
  }
}
