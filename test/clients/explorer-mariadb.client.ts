/** The explorer with MariaDB: search, filters, sorting, digits, a summary. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tablesOfMariadb } from './explorer-tables.ts';
import { type Explorer, resource, rowsOf, serveExplorer, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  const resources = {
    permits: { ...resource('permits'), title: 'Building permits', columns: { approved: { boolean: true } } },
    digits: resource('digits'),
  };
  explorer = await serveExplorer('mariadb', tablesOfMariadb, { resources });
});
afterAll(() => explorer?.stop());

const permits = '/datastore/explore/permits';

test('words, a sort and a filter by a value find what the API finds', async () => {
  const { page, sent, consoleLines, close } = await explorer.open(permits);
  await waitForCount(page, '30,000 records');
  await page.getByRole('searchbox', { name: 'Search' }).fill('okafor ROOF');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('mark').count()).toBeGreaterThan(10);
  await page.getByRole('button', { name: 'opened date' }).click();
  await expect.poll(() => page.url()).toContain('sort=opened+desc+nulls+last');
  await rowsOf(page);
  await page.locator('td[data-row="0"][data-column="4"]').click();
  await page.getByRole('button', { name: 'Only these' }).click();
  await expect.poll(() => page.url()).toContain('district');
  const { records, total } = await explorer.result('datastore_search', {
    ...{ resource_id: 'permits', records_format: 'lists', limit: 5 },
    ...Object.fromEntries(new URL(page.url()).searchParams),
  });
  await waitForCount(page, `${Number(total).toLocaleString('en')} records`);
  const found = Array.isArray(records) ? records.map(([id]) => `${id}`) : [];
  expect(found).toHaveLength(5);
  expect((await rowsOf(page)).map(([id]) => id)).toEqual(found);
  // Each of the four views sends one search, and one for the rows below the screen. Sorting changes no count, and the head counts all once.
  expect(sent.filter(({ url }) => url.endsWith('datastore_search')).length).toBeLessThanOrEqual(4 * 2 + 3 + 1);
  expect(consoleLines).toEqual([]);
  await close();
});

test('every digit is shown, and a value filters to its record', async () => {
  const { page, consoleLines, close } = await explorer.open('/datastore/explore/digits');
  const shown = await rowsOf(page);
  expect(shown.map((row) => row.slice(0, 4))).toEqual([
    ['1', '9007199254740993', '12345678901234567890123456789012345.123456789012345678901234567890', '0.1'],
    ['3', '9223372036854775807', '1.500000000000000000000000000000', '-2.5e-300'],
    ['9007199254740995', '-9223372036854775808', '0.000000000000000000000000000001', '1e+300'],
  ]);
  for (const [row, column] of [0, 1, 2].flatMap((row) => [1, 2, 3, 4, 5, 6].map((column) => [row, column] as const))) {
    await page.goto(`${explorer.url}/datastore/explore/digits`);
    await rowsOf(page);
    await page.locator(`td[data-row="${row}"][data-column="${column}"]`).click();
    await page.getByRole('button', { name: 'Only these' }).click();
    await expect.poll(() => page.url()).toContain('filters=');
    await expect
      .poll(async () => (await rowsOf(page)).map(([id]) => id), { message: `${row} ${column}` })
      .toContain(shown[row]?.[0]);
  }
  expect(consoleLines).toEqual([]);
  await close();
});

test('a bar of a summary finds as many records as it says', async () => {
  const { page, consoleLines, close } = await explorer.open(`${permits}?view=summary&by=kind`);
  const bar = page.getByRole('region', { name: 'kind', exact: true }).locator('tbody tr').first();
  const [, count = ''] = await bar.locator('td').allTextContents();
  await bar.getByRole('button').click();
  await waitForCount(page, `${count} records`);
  expect(consoleLines).toEqual([]);
  await close();
});
