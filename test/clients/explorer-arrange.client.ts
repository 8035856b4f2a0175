/** What people arrange: widths and frozen columns of the grid; and the sheets of a phone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlaces } from './explorer-places.ts';
import { type Explorer, rowsOf, violations } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openPlaces('postgres');
});
afterAll(() => explorer?.stop());

const cities = '/datastore/explore/cities';
const head = (page: Page, name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) });
const widthOf = async (page: Page, name: string) => Math.round((await head(page, name).boundingBox())?.width ?? 0);

test('a column is resized by a drag and by keys, keeps its width, and gives it back', async () => {
  const { page, consoleLines, close } = await explorer.open(cities);
  await rowsOf(page);
  const before = await widthOf(page, 'Country');
  const box = await head(page, 'Country').locator('.grip').boundingBox();
  const [x, y] = [(box?.x ?? 0) + 3, (box?.y ?? 0) + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 70, y, { steps: 5 });
  await page.mouse.up();
  expect(await widthOf(page, 'Country')).toBe(before + 70);
  expect(new URL(page.url()).search).toBe('');
  await head(page, 'Country').getByRole('button').first().focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => widthOf(page, 'Country')).toBe(before + 54);
  await page.locator('td[data-row="0"][data-column="0"]').click();
  const name = await widthOf(page, 'name');
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(() => widthOf(page, 'name')).toBe(name + 16);
  await page.reload();
  await rowsOf(page);
  expect([await widthOf(page, 'Country'), await widthOf(page, 'name')]).toEqual([before + 54, name + 16]);
  await head(page, 'Country').locator('.grip').dblclick();
  await expect.poll(() => widthOf(page, 'Country')).toBe(before);
  expect(consoleLines).toEqual([]);
  await close();
});

test('columns are frozen up to one, stay where they are, and are released again', async () => {
  const { page, consoleLines, close } = await explorer.open(cities, { viewport: { width: 800, height: 700 } });
  await rowsOf(page);
  const choose = async (item: string) => {
    await head(page, 'id').hover();
    await page.getByRole('button', { name: 'Menu of id' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Freeze up to here');
  const cell = page.locator('td[data-row="0"][data-column="1"]');
  const before = await cell.boundingBox();
  await page.locator('.grid').evaluate((grid) => grid.scrollTo({ left: 400 }));
  await expect.poll(() => page.locator('.grid').evaluate((grid) => grid.scrollLeft)).toBeGreaterThan(100);
  expect(await cell.boundingBox()).toEqual(before);
  await page.reload();
  await rowsOf(page);
  expect(await page.locator('td.frozen[data-row="0"]').count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  await choose('Unfreeze');
  await expect.poll(() => page.locator('td.frozen').count()).toBe(0);
  expect(consoleLines).toEqual([]);
  await close();
});

test.each([
  ['filter', 'Filter', 'Add filter'],
  ['columns', 'Columns', 'Columns'],
  ['download', 'Download', 'Download'],
] as const)('on a phone the %s form is a sheet from below, with room for fingers', async (_, button, name) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, consoleLines, close } = await explorer.open(cities, phone);
  await page.locator('.record-list button').first().waitFor();
  await page.getByRole('button', { name: button, exact: true }).click();
  const sheet = page.getByRole('dialog', { name });
  await sheet.getByRole('button').last().waitFor();
  await expect
    .poll(async () => {
      const { x = -1, y = 0, width = 0, height = 0 } = (await sheet.boundingBox()) ?? {};
      return [x, width, Math.round(y + height)];
    })
    .toEqual([0, 390, 844]);
  // A checkbox is as large as its label.
  const small = await page
    .locator(
      'button, select, .popover label.choice, .checks label, input:not([type=checkbox], [type=radio], [type=hidden])',
    )
    .evaluateAll((elements) =>
      elements
        .map((one) => ({ height: one.getBoundingClientRect().height, html: one.outerHTML.slice(0, 80) }))
        .filter(({ height }) => height > 1 && height < 40),
    );
  expect(small).toEqual([]);
  expect(consoleLines).toEqual([]);
  await close();
});

test('on a phone the filters are counted on their button, and are in its sheet', async () => {
  const filters = '{"country":"DE","population":{"gte":1}}';
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, consoleLines, close } = await explorer.open(`${cities}?filters=${filters}`, phone);
  const button = page.getByRole('button', { name: 'Filter 2' });
  await button.click();
  const sheet = page.getByRole('dialog', { name: 'Add filter' });
  await sheet.getByRole('button', { name: /^Remove the filter Country/ }).click();
  await page.getByRole('button', { name: 'Filter 1' }).waitFor();
  expect(new URL(page.url()).searchParams.get('filters')).toBe('{"population":{"gte":1}}');
  await sheet
    .getByRole('button', { name: /Population/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Change filter' }).waitFor();
  expect(consoleLines).toEqual([]);
  await close();
});

test('a summary has the labels of the records that a column refers to', async () => {
  const { page, consoleLines, close } = await explorer.open(`${cities}?view=summary&by=country`);
  await page.getByRole('button', { name: 'Germany' }).click();
  expect(new URL(page.url()).searchParams.get('filters')).toBe('{"country":"DE"}');
  const groups = 'groups=["country","name"]&measures={"value":"count"}';
  await page.goto(`${explorer.url}${cities}?view=summary&${groups}`);
  await page.getByRole('rowheader', { name: 'Germany' }).waitFor();
  expect(consoleLines).toEqual([]);
  await close();
});

test('on a phone a record is a page, which Back leaves', async () => {
  const { page, close } = await explorer.open(cities, { viewport: { width: 390, height: 844 } });
  await page.locator('.record-list button').first().click();
  const record = page.getByRole('region', { name: 'Record', exact: true });
  expect(await record.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  // The focus never goes behind it.
  const focused = page.locator('main :focus');
  const inside = record.locator(':focus');
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    expect(await focused.count()).toBe(await inside.count());
  }
  await page.goBack();
  await page.locator('.record-list button').first().waitFor();
  expect(await record.count()).toBe(0);
  await close();
});
