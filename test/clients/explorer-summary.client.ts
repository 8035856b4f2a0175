/** The explorer in a browser: summaries by value, range and calendar step. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Explorer, openExplorer, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer?.stop());

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
  const choice = page.getByRole('combobox', { name: 'Choose a column' });
  await choice.waitFor();
  expect(sent.filter(({ url }) => url.includes('datastore_aggregate'))).toEqual([]);
  await choice.selectOption('kind');
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
