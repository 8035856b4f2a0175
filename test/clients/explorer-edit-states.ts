/** The states of the explorer for writers, with the tables of `openEditable` and a token that may write. */
import type { Page } from 'playwright-core';
import { field, first, panel, press } from './explorer-form.ts';
import { grid, type State } from './explorer-states.ts';

const task = `/tasks?row={"id":${first}}`;
const check = async (page: Page, name: string, text: string) => {
  await field(page, name).fill(text);
  await press(page, 'Check');
};
const paste = async (page: Page) => {
  await page.getByLabel('Rows').fill(`id,title,amount,nothing\n${first},changed,5,`);
  await page.locator('.preview').waitFor();
};

export const editing: readonly State[] = [
  { name: 'form', path: `${task}&view=edit`, lead: (page) => field(page, 'title').waitFor() },
  {
    ...{ name: 'form, a record to choose', path: '/towns?row={"id":1}&view=edit' },
    async lead(page) {
      // Nobody types before the form shows the record that is chosen now.
      await page.locator('.code-beside', { hasText: 'DE' }).waitFor();
      await field(page, 'country').fill('land');
      await page.locator('[role=option]').first().waitFor();
    },
  },
  {
    ...{ name: 'form, refused', path: `${task}&view=edit` },
    async lead(page) {
      await check(page, 'amount', 'a lot');
      await page.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    ...{ name: 'form, checked', path: `${task}&view=edit` },
    async lead(page) {
      await check(page, 'title', 'another');
      await page.locator('.review').waitFor();
    },
  },
  {
    ...{ name: 'form, in conflict', path: `${task}&view=edit` },
    async lead(page, explorer) {
      await check(page, 'title', 'mine');
      await page.locator('.review').waitFor();
      await explorer.exec(`UPDATE tasks SET title = title || '!' WHERE id = ${first}`);
      await press(page, 'Save');
      await page.locator('.conflict').first().waitFor();
    },
  },
  { name: 'new record', path: '/tasks?view=add', lead: (page) => field(page, 'title').waitFor() },
  { name: 'import', path: '/tasks?view=import', lead: paste },
  {
    ...{ name: 'import, checked', path: '/tasks?view=import' },
    async lead(page) {
      await paste(page);
      await page.getByLabel('Leave these columns out').check();
      await page.getByLabel('What to do').selectOption('Change records by key');
      await press(page, 'Check');
      await page.getByText(/^Checked/).waitFor();
    },
  },
  {
    ...{ name: 'deletion of a record', path: task },
    async lead(page) {
      await press(page, 'Delete');
      await panel(page, 'Delete').waitFor();
    },
  },
  {
    ...{ name: 'deletion of several records', path: '/scratch?view=edit' },
    async lead(page) {
      await grid(page);
      await page.locator('td[data-mark="1"]').click();
      await page.locator('td[data-mark="4"]').click({ modifiers: ['Shift'] });
      await press(page, 'Delete …');
      await panel(page, 'Delete').getByText('Delete 4 records?').waitFor();
    },
  },
  {
    ...{ name: 'signed in', path: '/towns' },
    async lead(page) {
      await page.getByRole('button', { name: /^Signed in as/ }).click();
      await page.getByRole('button', { name: 'Forget token' }).waitFor();
    },
  },
];
