/** The explorer in a browser: changes of others are told, and never where nothing has changed. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { field, openAs, openEditable, press } from './explorer-form.ts';
import { type Explorer, rowsOf, token, violations } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openEditable();
});
afterAll(() => explorer?.stop());

const scratch = '/datastore/explore/scratch';
const rename = (name: string) =>
  explorer.result('datastore_upsert', { resource_id: 'scratch', method: 'update', records: [{ id: 1, name }] });
const changed = (page: Page) => page.locator('.changed');
const show = (page: Page) => page.getByRole('button', { name: 'Show', exact: true });
const isStream = (url: string) => url.includes('datastore_changes');
/** Opens the table and waits until the page listens. */
const openListening = async (path = scratch) => {
  const opened = await openAs(explorer, token, path);
  await rowsOf(opened.page);
  await expect.poll(() => opened.sent.filter(({ url }) => isStream(url)).length).toBe(1);
  return opened;
};

test('at the top and with nothing selected the rows move by themselves; else the page offers to show them', async () => {
  const { page, consoleLines, close } = await openListening();
  await rename('moved by itself');
  await page.locator('td[data-row="0"]', { hasText: 'moved by itself' }).waitFor();
  await changed(page).getByText('changed just now').waitFor();
  expect(await show(page).count()).toBe(0);
  await page.locator('td[data-row="2"][data-column="0"]').click();
  await rename('waits');
  await show(page).waitFor();
  await changed(page).getByText('changed just now').waitFor();
  expect(await page.locator('td[data-row="0"]', { hasText: 'waits' }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  if (process.env.PICTURES !== undefined) await page.screenshot({ path: `${process.env.PICTURES}/clerk-live.png` });
  await show(page).click();
  await page.locator('td[data-row="0"]', { hasText: 'waits' }).waitFor();
  await show(page).waitFor({ state: 'detached' });
  expect(consoleLines).toEqual([]);
  await close();
});

test('what the page itself saves is no news, and a change that may be of another table is worded so', async () => {
  const { page, sent, close } = await openListening(`${scratch}?view=edit&row={"id":5}`);
  const asked = () => sent.filter(({ url, body }) => url.endsWith('datastore_info') && body.includes('schema')).length;
  await field(page, 'name').fill('mine');
  await press(page, 'Check');
  await page.getByText('This will be saved').waitFor();
  const before = asked();
  await press(page, 'Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
  // The question after the save, and the one after its notice.
  await expect.poll(asked, { timeout: 20_000 }).toBe(before + 2);
  expect(await show(page).count()).toBe(0);
  // Without a log of the database, nobody knows which table this commit has changed.
  await explorer.exec("INSERT INTO plain VALUES ('another table', 1)");
  await changed(page).getByText('may have changed').waitFor();
  await show(page).waitFor();
  await close();
});

test('a hidden tab has no stream', async () => {
  const { page, sent, close } = await openListening();
  const ended: string[] = [];
  page.on('requestfailed', (request) => ended.push(request.url()));
  const hide = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await hide(true);
  await expect.poll(() => ended.filter(isStream).length).toBe(1);
  await hide(false);
  await expect.poll(() => sent.filter(({ url }) => isStream(url)).length, { timeout: 10_000 }).toBe(2);
  await close();
});
