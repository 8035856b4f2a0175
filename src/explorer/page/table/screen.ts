/** Which part of the grid is visible. All rows have the same height, so a division finds the visible ones. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Cell } from './cells.ts';

export const rowHeight = 36;
const headHeight = 52;
/** Width of the checkbox column, which does not scroll. */
export const markWidth = 40;

/** The rows and columns to render, with some margin; `last` and `to` are inclusive. */
export interface Screen {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

/** Scrolling is tracked in steps of this many rows and pixels, because rendering on every pixel would cost more than it saves. */
const step = { rows: 6, x: 120 };
/** Additional rows to render above and below. */
const more = 8;

/**
 * Tracks a box's scrolling.
 * @param edges the left edge of each column, then the right edge of the last one
 * @param height a row's height
 */
export function useScreen(
  box: RefObject<HTMLDivElement | null>,
  rows: number,
  edges: readonly number[],
  rowHeight: number,
): Screen {
  const stepHeight = step.rows * rowHeight;
  const [{ top, left, height, width }, setSeen] = useState({ top: 0, left: 0, height: 640, width: 1280 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () =>
      setSeen((now) => {
        const { clientHeight: height, clientWidth: width } = element;
        const top = Math.floor(element.scrollTop / stepHeight) * stepHeight;
        const left = Math.floor(element.scrollLeft / step.x) * step.x;
        const isSame = now.top === top && now.left === left && now.height === height && now.width === width;
        return isSame ? now : { top, left, height, width };
      });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const right = edges.findIndex((edge) => edge >= left + width + step.x);
  return {
    first: Math.max(0, Math.min(rows - 1, top / rowHeight) - more),
    last: Math.min(rows - 1, Math.ceil((top + stepHeight + height) / rowHeight) + more),
    from: Math.max(0, edges.findIndex((edge) => edge > left) - 2),
    to: Math.min(edges.length - 2, right < 0 ? edges.length : right + 1),
  };
}

/** Whether a cell is rendered. @param frozen how many of the first columns do not scroll: they always are */
export const isRendered = ({ row, column }: Cell, { first, last, from, to }: Screen, frozen: number): boolean =>
  row >= first && row <= last && (column < frozen || (column >= from && column <= to));

/** How many whole rows a box shows below its header, for Page Up and Page Down. */
export const rowsIn = (box: HTMLElement | null): number =>
  Math.max(1, Math.floor((box?.clientHeight ?? 400) / rowHeight) - 3);

/** The left edge of each column, then the right edge of the last one. The first column starts at `start`. */
export function edgesOf(widths: readonly number[], start: number): readonly number[] {
  const edges = [start];
  for (const width of widths) edges.push((edges.at(-1) ?? 0) + width);
  return edges;
}

/**
 * Scrolls a cell into view, if it is not visible.
 * @param frozen how many of the first columns do not scroll
 */
export function reveal(box: HTMLElement, row: number, edges: readonly number[], column: number, frozen: number): void {
  const start = edges[frozen] ?? 0;
  const [top, left, right] = [row * rowHeight, (edges[column] ?? 0) - start, edges[column + 1] ?? 0];
  const room = box.clientHeight - headHeight - rowHeight;
  box.scrollTop = Math.max(Math.min(box.scrollTop, top), top - room);
  if (column < frozen) return;
  box.scrollLeft = Math.max(Math.min(box.scrollLeft, left), right - box.clientWidth);
}
