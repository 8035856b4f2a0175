/** The explorer in a browser with the keyboard alone: no test here uses the mouse, or moves the focus other than with Tab. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEditable } from './explorer-form.ts';
import { type Explorer, rowsOf, token, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openEditable();
});
afterAll(() => explorer?.stop());

/** Roughly the accessible name of the focused element. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const at = document.activeElement;
    const label = at.labels?.[0]?.textContent ?? '';
    return (at.getAttribute('aria-label') ?? (label !== '' ? label : at.textContent)).trim();
  })()`);

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 80; presses++) {
    const now = await focused(page);
    if (typeof name === 'string' ? now === name : name.test(now)) return;
    passed.push(now.slice(0, 30));
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${name}, but ${passed.join(', ')}`);
}

/** Presses Tab until the element has the focus, then Enter. */
async function enter(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

test('find a table, give a token, sort, filter, summarize; change, delete and paste records', async () => {
  const { page, consoleLines, close } = await explorer.open('/datastore/explore');
  await page.getByRole('link', { name: 'scratch' }).waitFor();
  await enter(page, 'scratch');
  await waitForCount(page, '20 records');
  await enter(page, 'Sign in');
  // The input gets the focus automatically.
  await page.getByRole('dialog', { name: 'Token' }).getByLabel('Token').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Signed in as ana' }).waitFor();
  await waitForCount(page, '20 records');

  await enter(page, /^amount/);
  await expect.poll(() => page.url()).toContain('sort=amount+desc+nulls+last');
  await expect.poll(async () => (await rowsOf(page, 1))[0]?.[0]).toBe('item 20');

  await tabTo(page, 'Filter', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add filter' }).getByLabel('Column').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('name');
  await tabTo(page, /^Condition/);
  await page.keyboard.type('contains');
  await tabTo(page, /^Value/);
  await page.keyboard.type('item 1');
  await page.keyboard.press('Enter');
  await waitForCount(page, '11 records');

  await enter(page, 'Download');
  await page.getByRole('radio', { name: /^CSV/ }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Download' }).and(page.locator(':focus')).waitFor();

  await tabTo(page, 'Summary', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await enter(page, 'Count this column: done');
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByRole('button', { name: 'no value' }).waitFor();
  await enter(page, 'no value');
  await page.getByText('done has no value').waitFor();
  await page.goBack();
  await page.getByText('done has no value').waitFor({ state: 'detached' });
  await tabTo(page, 'Data', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await rowsOf(page);
  await tabTo(page, /^item/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const record = page.getByRole('region', { name: 'Record' });
  await record.getByRole('button', { name: 'Edit' }).waitFor();
  await enter(page, 'Edit');
  await record.getByLabel('name', { exact: true }).waitFor();
  await tabTo(page, /^name/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('item 1, changed');
  await enter(page, 'Check');
  await record.getByText('This will be saved').waitFor();
  await enter(page, 'Save');
  await record.getByText('Saved.', { exact: true }).waitFor();
  await enter(page, 'Delete');
  await record.getByText('Delete this record?').waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Delete');
  await page.keyboard.press('Enter');
  await waitForCount(page, '10 records');

  await enter(page, 'Edit data');
  await enter(page, 'Import');
  await tabTo(page, /^Rows/);
  await page.keyboard.insertText('name\tamount\nitem 1, pasted\t9007199254740993.5\n');
  await enter(page, 'Check');
  await page.getByText('Checked: 1 record can be saved.').waitFor();
  await enter(page, 'Save 1 record');
  await waitForCount(page, '11 records');
  expect((await rowsOf(page, 1))[0]?.filter((_, at) => at !== 1)).toEqual([
    'item 1, pasted',
    '9007199254740993.5000',
    'no value',
  ]);
  expect(consoleLines).toEqual([]);
  await close();
});
