/** The explorer in a browser: the cost of its first view, and the memory after scrolling far. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnOf, heapOf, scrollThrough } from './explorer-scroll.ts';
import { type Explorer, openExplorer, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer?.stop());

const permits = '/datastore/explore/permits';

test('far down and back: each row is that of the file, each page is read once, and little is kept', async () => {
  const { page, sent, consoleLines, close } = await explorer.open(permits);
  await waitForCount(page, '30,000 records');
  const before = await heapOf(page);
  const { seen, rendered } = await scrollThrough(page, 3000, 60, await columnOf(explorer.url, 'permits', 'id'));
  expect(seen).toBeGreaterThan(1500);
  expect(rendered).toBeLessThanOrEqual(78);
  expect(sent.filter(({ body }) => body.includes('"lists"')).length).toBeLessThanOrEqual(33);
  expect((await heapOf(page)) - before).toBeLessThan(20_000_000);
  expect(consoleLines).toEqual([]);
  await close();
});

test('a box without a height would render everything: opening reads three pages at most', async () => {
  const { page, sent, close } = await explorer.open(permits, { viewport: { width: 390, height: 844 } });
  await page.locator('.record-list button', { hasText: 'facade' }).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(sent.filter(({ body }) => body.includes('"lists"')).length).toBeLessThanOrEqual(3);
  await close();
});

test('the first records take five requests, two more from the list, and less than 53 kB; the number of all comes later', async () => {
  const { page, close } = await explorer.open(permits);
  await waitForCount(page, '30,000 records');
  const direct = await untilRecords(page);
  expect(direct.map(({ name }) => name.replace(/\.\w+\.(?=js|css)/, '.').replace(/.*\//, ''))).toEqual(
    expect.arrayContaining(['permits', 'main.js', 'style.css', 'datastore_info', 'datastore_search']),
  );
  expect(direct).toHaveLength(5);
  // The records do not wait for the description of the table.
  const [info, search] = ['datastore_info', 'datastore_search'].map((one) =>
    direct.find(({ name }) => name.endsWith(one)),
  );
  expect(search?.startTime).toBeLessThan(info?.responseEnd ?? 0);
  expect(direct.reduce((sum, { transferSize }) => sum + transferSize, 0)).toBeLessThan(53_000);
  expect(direct.find(({ name }) => name.endsWith('permits'))?.decodedBodySize).toBeLessThan(4500);
  await page.goto(`${explorer.url}/datastore/explore`);
  await page.getByRole('link', { name: 'Building permits' }).click();
  await waitForCount(page, '30,000 records');
  expect((await untilRecords(page)).length).toBeLessThanOrEqual(6);
  await close();
});

interface Timing {
  readonly name: string;
  readonly startTime: number;
  readonly responseEnd: number;
  readonly transferSize: number;
  readonly decodedBodySize: number;
}

/** The requests that started before the first records arrived, with the browser's timings. */
async function untilRecords(page: Page): Promise<readonly Timing[]> {
  const all = await page.evaluate<readonly Timing[]>(
    `['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type).map((entry) => entry.toJSON()))`,
  );
  const records = all.find(({ name }) => name.endsWith('datastore_search'))?.responseEnd ?? 0;
  // The browser loads the icon by itself, and does not wait for it. The stream of changes is opened after three seconds, wherever the page is then.
  const others = /\.svg$|\/datastore_changes\b/;
  return all.filter(({ name, startTime }) => startTime < records && !others.test(name));
}

test('the first script and the style are below their budgets', () => {
  const folder = resolve(import.meta.dirname, '../../dist/explorer/page');
  const names = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name));
  const size = (name: string) => readFileSync(join(folder, `${name}.gz`)).length;
  const main = names.find((name) => name.startsWith('main.')) ?? '';
  const first = size(main);
  const styles = names.filter((name) => name.endsWith('.css'));
  expect(styles).toHaveLength(2);
  expect(first).toBeLessThan(45_000);
  expect(Math.max(...styles.map(size))).toBeLessThan(8_000);
  const parts = names.filter((name) => name.startsWith('part.'));
  expect(Math.max(...parts.map(size))).toBeLessThan(20_000);
});
