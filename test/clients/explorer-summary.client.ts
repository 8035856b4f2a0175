/** The explorer in a browser: summaries by value, range and calendar step. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tablesOfMariadb } from './explorer-tables.ts';
import { type Explorer, openExplorer, resource, serveExplorer, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
let mariadb: Explorer;
beforeAll(async () => {
  [explorer, mariadb] = await Promise.all([
    openExplorer(),
    serveExplorer('mariadb', tablesOfMariadb, { resources: { permits: resource('permits') } }),
  ]);
});
afterAll(() => Promise.all([explorer?.stop(), mariadb?.stop()]));

const facet = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** The label and the count in each row of a summary's table. */
const barsOf = (page: Page, name: string) =>
  facet(page, name)
    .locator('tbody tr:has(button)')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].slice(0, 2).map(({ textContent }) => textContent)),
    );
const number = (text = '') => Number(text.replaceAll(',', ''));

test('nothing is counted before a column is chosen; then its values, and a click filters to exactly its records', async () => {
  const { page, consoleLines, sent, close } = await explorer.open(
    '/datastore/explore/permits?filters={"status":"granted"}',
  );
  await waitForCount(page, '18,000 records');
  await page.getByRole('link', { name: 'Summary' }).click();
  const choice = facet(page, 'kind').getByRole('button', { name: 'Count this column' });
  await choice.waitFor();
  expect(sent.filter(({ url }) => url.includes('datastore_aggregate'))).toEqual([]);
  await choice.click();
  await expect.poll(async () => (await barsOf(page, 'kind')).length).toBe(7);
  const bars = await barsOf(page, 'kind');
  expect(bars.reduce((sum, [, count]) => sum + number(count), 0)).toBe(18_000);
  const [label = '', count = ''] = bars[2] ?? [];
  await facet(page, 'kind').getByRole('button', { name: label }).click();
  await waitForCount(page, `${count} records`);
  expect(JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '')).toEqual({ status: 'granted', kind: label });
  expect(new URL(page.url()).searchParams.get('by')).toBe('kind');
  expect(consoleLines).toEqual([]);
  await close();
});

test.each([
  ['amount', 'range'],
  ['opened', 'range'],
  ['opened', 'year'],
  ['opened', 'quarter'],
  ['decided', 'month'],
  ['area', 'value'],
])('%s by %s: each bar finds as many records as it says', async (column, step) => {
  const { page, consoleLines, close } = await explorer.open(`/datastore/explore/permits?view=summary&by=${column}`);
  await facet(page, column).getByRole('combobox', { name: 'By' }).selectOption({ label: step });
  if (step !== 'value') {
    await facet(page, column).getByRole('img', { name: column }).waitFor();
    await facet(page, column).getByText('As a table').click();
  }
  await expect.poll(async () => (await barsOf(page, column)).length).toBeGreaterThan(5);
  const bars = await barsOf(page, column);
  const [label = '', count = ''] = bars[Math.floor(bars.length / 2)] ?? [];
  await facet(page, column).getByRole('button', { name: label, exact: true }).first().click();
  await waitForCount(page, number(count) === 1 ? '1 record' : `${count} records`);
  expect(consoleLines).toEqual([]);
  await close();
});

test('Refresh counts again; when that fails no lowest and highest value stay', async () => {
  const compared = 'groups=["name","done"]&measures={"value":{"max":"amount"}}';
  const { page, close } = await explorer.open(`/datastore/explore/scratch?view=summary&by=amount&${compared}`);
  const extremes = facet(page, 'amount').locator('.extremes');
  const last = page.locator('.pivot tbody tr', { hasText: 'item 20' }).locator('td').first();
  await expect.poll(() => extremes.textContent()).toContain('highest30.0000');
  await expect.poll(() => last.textContent()).toBe('30.0000');
  await explorer.exec('UPDATE scratch SET amount = 31 WHERE id = 20');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => extremes.textContent()).toContain('highest31.0000');
  await expect.poll(() => last.textContent()).toBe('31.0000');
  await page.route('**/datastore_aggregate', (route) =>
    route.request().postData()?.includes('"lowest"') ? route.abort() : route.continue(),
  );
  await explorer.exec('UPDATE scratch SET amount = NULL WHERE id = 20');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => extremes.textContent()).toBe('lowest–highest–no value1');
  await close();
});

test('null is a value that can be chosen', async () => {
  const { page, consoleLines, close } = await explorer.open('/datastore/explore/permits?view=summary&by=approved');
  await facet(page, 'approved').getByRole('button', { name: 'no value' }).click();
  await waitForCount(page, '2,727 records');
  expect(new URL(page.url()).searchParams.get('filters')).toBe('{"approved":{"null":true}}');
  expect(consoleLines).toEqual([]);
  await close();
});

test('many values: the most frequent ones, and how many others there are', async () => {
  const { page, close } = await explorer.open('/datastore/explore/permits?view=summary&by=permit_no');
  await facet(page, 'Permit no.').getByRole('combobox', { name: 'By' }).selectOption({ label: 'value' });
  await facet(page, 'Permit no.').getByText('29,988 other values').waitFor();
  expect((await barsOf(page, 'Permit no.'))[0]).toEqual(['9007199254740995', '1']);
  await close();
});

