import { say } from '../texts/index.ts';
import type { Block } from './block.ts';
import { cellOf, markOf } from './cells.ts';
import type { GridProps } from './grid.tsx';
import { Head } from './head.tsx';
import { Row } from './row.tsx';
import { markWidth, rowHeight, type Screen } from './screen.ts';

export interface GridTableProps extends GridProps {
  /** The rows and columns to render. */
  readonly screen: Screen;
  /** The left edge of each column, then the right edge of the last one. */
  readonly edges: readonly number[];
}

/** The table in the grid's scrolling box, with its mouse handling. */
export function GridTable(props: GridTableProps) {
  const { total, columns, frozen, selected, isMarked, isOld, screen, edges, sort } = props;
  const { onSort, onMenu, onResize, onSelect, onOpen, onMark } = props;
  const { from, to } = screen;
  const hasMarks = isMarked !== null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
    <table
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA in HTML allows a table to be a grid
      role="grid"
      aria-label={say.records}
      aria-rowcount={total === null ? -1 : total + 1}
      aria-colcount={columns.length + (hasMarks ? 1 : 0)}
      aria-multiselectable={hasMarks || undefined}
      aria-busy={isOld}
      style={{ width: `${edges.at(-1) ?? 0}px` }}
      onClick={(event) => {
        const cell = cellOf(event.target);
        if (cell !== null) return onSelect(cell, false);
        const mark = markOf(event.target);
        if (mark !== null) onMark(mark, event.shiftKey);
      }}
      onFocusIn={(event) => {
        const cell = cellOf(event.target);
        if (cell !== null && (cell.row !== selected.row || cell.column !== selected.column)) onSelect(cell, false);
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
        {/* Fills the remaining width if there are few columns. */}
        <col />
      </colgroup>
      {columns.length > 0 && (
        <Head {...{ columns, frozen, from, to, edges, sort, hasMarks, onSort, onMenu, onResize }} />
      )}
      <Body {...props} />
    </table>
  );
}

function Body(props: GridTableProps) {
  const { pages, columns, frozen, words, selected, block, open, isMarked, screen, edges } = props;
  const { first, last, from, to } = screen;
  const count = columns.length === 0 ? 0 : Math.max(0, last - first + 1);
  const span = columns.length + (isMarked === null ? 1 : 2);
  return (
    <tbody>
      <Gap rows={first} span={span} />
      {Array.from({ length: count }, (_, nth) => first + nth).map((index) => (
        <Row
          key={index}
          at={index}
          cells={pages.row(index)}
          {...{ columns, frozen, from, to, edges, words }}
          selected={index === selected.row ? selected.column : -1}
          left={isIn(block, index) ? block.left : -1}
          right={isIn(block, index) ? block.right : -1}
          isOpen={index === open}
          isMarked={isMarked?.(index) ?? null}
        />
      ))}
      <Gap rows={pages.length - 1 - last} span={span} />
    </tbody>
  );
}

/** Whether a row is in a block of several cells. */
const isIn = ({ top, bottom, left, right }: Block, row: number): boolean =>
  (top < bottom || left < right) && top <= row && row <= bottom;

/** A spacer for rows that are not rendered. */
function Gap({ rows, span }: { readonly rows: number; readonly span: number }) {
  if (rows <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused
    <tr aria-hidden="true" class="gap">
      <td colSpan={span} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  );
}
