/** Four people do what they came for, on a database that nobody here wrote. The seconds of each are printed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dump } from '../real/databases.ts';
import { enterKnown, press } from './explorer-form.ts';
import { type Explorer, resource, rowsOf, serveExplorer, token, waitForCount } from './explorer-world.ts';

const run = promisify(execFile);
const titles = {
  ...{ categories: 'Categories', customers: 'Customers', employees: 'Employees', order_details: 'Items of orders' },
  ...{ orders: 'Orders', products: 'Products', region: 'Regions', shippers: 'Shippers', suppliers: 'Suppliers' },
  ...{ territories: 'Territories', us_states: 'States of the USA' },
};

let explorer: Explorer;
const folder = mkdtempSync(join(tmpdir(), 'gateway-journeys-'));
beforeAll(async () => {
  const access = { read: 'public', write: 'token' };
  const resources = Object.entries(titles).map(([id, title]) => [id, { ...resource(id, access), title }]);
  explorer = await serveExplorer('postgres', dump('northwind-postgres'), { resources: Object.fromEntries(resources) });
});
afterAll(async () => {
  await explorer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A test whose time is printed, from the front page to the end. */
const journey = (name: string, go: (page: Page) => Promise<void>) =>
  test(name, async () => {
    const { page, consoleLines, close } = await explorer.open('/datastore/explore');
    const begin = performance.now();
    await go(page);
    console.log(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    expect(consoleLines).toEqual([]);
    await close();
  });

const openTable = async (page: Page, words: string, title: string) => {
  await page.getByRole('searchbox').fill(words);
  await page.getByRole('link', { name: title, exact: true }).click();
};
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

journey('a citizen finds a telephone number and shares the link', async (page) => {
  await openTable(page, 'phone', 'Customers');
  await page.getByRole('searchbox', { name: 'Search these records' }).fill('around the horn');
  await page.keyboard.press('Enter');
  await waitForCount(page, '1 record');
  await page.locator('td', { hasText: 'Around the Horn' }).dblclick();
  const record = page.getByRole('region', { name: 'Record', exact: true });
  await record.getByText('(171) 555-7788').waitFor();
  await record.getByRole('button', { name: 'Copy link' }).click();
  const other = await explorer.open((await copied(page)).slice(explorer.url.length));
  await other.page.getByRole('region', { name: 'Record', exact: true }).getByText('(171) 555-7788').waitFor();
  await waitForCount(other.page, '1 record');
  const first = async (one: Page) => (await rowsOf(one)).map((values) => values.slice(0, 5));
  expect(await first(other.page)).toEqual(await first(page));
  expect(other.consoleLines).toEqual([]);
  await other.close();
});

journey('an analyst compares two columns, and downloads what one number stands for', async (page) => {
  await openTable(page, 'orders', 'Orders');
  await page.getByRole('link', { name: 'Summary' }).click();
  await press(page, 'Compare two columns');
  const form = page.getByRole('region', { name: 'Compare two columns' });
  await form.getByRole('combobox', { name: 'Rows' }).selectOption('ship_country');
  await form.getByRole('combobox', { name: 'Columns', exact: true }).selectOption('order_date');
  await press(page, 'Compare');
  await form
    .getByRole('row', { name: /^Germany/ })
    .getByRole('button', { name: '64' })
    .click();
  await waitForCount(page, '64 records');
  await press(page, 'Download');
  await page.getByRole('radio', { name: /^XLSX/ }).check();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog', { name: 'Download' }).getByRole('button', { name: 'Download' }).click(),
  ]);
  const file = join(folder, 'orders.xlsx');
  await saved.saveAs(file);
  const script = join(import.meta.dirname, 'read_files.py');
  const { stdout } = await run(join(inject('bin'), 'python'), [script, 'xlsx', file], { maxBuffer: 50_000_000 });
  const sheets: Readonly<Record<string, readonly (readonly unknown[])[]>> = JSON.parse(stdout).openpyxl;
  const [head, ...rows] = sheets.Data ?? [];
  expect(new Set(rows.map((row) => row[head?.indexOf('ship_country') ?? -1]))).toEqual(new Set(['Germany']));
  expect(rows.length).toBe(64);
});

journey('a clerk corrects ten records, and undoes the last one', async (page) => {
  await enterKnown(page, token);
  await openTable(page, 'customers', 'Customers');
  await press(page, 'Edit data');
  const names = (await rowsOf(page, 10)).map(([name = '']) => name);
  for (const [at, name] of names.entries()) {
    await page.locator('td', { hasText: name }).first().dblclick();
    await page.locator('.edit').getByLabel('phone', { exact: true }).fill(`+1 555 010${at}`);
    await press(page, 'Check');
    await press(page, 'Save');
    await page.getByText('Saved.', { exact: true }).waitFor();
  }
  await press(page, 'Undo last save');
  await page.getByText('The last save is undone.').waitFor();
  const search = { resource_id: 'customers', fields: 'phone', sort: 'customer_id', limit: 10 };
  const { records } = await explorer.result('datastore_search', search);
  const phones = Array.isArray(records) ? records.map(({ phone }) => phone) : [];
  expect(phones.slice(0, 9)).toEqual(names.slice(0, 9).map((_, at) => `+1 555 010${at}`));
  expect(phones[9]).toBe('(604) 555-4729');
});

journey('a developer copies the call for what is seen, and runs it', async (page) => {
  await openTable(page, 'products', 'Products');
  await page
    .getByRole('columnheader', { name: /^unit_price/ })
    .getByRole('button')
    .first()
    .click();
  await expect.poll(async () => (await rowsOf(page, 1))[0]?.[0]).toBe('Côte de Blaye');
  await page.getByRole('link', { name: 'API' }).click();
  for (const [language, program, args] of [
    ['curl', 'bash', ['-c']],
    ['JavaScript', process.execPath, ['--input-type=module', '-e']],
  ] as const) {
    await page.getByRole('button', { name: language, exact: true }).click();
    await page.getByRole('region', { name: language }).getByRole('button', { name: 'Copy' }).click();
    const { stdout } = await run(program, [...args, await copied(page)]);
    expect(stdout).toContain('Côte de Blaye');
  }
});
