/** The grid's keys: the arrows move the selected cell, and with Alt they resize its column; Enter opens its record, Space marks it. */
import { stepOf } from './arrangement.ts';
import { type Cell, cellAfterKey } from './cells.ts';
import type { GridProps } from './grid.tsx';

/**
 * Handles a key that was pressed in the grid. The column headers handle their own.
 * @param screenRows the number of rows that fit on the screen
 * @param onMove called with the cell that the key moves to
 */
export function handleGridKey(
  event: KeyboardEvent,
  { pages, columns, selected, isMarked, onResize, onOpen, onMark }: GridProps,
  screenRows: number,
  onMove: (cell: Cell) => void,
): void {
  if (event.target instanceof HTMLElement && event.target.closest('thead') !== null) return;
  const step = stepOf(event);
  const resized = step === 0 ? undefined : columns[selected.column];
  const cell = cellAfterKey(event, selected, screenRows, { row: pages.length - 1, column: columns.length - 1 });
  if (event.key === 'Enter') {
    onOpen(selected.row);
    return;
  }
  if (resized !== undefined) onResize(resized.column.name, resized.width + step);
  else if (event.key === ' ' && isMarked !== null) onMark(selected.row, event.shiftKey);
  else if (cell !== null) onMove(cell);
  else return;
  event.preventDefault();
}
