/** Scrolls the explorer far, and measures the memory afterwards. */
import type { Page } from 'playwright-core';

/** A rendered row, and the text of its first cell. */
export type Rendered = readonly [row: number, value: string];

/**
 * Scrolls to a row, and returns the rendered rows once they are complete.
 * @throws after 20 s
 */
export function rowsAt(page: Page, row: number): Promise<readonly Rendered[]> {
  return page.evaluate<readonly Rendered[]>(`(async () => {
    const grid = document.querySelector('.grid');
    const frame = () => new Promise((shown) => requestAnimationFrame(shown));
    for (const limit = performance.now() + 20000; performance.now() < limit; ) {
      grid.scrollTop = ${row} * 36;
      await frame();
      await frame();
      const rows = [...grid.querySelectorAll('tbody tr:not(.gap)')];
      const first = rows.map((one) => one.querySelector('td[data-row]'));
      if (grid.querySelector('.wait') === null && first.some((cell) => Number(cell.dataset.row) === ${row}))
        return first.map((cell) => [Number(cell.dataset.row), cell.title || cell.textContent]);
    }
    throw new Error('row ${row} is not there');
  })()`);
}

export interface Scrolled {
  /** How many rows were on or near the screen. */
  readonly seen: number;
  /** The maximum number of rows rendered at a time. */
  readonly rendered: number;
}

/** Visits every `step`-th row down to `last` and back. Throws if a row shows another value than the file. */
export async function scrollThrough(
  page: Page,
  last: number,
  step: number,
  file: readonly string[],
): Promise<Scrolled> {
  const down = Array.from({ length: Math.floor(last / step) + 1 }, (_, nth) => nth * step);
  const seen = new Set<number>();
  let rendered = 0;
  for (const to of [...down, ...[...down].reverse()]) {
    const rows = await rowsAt(page, to);
    rendered = Math.max(rendered, rows.length);
    for (const [row, value] of rows) {
      if (value !== file[row]) throw new Error(`row ${row} shows ${value} instead of ${file[row]}`);
      seen.add(row);
    }
  }
  return { seen: seen.size, rendered };
}

/** Bytes in use in the page's heap, after garbage collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** The first values of a column in its order, from a download. */
export async function columnOf(url: string, id: string, field: string, most = 100_000): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/datastore/dump/${id}?fields=${field}&sort=${field}&limit=${most}`)).text();
  return text.trimEnd().split(/\r?\n/).slice(1);
}
