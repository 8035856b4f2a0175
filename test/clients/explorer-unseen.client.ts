/** The explorer in a browser: nothing is saved before the user has seen it, and nothing is reported as saved that was not. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, field, first, openAs, openEditable, panel, press, stored, tasks } from './explorer-form.ts';
import { type Explorer, reader, rowsOf, token } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openEditable();
});
afterAll(() => explorer?.stop());

/** The second click of a double click at the position of the mouse. */
const clickAgain = async (page: Page) => {
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
};
const scratch = '/datastore/explore/scratch?view=add';
const rows = '/datastore/explore/scratch?view=import';

test('a double click checks, and a held key too: neither saves or deletes before somebody has seen what', async () => {
  const { page, sent, close } = await openAs(explorer, token, tasks);
  const before = await stored(explorer, first);
  await edit(explorer, page);
  await field(page, 'title').fill('not looked at');
  await press(page, 'Check');
  await page.getByText('This will be saved').waitFor();
  await clickAgain(page);
  await press(page, 'Change');
  await field(page, 'title').focus();
  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');
  await page.getByText('This will be saved').waitFor();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.up('Control');
  await press(page, 'Change');
  page.once('dialog', (dialog) => void dialog.accept());
  await press(page, 'Cancel');
  await press(page, 'Delete');
  await panel(page, 'Delete').getByText('Delete this record?').waitFor();
  await explorer.exec(`UPDATE tasks SET note = 'just changed' WHERE id = ${first}`);
  await panel(page, 'Delete').getByRole('button', { name: 'Delete' }).click();
  await panel(page, 'Delete').getByText('just changed').waitFor();
  await panel(page, 'Delete').getByRole('button', { name: 'Check' }).click();
  await panel(page, 'Delete').getByRole('button', { name: 'Delete' }).hover();
  await clickAgain(page);
  await page.goto(`${explorer.url}${rows}`);
  await page.getByLabel('Rows').fill('name\nnot looked at');
  await press(page, 'Check');
  await page.getByText(/^Checked/).waitFor();
  await page.getByRole('button', { name: /^Save/ }).hover();
  await clickAgain(page);
  await page.getByText(/^Checked/).waitFor();
  expect(await stored(explorer, first, 'id,title')).toBe(before.replace(/,"amount.*/, '}'));
  expect(sent.filter(({ body }) => body.includes('"dry_run":false'))).toEqual([]);
  expect(sent.filter(({ url, body }) => url.endsWith('_delete') && !body.includes('"dry_run":true'))).toEqual([]);
  await close();
});

test('what is to be done with rows cannot be changed while they are checked', async () => {
  const { page, sent, close } = await openAs(explorer, token, rows);
  await page.getByLabel('Rows').fill('id,name,none\n1,changed,');
  await page.getByLabel('Leave these columns out').check();
  await page.getByLabel('What to do').selectOption('update');
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/datastore_upsert', async (route) => {
    await asked;
    await route.continue();
  });
  await press(page, 'Check');
  for (const name of ['What to do', 'Empty cells', 'Leave these columns out'])
    await expect.poll(() => page.getByLabel(name).isDisabled()).toBe(true);
  answer();
  await press(page, 'Save 1 record');
  await page.getByText('Saved: 1 record.').waitFor();
  const methods = sent.flatMap(({ body }) => /"method":"\w+","dry_run":\w+/.exec(body)?.[0] ?? []);
  expect(methods).toEqual(['"method":"update","dry_run":true', '"method":"update","dry_run":false']);
  await close();
});

test('of many rows the first ten are shown before and after, too', async () => {
  const { page, sent, close } = await openAs(explorer, token, '/datastore/explore/long?view=import');
  const changed = Array.from({ length: 1001 }, (_, nth) => `${nth + 1},changed ${nth + 1}`);
  await page.getByLabel('Rows').fill(['id,name', ...changed].join('\n'));
  await page.getByLabel('What to do').selectOption('upsert');
  await press(page, 'Check');
  await page.getByText('Checked: 1,001 records can be saved.').waitFor();
  expect(await page.locator('.preview td:has(del)').allTextContents()).toEqual(
    Array.from({ length: 10 }, (_, nth) => `before n${nth + 1} after changed ${nth + 1}`),
  );
  expect(sent.filter(({ body }) => body.includes('"dry_run":false'))).toEqual([]);
  await close();
});

test('a page to sign in at, of a proxy, is no answer of the gateway', async () => {
  const { page, close } = await openAs(explorer, token, scratch);
  await field(page, 'name').fill('never saved');
  await press(page, 'Check');
  await page.getByText('This record will be added').waitFor();
  await page.route('**/datastore_upsert', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>Sign in</p>' }),
  );
  await press(page, 'Save');
  await page.getByRole('alert').filter({ hasText: 'it may be done' }).waitFor();
  expect(await field(page, 'name').inputValue()).toBe('never saved');
  await close();
});

test('the address offers nothing to who may not write', async () => {
  const { page, close } = await openAs(explorer, reader, scratch);
  await rowsOf(page);
  expect(await page.locator('.panel').count()).toBe(0);
  await close();
});

test('another token is taken without losing a form', async () => {
  const { page, close } = await openAs(explorer, token, tasks);
  await edit(explorer, page);
  await field(page, 'title').fill('typed for an hour');
  const use = async (answer: 'accept' | 'dismiss') => {
    page.once('dialog', (dialog) => void dialog[answer]());
    await press(page, 'Signed in as ana');
    await page.locator('input[name=token]').fill(token);
    await page.keyboard.press('Enter');
    await page.locator('input[name=token]').waitFor({ state: 'hidden' });
  };
  await use('dismiss');
  expect(await field(page, 'title').inputValue()).toBe('typed for an hour');
  await use('accept');
  await press(page, 'Edit');
  expect(await field(page, 'title').inputValue()).not.toBe('typed for an hour');
  await close();
});
