/** The grid's cells: which one an event is about, and which one a key moves to. */

export interface Cell {
  readonly row: number;
  readonly column: number;
}

export function cellOf(target: EventTarget | null): Cell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-row]') : null;
  return cell === null ? null : { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
}

/** A checkbox cell's row. */
export function markOf(target: EventTarget | null): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-mark]') : null;
  return cell === null ? null : Number(cell.dataset.mark);
}

/**
 * The cell that a key moves to, as in the ARIA Authoring Practices' grid pattern; null for other keys.
 * @param screenRows the number of rows that fit on the screen
 * @param end the grid's last cell
 */
export function cellAfterKey(event: KeyboardEvent, selected: Cell, screenRows: number, end: Cell): Cell | null {
  const to = keyTarget(event, selected, screenRows, end);
  return to && { row: within(to.row, end.row), column: within(to.column, end.column) };
}

const within = (at: number, last: number) => Math.max(0, Math.min(at, last));

function keyTarget(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { row, column }: Cell,
  screenRows: number,
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
      return { row: row + screenRows, column };
    case 'PageUp':
      return { row: row - screenRows, column };
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 };
    case 'End':
      return { row: isFar ? end.row : row, column: end.column };
    default:
      return null;
  }
}
