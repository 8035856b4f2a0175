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
const announced = (page: Page) => page.locator('.facts span[role=status]');
const show = (page: Page) => page.getByRole('button', { name: 'Show', exact: true });
const isStream = (url: string) => url.includes('datastore_changes');

/** When the gateway says that the table has changed last. Other tests commit on the same server, after which it would not know. */
let lastChange: string | null = null;
const change = () => {
  lastChange = new Date().toISOString();
};
/** Opens the table and waits until the page listens. */
const openListening = async (path = scratch) => {
  const opened = await openAs(explorer, token, '/datastore/explore');
  await opened.page.route('**/datastore_info', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.result.about.last_change = lastChange ?? '';
    await route.fulfill({ response, json: body });
  });
  await opened.page.goto(`${explorer.url}${path}`);
  await rowsOf(opened.page);
  const first = opened.page.waitForResponse((response) => response.url().endsWith('datastore_info'));
  await expect.poll(() => opened.sent.filter(({ url }) => isStream(url)).length, { timeout: 15_000 }).toBe(1);
  await first;
  const close = async () => {
    // A question on its way must not fail the test when its page is gone.
    await opened.page.unrouteAll({ behavior: 'ignoreErrors' });
    await opened.close();
  };
  return { ...opened, close };
};

test('at the top and with nothing selected the rows move by themselves; else the page offers to show them', async () => {
  change();
  const { page, consoleLines, close } = await openListening();
  change();
  await rename('moved by itself');
  await page.locator('td[data-row="0"]', { hasText: 'moved by itself' }).waitFor();
  await changed(page).getByText('changed just now').waitFor();
  expect(await show(page).count()).toBe(0);
  await page.locator('td[data-row="2"][data-column="0"]').click();
  change();
  await rename('waits');
  await show(page).waitFor();
  // Screen readers hear of the change once, and not of its age every minute.
  expect(await announced(page).textContent()).toBe('changed just now');
  expect(await changed(page).getAttribute('aria-live')).toBe(null);
  expect(await page.locator('td[data-row="0"]', { hasText: 'waits' }).count()).toBe(0);
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await violations(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  if (process.env.PICTURES !== undefined) await page.screenshot({ path: `${process.env.PICTURES}/clerk-live.png` });
  await show(page).click();
  await page.locator('td[data-row="0"]', { hasText: 'waits' }).waitFor();
  await show(page).waitFor({ state: 'detached' });
  expect(await announced(page).textContent()).toBe('');
  expect(consoleLines).toEqual([]);
  await close();
});

test('what the page itself saves is no news, and a change that may be of another table is worded so', async () => {
  change();
  const { page, close } = await openListening(`${scratch}?view=edit&row={"id":5}`);
  await field(page, 'name').fill('mine');
  await press(page, 'Check');
  await page.getByText('This will be saved').waitFor();
  change();
  const asked = () => page.waitForResponse((response) => response.url().endsWith('datastore_info'));
  const afterSave = asked();
  await press(page, 'Save');
  await afterSave;
  // The question after the notice.
  await asked();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await show(page).count()).toBe(0);
  lastChange = null;
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