test('a counted column shows its lowest and highest value, and how many records have none', async () => {
  const { page, consoleLines, close } = await explorer.open(
    '/datastore/explore/permits?view=summary&by=amount,decided,approved',
  );
  const extremes = (name: string) => facet(page, name).locator('.extremes');
  const { records } = await explorer.result('datastore_aggregate', {
    ...{ resource_id: 'permits', measures: { least: { min: 'amount' }, most: { max: 'amount' } } },
  });
  const [{ least, most }] = Array.isArray(records) ? records : [];
  const written = (amount: number) => amount.toLocaleString('en', { minimumFractionDigits: 2 });
  await expect
    .poll(() => extremes('amount').textContent())
    .toBe(`lowest${written(least)}highest${written(most)}no value0`);
  await expect.poll(() => extremes('decided').textContent()).toMatch(/^firstFeb \d+, 2014.*last.* 2025.*no value0$/);
  await facet(page, 'approved').getByText('2 values').waitFor();
  expect(consoleLines).toEqual([]);
  await close();
});

test('the width of steps is typed as the language of the page writes numbers', async () => {
  const { page, consoleLines, close } = await explorer.open(
    '/datastore/explore/permits?view=summary&groups=[{"field":"amount","width":50000.5},"status"]&measures={"value":"count"}',
    { locale: 'de' },
  );
  const form = page.getByRole('region', { name: 'Zwei Spalten vergleichen' });
  const width = form.getByLabel('Schritte von');
  const groups = () => JSON.parse(new URL(page.url()).searchParams.get('groups') ?? '')[0];
  expect(await width.inputValue()).toBe('50000,5');
  for (const [typed, expected] of [
    ['20.000,5', 20_000.5],
    ['30.000', 30_000],
  ] as const) {
    await width.fill(typed);
    await form.getByRole('button', { name: 'Vergleichen', exact: true }).click();
    await expect.poll(groups).toEqual({ field: 'amount', width: expected });
  }
  for (const wrong of ['1.2', ',5', '5,', '-5', '0', 'NaN']) {
    await width.fill(wrong);
    await form.getByRole('button', { name: 'Vergleichen', exact: true }).click();
    expect(await width.and(page.locator(':invalid')).count(), wrong).toBe(1);
  }
  expect(groups()).toEqual({ field: 'amount', width: 30_000 });
  await width.fill('');
  await form.getByRole('button', { name: 'Vergleichen', exact: true }).click();
  await expect.poll(groups).toBe('amount');
  expect(consoleLines).toEqual([]);
  await close();
});

describe.each(['postgres', 'mariadb'] as const)('two columns compared with %s', (engine) => {
  const served = () => (engine === 'postgres' ? explorer : mariadb);
  const table = (page: Page) => page.locator('.pivot table');

  test('sums in a table, exact totals, and a click on a cell finds its records', async () => {
    const { page, sent, consoleLines, close } = await served().open('/datastore/explore/permits?view=summary');
    await page.getByRole('button', { name: 'Compare two columns' }).click();
    const form = page.getByRole('region', { name: 'Compare two columns' });
    await form.getByRole('combobox', { name: 'Rows' }).selectOption('kind');
    await form.getByRole('combobox', { name: 'Columns', exact: true }).selectOption('opened');
    await form.getByRole('combobox', { name: 'Show' }).selectOption('sum');
    await form.getByRole('combobox', { name: 'of', exact: true }).selectOption('amount');
    expect(sent.filter(({ url }) => url.includes('datastore_aggregate'))).toEqual([]);
    await form.getByRole('button', { name: 'Compare', exact: true }).click();
    await table(page).waitFor();
    expect(await table(page).locator('thead th').allTextContents()).toEqual([
      ...Array.from({ length: 12 }, (_, nth) => String(2014 + nth)),
      'all',
    ]);
    expect(await table(page).locator('tbody tr').count()).toBe(7);
    const { records } = await served().result('datastore_aggregate', {
      ...{ resource_id: 'permits', measures: { sum: { sum: 'amount' } } },
    });
    const sum = Array.isArray(records) ? String(records[0].sum) : '';
    expect((await table(page).locator('tfoot td').last().textContent())?.replaceAll(',', '')).toBe(sum);
    const asked = new URL(page.url()).searchParams;
    expect(asked.get('groups')).toBe('["kind",{"field":"opened","every":"year"}]');
    expect(asked.get('measures')).toBe('{"value":{"sum":"amount"}}');
    const kind = await table(page).locator('tbody th').nth(2).textContent();
    await table(page).locator('tbody tr').nth(2).locator('td').nth(3).getByRole('button').click();
    const filters = { kind, opened: { gte: '2017-01-01', lt: '2018-01-01' } };
    await expect.poll(() => JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '{}')).toEqual(filters);
    const { total } = await served().result('datastore_search', { resource_id: 'permits', filters, limit: 0 });
    await waitForCount(page, `${total} `);
    await expect.poll(() => table(page).locator('tbody tr').count()).toBe(1);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('a shared address compares by steps of a width, and averages have no totals', async () => {
    const compared = 'groups=[{"field":"amount","width":50000},"status"]&measures={"value":{"avg":"permit_no"}}';
    const { page, consoleLines, close } = await served().open(`/datastore/explore/permits?view=summary&${compared}`);
    await table(page).waitFor();
    expect(await table(page).locator('tbody th').allTextContents()).toEqual([
      ...['0 – 50,000', '50,000 – 100,000', '100,000 – 150,000', '150,000 – 200,000'],
    ]);
    expect((await table(page).locator('thead th').allTextContents()).toSorted()).toEqual([
      'granted',
      'open',
      'refused',
    ]);
    expect(await table(page).locator('tfoot').count()).toBe(0);
    expect(await table(page).locator('tbody td').first().textContent()).toMatch(/^9,007,199,254,7\d\d,\d{3}$/);
    expect(consoleLines).toEqual([]);
    await close();
  });
});
