/** Takes the screenshots of editing for the docs: `npm run screenshots`. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { edit, field, openAs, openEditable, press, tasks } from './explorer-form.ts';
import { type Explorer, token } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openEditable();
});
afterAll(() => explorer?.stop());

/** By default only those for the docs. `SCREENSHOTS` is another folder, and takes all of them. */
const folder = process.env.SCREENSHOTS ?? resolve(import.meta.dirname, '../../docs/pictures');
const large = { viewport: { width: 1280, height: 800 } };
const small = { viewport: { width: 390, height: 844 }, hasTouch: true };
const dark = { colorScheme: 'dark' } as const;

type Act = (page: Page) => Promise<void>;
const changing: Act = async (page) => {
  await edit(explorer, page, '9007199254740993');
  await field(page, 'title').fill('Inspect the drains');
  await field(page, 'amount').fill('1250.50');
  await field(page, 'due').fill('2026-12-01');
};
const reviewing: Act = async (page) => {
  await changing(page);
  await press(page, 'Check');
  await page.locator('.review').waitFor();
};
const wrong: Act = async (page) => {
  await changing(page);
  await field(page, 'amount').fill('a lot');
  await press(page, 'Check');
  await page.locator('[aria-invalid=true]').waitFor();
};
const deleting: Act = async (page) => {
  await page.goto(`${explorer.url}${tasks}?row={"id":9007199254740993}`);
  await press(page, 'Delete');
  await page.getByText('Delete this record?').waitFor();
};
/** Waits for the records, in the grid or in the list of a phone. */
/** Turns on the Edit mode. */
const editing = async (page: Page) => {
  await page.goto(`${explorer.url}${tasks}?view=edit`);
  await records(page);
};
const records = (page: Page) =>
  page.locator('.grid td[data-row], .record-list button').first().waitFor({ state: 'attached' });
const marking: Act = async (page) => {
  await editing(page);
  const grid = page.getByRole('button', { name: 'As grid' });
  if (await grid.isVisible()) await grid.click();
  for (const row of [1, 2, 4]) await page.locator(`td[data-mark="${row}"]`).click();
};
const deletingAll: Act = async (page) => {
  await marking(page);
  await press(page, 'Delete …');
  await page.getByText('Delete 3 records?').waitFor();
};
const adding: Act = async (page) => {
  await page.goto(`${explorer.url}${tasks}?view=add`);
  await field(page, 'title').fill('Inspect the drains');
};
const pasting: Act = async (page) => {
  await page.goto(`${explorer.url}${tasks}?view=import`);
  const rows = ['3\tInspect the drains\t1250.50', '4\tPaint the doors\t', '5\tOrder the keys\t99.90'];
  await page.getByLabel('Rows').fill(['id\ttitle\tamount', ...rows.map((row) => `900719925474099${row}`)].join('\n'));
  await page.getByLabel('What to do').selectOption('update');
  await press(page, 'Check');
  await page.getByText('Checked: 3 records').waitFor();
};

type Picture = readonly [name: string, act: Act, options: BrowserContextOptions];
const pictures: readonly Picture[] = [
  ['explorer-edit', reviewing, large],
  ['explorer-paste', pasting, large],
  ['explorer-delete', deletingAll, large],
];
/** Not for the docs, only for reviewing the page. */
const more: readonly Picture[] = [
  ['edit-dark', reviewing, { ...large, ...dark }],
  ['edit-390', reviewing, { ...small, ...dark }],
  ['form', changing, large],
  ['form-390', changing, small],
  ['form-wrong-dark', wrong, { ...large, ...dark }],
  ['delete', deleting, large],
  ['marked', marking, large],
  ['marked-dark', marking, { ...large, ...dark }],
  ['marked-390', marking, small],
  ['delete-all-dark', deletingAll, { ...large, ...dark }],
  ['delete-all-390', deletingAll, small],
  ['add-dark', adding, { ...large, ...dark }],
  ['paste-dark', pasting, { ...large, ...dark }],
  ['paste-390', pasting, small],
];

test.each(process.env.SCREENSHOTS === undefined ? pictures : [...pictures, ...more])(
  '%s',
  async (name, act, options) => {
    const { page, close } = await openAs(explorer, token, tasks, options);
    await act(page);
    await records(page);
    await page.mouse.move(0, 0);
    await page.waitForLoadState('networkidle');
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: resolve(folder, `${name}.png`), animations: 'disabled' });
    await close();
  },
);
