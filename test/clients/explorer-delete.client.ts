/** The explorer in a browser: several records are marked, checked, reviewed, and deleted in one call. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAs, panel, press } from './explorer-form.ts';
import {
  type Explorer,
  type Opened,
  reader,
  resource,
  rowsOf,
  serveExplorer,
  token,
  waitForCount,
} from './explorer-world.ts';

const sql = `
CREATE TABLE items (id bigint PRIMARY KEY, name text, price numeric(30,4));
INSERT INTO items SELECT 9007199254740990 + i, 'item ' || i, i FROM generate_series(1, 300) i;
CREATE TABLE parts (id int PRIMARY KEY, item bigint REFERENCES items (id)); INSERT INTO parts VALUES (1, 9007199254740993);
CREATE TABLE pairs (a int, b text, c text, PRIMARY KEY (a, b)); INSERT INTO pairs SELECT i, 'it''s ' || i % 7, 'v' FROM generate_series(1, 60) i;
CREATE TABLE plain (a text); INSERT INTO plain VALUES ('x');`;

let explorer: Explorer;
beforeAll(async () => {
  const access = { read: 'public', write: 'token' };
  const resources = Object.fromEntries(['items', 'pairs', 'plain'].map((name) => [name, resource(name, access)]));
  explorer = await serveExplorer('postgres', sql, { resources });
});
afterAll(() => explorer?.stop());

const items = '/datastore/explore/items?view=edit';
const openItems = (options?: BrowserContextOptions): Promise<Opened> => openAs(explorer, token, items, options);
const box = (page: Page, row: number) => page.locator(`td[data-mark="${row}"]`);
const bar = (page: Page) => page.getByRole('region', { name: 'Selected records' });
const sure = (page: Page) => panel(page, 'Delete');
const names = async (page: Page) => (await rowsOf(page)).map(([name]) => name);
const deletes = ({ sent }: Opened) =>
  sent.filter(({ url }) => url.endsWith('_delete')).map(({ body }) => /"dry_run":(\w+)/.exec(body)?.[1]);

test('with keys alone: rows are selected, tried, shown, and deleted in one call', async () => {
  const opened = await openItems();
  const { page, consoleLines, close } = opened;
  await waitForCount(page, '300 records');
  await page.locator('td[data-row="3"][data-column="1"]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  await bar(page).getByText('3 records selected').waitFor();
  expect(await page.locator('tr[aria-selected=true] input:checked').count()).toBe(3);
  // Pressing Space again unmarks the row.
  await page.keyboard.press('Space');
  await bar(page).getByText('2 records selected').waitFor();
  await page.locator('td[data-row="5"][data-column="1"]:focus').waitFor();
  await page.keyboard.press('Tab');
  await bar(page).getByRole('button', { name: 'Delete …' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await sure(page).getByText('Delete 2 records? Edit data can undo it').waitFor();
  expect(await sure(page).locator('tbody tr').allTextContents()).toEqual([
    '19007199254740994item 44.0000',
    '29007199254740995item 55.0000',
  ]);
  await waitForCount(page, '300 records');
  await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForCount(page, '298 records');
  expect(await names(page)).toEqual(['item 1', 'item 2', 'item 3', 'item 6', 'item 7']);
  await bar(page).waitFor({ state: 'detached' });
  await page.locator('.grid td:focus').waitFor();
  expect(deletes(opened)).toEqual(['true', 'false']);
  expect(consoleLines).toEqual([]);
  await close();
});

test('a record that others refer to: the dry run says so, and none of them is deleted', async () => {
  const opened = await openItems();
  const { page, close } = opened;
  await box(page, 0).click();
  await box(page, 2).click({ modifiers: ['Shift'] });
  await press(page, 'Delete …');
  await sure(page).getByRole('alert').filter({ hasText: 'still refers to this one' }).waitFor();
  expect(await sure(page).locator('tbody tr').count()).toBe(3);
  // This is only another dry run; nothing is deleted.
  await press(page, 'Check');
  await expect.poll(() => deletes(opened)).toEqual(['true', 'true']);
  await sure(page).getByRole('alert').filter({ hasText: 'still refers to this one' }).waitFor();
  await press(page, 'Cancel');
  await waitForCount(page, '298 records');
  await box(page, 2).click();
  await press(page, 'Delete …');
  await press(page, 'Delete 2 records');
  await waitForCount(page, '296 records');
  expect((await names(page))[0]).toBe('item 3');
  await close();
});

test('what others have changed or deleted meanwhile is shown, and nothing is deleted before somebody has seen it', async () => {
  const opened = await openItems();
  const { page, close } = opened;
  for (const row of [1, 2, 3]) await box(page, row).click();
  await press(page, 'Delete …');
  await sure(page).getByText('Delete 3 records?').waitFor();
  await explorer.exec(
    `UPDATE items SET name = 'not yet' WHERE name = 'item 6'; DELETE FROM items WHERE name = 'item 7'`,
  );
  await press(page, 'Delete 3 records');
  await sure(page).getByRole('alert').filter({ hasText: 'Nothing is deleted: check again.' }).waitFor();
  await sure(page).getByText('Not there any more: 1 record.').waitFor();
  await sure(page).getByRole('cell', { name: 'before item 6 after not yet' }).waitFor();
  expect(deletes(opened)).toEqual(['true']);
  await press(page, 'Check');
  await press(page, 'Delete 2 records');
  await waitForCount(page, '293 records');
  expect(await names(page)).toEqual(['item 3', 'item 9', 'item 10', 'item 11', 'item 12']);
  // All marked records are deleted by somebody else before they are reviewed.
  await box(page, 1).click();
  await explorer.exec(`DELETE FROM items WHERE name = 'item 9'`);
  await press(page, 'Delete …');
  await sure(page).getByRole('alert').filter({ hasText: 'not there any more' }).waitFor();
  await close();
});

test('at most a hundred are selected; another order keeps them, and another filter does not', async () => {
  const { page, close } = await openItems();
  await box(page, 1).click();
  const grid = page.locator('.grid');
  await grid.evaluate((element) => element.scrollTo(0, 150 * 36));
  await box(page, 150).click({ modifiers: ['Shift'] });
  await bar(page).getByText('100 records selected').waitFor();
  await bar(page).getByText('No more than 100 at once.').waitFor();
  for (const order of ['descending', 'ascending']) {
    await page.getByRole('button', { name: 'name text' }).click();
    await page.locator(`th[aria-sort=${order}]`).waitFor();
  }
  // Once the sorted records are there, the grid shows the first ones.
  await box(page, 1).waitFor();
  await bar(page).getByText('100 records selected').waitFor();
  let answer = () => {};
  const heldRequest = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/datastore_search', async (route) => {
    await heldRequest;
    await route.continue();
  });
  await page.getByRole('searchbox', { name: 'Search' }).fill('item');
  await page.keyboard.press('Enter');
  await bar(page).waitFor({ state: 'detached' });
  // The previous records are still shown, but may not match the new search, so they cannot be marked.
  await box(page, 1).click();
  expect(await page.locator('tr[aria-selected=true]').count()).toBe(0);
  await page.goBack();
  await bar(page).getByText('100 records selected').waitFor();
  await page.goForward();
  await bar(page).waitFor({ state: 'detached' });
  answer();
  await page.locator('.grid:not(.old)').waitFor();
  await bar(page).waitFor({ state: 'detached' });
  await box(page, 1).click();
  await grid.evaluate((element) => element.scrollTo(0, 150 * 36));
  await box(page, 150).click({ modifiers: ['Shift'] });
  await press(page, 'Delete …');
  await press(page, 'Delete 100 records');
  await waitForCount(page, '192 records');
  await close();
});

test('keys of two columns, as many as a call may name; nothing is selected without a key, or without the right to write', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/pairs?view=edit&fields=c');
  await box(page, 0).click();
  await page.locator('.grid').evaluate((element) => element.scrollTo(0, 40 * 36));
  await box(page, 40).click({ modifiers: ['Shift'] });
  await bar(page).getByText('No more than 33 at once.').waitFor();
  await press(page, 'Delete …');
  await sure(page).getByText("it's 6").first().waitFor();
  await press(page, 'Delete 33 records');
  await waitForCount(page, '27 records');
  await page.goto(`${explorer.url}/datastore/explore/plain?view=edit`);
  await rowsOf(page);
  expect(await page.locator('.mark').count()).toBe(0);
  await close();
  const other = await openAs(explorer, reader, items);
  await rowsOf(other.page);
  expect(await other.page.locator('.mark').count()).toBe(0);
  await other.close();
});
