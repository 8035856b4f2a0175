/** The part of a table that is on the screen. Rows have one height, so that it is found by a division. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export const rowHeight = 34;
export const headHeight = 48;
/** The column of marks, which stays where it is. */
export const markWidth = 40;

/** What is rendered, with some more on each side: rows and columns, the last ones included. */
export interface Screen {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

/** Pixels in which scrolling is followed: rendering for each of them would cost more than the rows that are saved. */
const step = { y: 6 * rowHeight, x: 120 };
/** Rows on each side beyond a step. */
const more = 8;

/**
 * Follows the scrolling of a box.
 * @param edges where each column begins, and where the last one ends
 */
export function useScreen(box: RefObject<HTMLDivElement | null>, rows: number, edges: readonly number[]): Screen {
  const [{ top, left, height, width }, setSeen] = useState({ top: 0, left: 0, height: 640, width: 1280 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () =>
      setSeen((now) => {
        const { clientHeight: height, clientWidth: width } = element;
        const top = Math.floor(element.scrollTop / step.y) * step.y;
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
    last: Math.min(rows - 1, Math.ceil((top + step.y + height) / rowHeight) + more),
    from: Math.max(0, edges.findIndex((edge) => edge > left) - 2),
    to: Math.min(edges.length - 2, right < 0 ? edges.length : right + 1),
  };
}

/** Where each column begins, and where the last one ends. The first one begins at `start`. */
export function edgesOf(widths: readonly number[], start: number): readonly number[] {
  const edges = [start];
  for (const width of widths) edges.push((edges.at(-1) ?? 0) + width);
  return edges;
}

/** Scrolls a cell onto the screen, if it is not there. */
export function reveal(box: HTMLElement, row: number, edges: readonly number[], column: number): void {
  const [start = 0] = edges;
  const [top, left, right] = [row * rowHeight, (edges[column] ?? 0) - start, edges[column + 1] ?? 0];
  const room = box.clientHeight - headHeight - rowHeight;
  box.scrollTop = Math.max(Math.min(box.scrollTop, top), top - room);
  box.scrollLeft = Math.max(Math.min(box.scrollLeft, left), right - box.clientWidth);
}
