/** The explorer in a browser: pasting rows, and reading them from files. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAs, openEditable, panel, press, stored } from './explorer-form.ts';
import { type Explorer, rowsOf, token, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openEditable();
});
afterAll(() => explorer?.stop());

const lines = (bad: string) =>
  [
    'name\tamount\tdone',
    ...Array.from({ length: 1000 }, (_, nth) => `pasted ${nth}\t${nth === 416 ? bad : '9007199254740993.0001'}\tt`),
  ].join('\n');
const paste = async (page: Page, text: string) => {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.getByLabel('Rows').fill('');
  await page.getByLabel('Rows').focus();
  await page.keyboard.press('Control+v');
};

test('a thousand rows: the one that is wrong is named by its row and its field; then all or none', async () => {
  const { page, consoleLines, close } = await openAs(explorer, token, '/datastore/explore/scratch?view=import');
  await paste(page, lines('much'));
  await page.getByRole('region', { name: 'The first of 1,000 records' }).waitFor();
  await press(page, 'Check');
  await page.getByRole('alert').filter({ hasText: 'Record 417, amount: A number such as 12' }).waitFor();
  expect(await page.locator('.preview tbody tr').count()).toBe(1);
  expect(await page.locator('.preview .at-fault').textContent()).toBe('much');
  await waitForCount(page, '20 records');
  await paste(page, lines('1'));
  await press(page, 'Check');
  await page.getByText('Checked: 1,000 records can be saved.').waitFor();
  await waitForCount(page, '20 records');
  await press(page, 'Save 1,000 records');
  await waitForCount(page, '1,020 records');
  await page.getByText('Saved: 1,000 records.').waitFor();
  await page.getByRole('link', { name: 'Summary' }).click();
  await page.getByRole('button', { name: 'Count this column: done' }).click();
  await panel(page, 'Summary')
    .getByRole('row', { name: /yes 1,000/i })
    .waitFor();
  await explorer.exec('DELETE FROM scratch WHERE done');
  expect(consoleLines.filter((one) => !one.includes('409'))).toEqual([]);
  await close();
});

test('unknown columns are named, and left out only when somebody says so; changed records are shown before and after', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/scratch?view=import');
  // Who leaves out some columns has not agreed to leave out those of another text.
  await paste(page, 'id;size\n3;small\n');
  await page.getByText('This table has no size.').waitFor();
  await page.getByLabel('Leave these columns out').check();
  await paste(page, 'id;Name;colour\n3;"three; ""quoted""\t";red\n4;"";blue\n');
  await page.getByText('This table has no colour.').waitFor();
  expect(await page.getByLabel('Leave these columns out').isChecked()).toBe(false);
  await press(page, 'Check');
  expect(await page.getByText('Checked:').count()).toBe(0);
  await page.getByLabel('Leave these columns out').check();
  await page.getByLabel('What to do').selectOption('Change records by key');
  await press(page, 'Check');
  await page.getByText('Checked: 2 records can be saved.').waitFor();
  const cells = await page
    .locator('.preview tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent)));
  expect(cells).toEqual([
    ['3', 'before item 3 after three; "quoted"\t', '4.5000', 'no value'],
    ['4', 'before item 4 after empty text', '6.0000', 'no value'],
  ]);
  await press(page, 'Save 2 records');
  await page.getByText('Saved: 2 records.').waitFor();
  await expect
    .poll(async () => (await rowsOf(page, 4)).map(([name]) => name).slice(2))
    .toEqual(['three; "quoted"⇥', 'empty text']);
  await close();
});

test('JSON with all digits, and what cannot be read is said with its line', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/tasks?view=import');
  for (const [text, words] of [
    ['id,title\n1,a\n2,b,c', 'Line 3 has 3 values, and the first line 2.'],
    ['id,title\n1,"a', 'The quotation mark in line 2 is not closed.'],
    ['id,ID\n1,1', 'The first line names id twice.'],
    ['[{"id": 1},\n5]', 'Line 2: a JSON object was expected here.'],
    ['x,y\n1,2', 'The first line names no column of this table.'],
    ['id,title', 'There are no records in it.'],
  ] as const) {
    await page.getByLabel('Rows').fill(text);
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
  }
  await page
    .getByLabel('Rows')
    .fill(
      '[{"id": 1, "title": "a", "amount": 12345678901234567890.0000000001, "doc": {"n": 1.10}},\n {"id": 2, "title": "b", "twice": 9}]',
    );
  await page.getByText('Left out, because it cannot be written: twice.').waitFor();
  await press(page, 'Check');
  await page.getByText('Checked: 2 records').waitFor();
  await press(page, 'Save 2 records');
  await page.getByText('Saved: 2 records.').waitFor();
  expect(await stored(explorer, '1', 'amount,doc')).toBe(
    '{"amount":12345678901234567890.0000000001,"doc":{"n": 1.10}}\n',
  );
  await explorer.exec('DELETE FROM tasks WHERE id < 10');
  // A refusal names the column by its label, and its cell is marked.
  await page.goto(`${explorer.url}/datastore/explore/towns?view=import`);
  await page.getByLabel('Rows').fill('id,name,country,People\n9,Bonn,DE,many');
  await press(page, 'Check');
  await page
    .getByRole('alert')
    .filter({ hasText: /Record 1, People: / })
    .waitFor();
  expect(await page.locator('.preview .at-fault').textContent()).toBe('many');
  await close();
});

test('a download is pasted back as it is, also from a file', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/tasks?view=import');
  const dump = await (await fetch(`${explorer.url}/datastore/dump/tasks?format=csv`)).text();
  await page
    .getByLabel('or a file')
    .setInputFiles({ name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from(dump) });
  await page.getByLabel('What to do').selectOption('Change records by key');
  await press(page, 'Check');
  await page.getByText(/^Checked/).waitFor();
  expect(await page.locator('.preview del').count()).toBe(0);
  // Only an empty input has a change when the same file is chosen again.
  await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('or a file').click()]);
  expect(await page.getByLabel('or a file').inputValue()).toBe('');
  await page.getByRole('button', { name: /^Save \d+ records/ }).click();
  await page.getByText(/^Saved/).waitFor();
  expect(await (await fetch(`${explorer.url}/datastore/dump/tasks?format=csv`)).text()).toBe(dump);
  await page
    .getByLabel('or a file')
    .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from([0x69, 0x64, 0x0a, 0xe4]) });
  await page.getByRole('alert').filter({ hasText: 'not UTF-8' }).waitFor();
  await page
    .getByLabel('or a file')
    .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.alloc(11_000_000, 'a') });
  await page.getByRole('alert').filter({ hasText: 'the gateway takes no more' }).waitFor();
  await close();
});

test('a long text is kept beside the field, and bounded', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/scratch?view=import');
  const text = `name,amount\n${Array.from({ length: 99_000 }, (_, nth) => `row ${nth},${nth}.5`).join('\n')}`;
  await paste(page, text);
  await page.getByRole('region', { name: 'The first of 99,000 records' }).waitFor();
  await press(page, 'Clear');
  await page.getByLabel('Rows').waitFor();
  await paste(page, `name\n${'x\n'.repeat(100_001)}`);
  await page.getByRole('alert').filter({ hasText: 'More than 100,000 records' }).waitFor();
  await close();
});
