/** The explorer with MariaDB: add, change and delete a record, paste rows, and a table without transactions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { field, openAs, panel, press } from './explorer-form.ts';
import { type Explorer, resource, rowsOf, serveExplorer, token, waitForCount } from './explorer-world.ts';

const sql = `
CREATE TABLE items (id int AUTO_INCREMENT PRIMARY KEY, name varchar(40) NOT NULL DEFAULT 'new', price decimal(40,20), kind enum('', 'a', 'b'),
  sold tinyint(1) NOT NULL DEFAULT 0, made datetime(3), twice decimal(41,20) AS (price * 2) STORED) CHARACTER SET utf8mb4;
INSERT INTO items (name, price, kind) VALUES ('one', 12345678901234567890.00000000000000000001, 'a'), ('two', NULL, '');
CREATE TABLE old (id int PRIMARY KEY, name varchar(40)) ENGINE=MyISAM;
INSERT INTO old VALUES (1, 'one');`;

let explorer: Explorer;
beforeAll(async () => {
  const access = { read: 'public', write: 'token' };
  const items = { ...resource('items', access), columns: { sold: { boolean: true } } };
  explorer = await serveExplorer('mariadb', sql, { resources: { items, old: resource('old', access) } });
});
afterAll(() => explorer?.stop());

test('a record is added, changed and deleted, with what the database fills in', async () => {
  const { page, consoleLines, close } = await openAs(explorer, token, '/datastore/explore/items?view=add');
  await field(page, 'price').fill('0.00000000000000000003');
  await field(page, 'kind').selectOption('b');
  await press(page, 'Check');
  await page.getByText('This record will be added').waitFor();
  expect(
    await page.locator('.review .field', { hasText: 'by the database' }).locator('dt span').allTextContents(),
  ).toEqual([...['id', 'name', 'sold', 'twice']]);
  await press(page, 'Save');
  const record = panel(page, 'Record');
  await record.getByText('0.00000000000000000006').waitFor();
  await waitForCount(page, '3 records');
  await press(page, 'Edit');
  await field(page, 'sold').selectOption('yes');
  await field(page, 'price').fill('');
  await field(page, 'made').fill('2024-02-29T12:00:00.125');
  await press(page, 'Check');
  await page.getByText('This will be saved').waitFor();
  await press(page, 'Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
  await expect
    .poll(async () => (await rowsOf(page))[2]?.filter((_, at) => at !== 1))
    .toEqual(['new', 'no value', 'b', 'true', '2024-02-29T12:00:00.125', 'no value']);
  await press(page, 'Delete');
  await panel(page, 'Delete').getByRole('button', { name: 'Delete' }).click();
  await waitForCount(page, '2 records');
  expect(consoleLines).toEqual([]);
  await close();
});

test('a download is pasted back, and rows with a wrong one are refused', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/items?view=import');
  const dump = () => fetch(`${explorer.url}/datastore/dump/items?format=tsv`).then((answer) => answer.text());
  const before = await dump();
  await page.getByLabel('Rows').fill(before);
  await page.getByLabel('What to do').selectOption('upsert');
  await press(page, 'Check');
  await page.getByText('Checked: 2 records can be saved.').waitFor();
  expect(await page.locator('.preview del').count()).toBe(0);
  await press(page, 'Save 2 records');
  await page.getByText('Saved: 2 records.').waitFor();
  expect(await dump()).toBe(before);
  await page.getByLabel('Rows').fill('name,kind\nx,a\ny,c');
  await page.getByLabel('What to do').selectOption('insert');
  await press(page, 'Check');
  await page.getByRole('alert').filter({ hasText: 'Record 2, kind: This is no value for this column.' }).waitFor();
  await waitForCount(page, '2 records');
  await close();
});

test('a table that cannot undo a dry run is not written, and says why', async () => {
  const { page, close } = await openAs(explorer, token, '/datastore/explore/old?row={"id":1}');
  await press(page, 'Edit');
  await field(page, 'name').fill('changed');
  await press(page, 'Check');
  await page.getByRole('alert').filter({ hasText: 'This table has no transactions' }).waitFor();
  page.once('dialog', (dialog) => void dialog.accept());
  await press(page, 'Cancel');
  await press(page, 'Delete');
  await page.getByRole('alert').filter({ hasText: 'This table has no transactions' }).waitFor();
  expect((await rowsOf(page))[0]).toEqual(['one', '1']);
  await close();
});
