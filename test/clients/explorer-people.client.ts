/** The explorer in a browser: how values are written for people, the order, what is said while nothing is to be seen, phones, and print. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Explorer, resource, rowsOf, serveExplorer, waitForCount } from './explorer-world.ts';

const sql = `
CREATE TABLE countries (iso char(2) PRIMARY KEY, country text);
INSERT INTO countries VALUES ('DE', 'Germany'), ('PL', 'Poland');
CREATE TABLE cities (id int PRIMARY KEY, iso char(2) NOT NULL REFERENCES countries, name text, population bigint, area numeric(12,2), year_founded int,
  capital bool, updated date, seen timestamptz, website text, tags text[]);
INSERT INTO cities SELECT 1000 + i, CASE i % 2 WHEN 0 THEN 'DE' ELSE 'PL' END, 'City ' || i, CASE WHEN i % 4 > 0 THEN i * 12345 END,
  CASE i % 3 WHEN 0 THEN i * 1000.25 ELSE i END, 1200 + i, i % 2 = 0, date '2024-02-29' + i, timestamptz '2024-02-29 08:30Z',
  (ARRAY['https://www.city.example/', 'javascript:alert(1)', 'office@city.example', '', 'data:text/html,x'])[1 + i % 5], ARRAY['a']
FROM generate_series(0, 299) i;`;

let explorer: Explorer;
beforeAll(async () => {
  const resources = {
    countries: resource('countries'),
    cities: {
      ...resource('cities'),
      title: 'Cities',
      group: 'Geography',
      about: { licence: 'CC-BY-4.0' },
      changed: 'seen',
      columns: { population: { info: { label: 'Population', unit: 'people' } } },
    },
  };
  explorer = await serveExplorer('postgres', sql, { resources });
});
afterAll(() => explorer?.stop());

const cities = '/datastore/explore/cities';
const cell = (page: Page, column: string, row = 0) =>
  page.locator('th', { hasText: column }).evaluate((head, row) => {
    const at = Number(head.getAttribute('aria-colindex')) - 1;
    return head.ownerDocument.querySelector(`td[data-row="${row}"][data-column="${at}"]`)?.textContent ?? '';
  }, row);
const sortOf = (page: Page) => new URL(page.url()).searchParams.get('sort');

test('heads say what a column is, and cells are written for people; the exact values stay', async () => {
  const { page, consoleLines, close } = await explorer.open(cities);
  await waitForCount(page, '300 records');
  const heads = await page
    .locator('th')
    .evaluateAll((all) =>
      all.map((one) => [one.querySelector('.label'), one.querySelector('small')].map((part) => part?.textContent)),
    );
  expect(heads).toEqual([
    ['name', 'text'],
    ['id', 'key'],
    ['iso', 'refers to countries'],
    ['Population', 'people'],
    ['area', 'number'],
    ['year_founded', 'whole number'],
    ['capital', 'yes/no'],
    ['updated', 'date'],
    ['seen', 'date and time, UTC'],
    ['website', 'text'],
    ['tags', 'list'],
  ]);
  const columns = ['id', 'iso', 'Population', 'area', 'year_founded', 'capital', 'updated'];
  expect(await Promise.all(columns.map((one) => cell(page, one, 3)))).toEqual([
    '1003',
    'PL',
    '37,035',
    '3,000.75',
    '1203',
    'no',
    'Mar 3, 2024',
  ]);
  expect([await cell(page, 'Population', 4), await cell(page, 'website', 3)]).toEqual(['–', '']);
  expect(await page.locator('td[data-row="3"]').nth(3).getAttribute('title')).toBe('37035');
  await page.locator('td[data-row="3"][data-column="3"]').click();
  await page.getByRole('region', { name: 'Selected value' }).getByText('37035', { exact: true }).waitFor();
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('37035');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.locator('td.block').nth(3).waitFor();
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('37035\t3000.75\n\t4.00');
  expect(await page.locator('.title').textContent()).toMatch(/Cities300 records.*changed .*ago.*CC BY 4\.0/);
  expect(consoleLines).toEqual([]);
  await close();
});

test('years are not grouped in charts and comparisons, and their sum is', async () => {
  const compared = (fn: string) =>
    `groups=["capital",{"field":"year_founded","width":100}]&measures={"value":{"${fn}":"year_founded"}}`;
  const { page, consoleLines, close } = await explorer.open(
    `${cities}?view=summary&by=year_founded&${compared('min')}`,
  );
  const card = page.getByRole('region', { name: 'year_founded', exact: true });
  await expect
    .poll(() => card.locator('svg text:not(.level)').allTextContents())
    .toEqual(['1200', '1300', '1400', '1500']);
  expect(await card.locator('svg title').first().textContent()).toMatch(/^1200 – 12\d\d: /);
  const texts = (part: string) => page.locator('.pivot').locator(part).allTextContents();
  await expect.poll(() => texts('thead th')).toEqual(['1200 – 1300', '1300 – 1400', '1400 – 1500', 'all']);
  const years = ['1200', '1200', '1201', '1201', '1300', '1301', '1400', '1401'];
  expect((await texts('tbody td')).toSorted()).toEqual(years);
  await page.goto(`${explorer.url}${cities}?view=summary&${compared('sum')}`);
  await expect.poll(() => texts('tfoot td.total')).toEqual(['404,850']);
  expect(consoleLines).toEqual([]);
  await close();
});

test('only addresses of the web and of mail are links, and they lead out without a trace', async () => {
  const { page, close } = await explorer.open(cities);
  await rowsOf(page);
  const links = await page
    .locator('.grid tbody a:not([data-inside])')
    .evaluateAll((all) =>
      all.slice(0, 4).map((one) => ['href', 'rel', 'target'].map((name) => one.getAttribute(name))),
    );
  expect(links).toEqual([
    ['https://www.city.example/', 'noopener noreferrer', '_blank'],
    ['mailto:office@city.example', null, null],
    ['https://www.city.example/', 'noopener noreferrer', '_blank'],
    ['mailto:office@city.example', null, null],
  ]);
  expect(await cell(page, 'website', 1)).toBe('javascript:alert(1)');
  await close();
});

test('a click orders descending, ascending, and not at all; no value is last, and bars compare the values', async () => {
  const { page, close } = await explorer.open(cities);
  await rowsOf(page);
  const population = page.getByRole('button', { name: 'Population people' });
  await population.click();
  await expect.poll(() => sortOf(page)).toBe('population desc nulls last');
  await expect.poll(() => cell(page, 'Population')).toBe('3,691,155');
  const bars = await page.locator('.size').evaluateAll((all) => all.map((one) => one.clientWidth));
  expect([bars[0], Math.min(...bars)]).toEqual([64, expect.any(Number)]);
  expect(bars[20]).toBeLessThan(64);
  await population.click();
  await expect.poll(() => sortOf(page)).toBe('population');
  await expect.poll(() => cell(page, 'Population')).toBe('12,345');
  await population.click();
  await expect.poll(() => sortOf(page)).toBeNull();
  // A list has no order, so its head opens the menu, which does not offer one either.
  await page.getByRole('button', { name: 'tags list' }).click();
  const items = page.getByRole('menu', { name: 'Menu of tags' }).getByRole('menuitem');
  await items.first().waitFor();
  expect(await items.filter({ hasText: 'Sort' }).count()).toBe(0);
  expect(sortOf(page)).toBeNull();
  await close();
});

test('the name of a record stays in sight, and columns never become narrower', async () => {
  const { page, close } = await explorer.open(cities, { viewport: { width: 800, height: 600 } });
  await rowsOf(page);
  const widths = () =>
    page.locator('col').evaluateAll((all) => all.map((one) => one.clientWidth || one.getBoundingClientRect().width));
  const before = await widths();
  await page.locator('.grid').evaluate((grid) => grid.scrollTo(500, 200 * 36));
  await page.locator('td.frozen', { hasText: 'City 205' }).waitFor();
  const left = await page
    .locator('td.frozen', { hasText: 'City 205' })
    .evaluate((one) => one.getBoundingClientRect().left);
  expect(left).toBe(0);
  const after = await widths();
  expect(after.every((width, at) => width >= (before[at] ?? 0))).toBe(true);
  await close();
});

test('a tab keeps what is asked, also after a reload', async () => {
  const asked = '?q=city&filters={"iso":"DE"}&sort=name&fields=id,name';
  const { page, close } = await explorer.open(`${cities}${asked}`);
  await rowsOf(page);
  const params = () => {
    const { view: _, ...others } = Object.fromEntries(new URL(page.url()).searchParams);
    return others;
  };
  const before = params();
  for (const [tab, view] of [
    ['Summary', 'summary'],
    ['API', 'api'],
    ['Data', null],
  ] as const) {
    await page.getByRole('navigation', { name: 'Views of this table' }).getByRole('link', { name: tab }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('view')).toBe(view);
    await page.reload();
    await page.locator(`.tabs [aria-current=page]`, { hasText: tab }).waitFor();
    expect(params()).toEqual(before);
  }
  await page.goBack();
  await page.locator(`.tabs [aria-current=page]`, { hasText: 'API' }).waitFor();
  await close();
});

test('no match: how many there are without each filter', async () => {
  const { page, consoleLines, close } = await explorer.open(
    `${cities}?filters={"iso":"DE","population":{"gte":99999999}}`,
  );
  const notice = page.locator('.notice');
  await notice.getByText('Without these filters: 300 records.').waitFor();
  expect(await notice.getByRole('button').allTextContents()).toEqual([
    'Clear both filters',
    'Without “Population ≥ 99,999,999”: 150',
  ]);
  await notice.getByRole('button', { name: 'Without' }).click();
  await waitForCount(page, '150 records');
  expect(consoleLines).toEqual([]);
  await close();
});

test('a slow database: a skeleton, a line, then a choice', async () => {
  const { page, close } = await explorer.open('/datastore/explore');
  await page.route('**/datastore_search', () => new Promise(() => {}));
  await page.goto(`${explorer.url}${cities}?q=city`);
  await page.locator('.grid .wait').first().waitFor();
  expect(await page.locator('th .label').first().textContent()).toBe('name');
  await page.getByText('The database is searching for the words …').waitFor();
  await page.getByRole('heading', { name: 'The database is slow' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('heading', { name: 'Stopped' }).waitFor();
  await page.unroute('**/datastore_search');
  await page.getByRole('button', { name: 'Try again' }).click();
  await waitForCount(page, '300 records');
  await close();
}, 30_000);

test('an error is one sentence in the language of the page, with the words of the database below', async () => {
  const { page, close } = await explorer.open(`${cities}?sort=nowhere`, { locale: 'de' });
  const alert = page.getByRole('alert');
  await alert.getByText('Was hier gefragt wird, kann diese Tabelle nicht beantworten.').waitFor();
  await alert.getByText('Einzelheiten').click();
  await alert.getByText('nowhere').waitFor();
  await close();
});

test('German numbers are read as they are written there, and what is ambiguous is asked', async () => {
  const { page, close } = await explorer.open(cities, { locale: 'de' });
  await rowsOf(page);
  expect([await cell(page, 'Population', 3), await cell(page, 'area', 3)]).toEqual(['37.035', '3.000,75']);
  const filter = async (typed: string) => {
    await page.getByRole('dialog').getByRole('textbox', { name: 'Wert' }).fill(typed);
    await page.getByRole('dialog').getByRole('button', { name: 'Filter hinzufügen' }).click();
  };
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Spalte').selectOption('area');
  await filter('1.2');
  await page.getByText('Schreiben Sie 1,2 oder 12: Beides könnte gemeint sein.').waitFor();
  await filter('3.000,75');
  await waitForCount(page, '1 von 300 Datensätzen');
  expect(new URL(page.url()).searchParams.get('filters')).toBe('{"area":3000.75}');
  await page.getByText('3.000,75').first().waitFor();
  await close();
});

test('a phone shows a list, which opens records and becomes a grid', async () => {
  const { page, close } = await explorer.open(cities, { viewport: { width: 390, height: 844 } });
  const items = page.locator('.record-list button');
  await items.filter({ hasText: 'City 3' }).first().waitFor();
  expect(await items.nth(3).locator('> span').allTextContents()).toEqual(['City 3', '37,035', 'PL', 'Mar 3, 2024']);
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('population');
  await items.filter({ hasText: 'City 299' }).first().waitFor();
  await items.first().click();
  await page.getByRole('region', { name: 'Record' }).getByRole('heading', { name: 'City 299' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'As grid' }).click();
  expect((await rowsOf(page, 1))[0]?.[0]).toBe('City 299');
  await page.getByRole('button', { name: 'As list' }).click();
  await items.first().waitFor();
  await close();
});

test('on a phone the best match is one of the orders, and the toolbar has room for the words', async () => {
  const { page, close } = await explorer.open(`${cities}?q=City&sort=id`, { viewport: { width: 390, height: 844 } });
  await page.locator('.record-list button').first().waitFor();
  const order = page.getByRole('combobox', { name: 'Sort' });
  expect(await order.inputValue()).toBe('id');
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.locator('.toolbar').evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0);
  await order.selectOption('Best match first');
  await expect.poll(() => new URL(page.url()).search).toBe('?q=City');
  await close();
});

test('print: all that was read, with the filters above', async () => {
  const { page, close } = await explorer.open(`${cities}?filters={"iso":"DE"}`);
  await waitForCount(page, '150 records');
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  await page.emulateMedia({ media: 'print' });
  await page.locator('.print p', { hasText: 'iso is DE' }).waitFor();
  expect(await page.locator('.print tbody tr').count()).toBe(150);
  expect(
    await page
      .locator('.grid, .toolbar, .site')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).length),
  ).toBe(0);
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
  expect(await page.locator('.print').count()).toBe(0);
  await close();
});

test('the first Tab leads to the records', async () => {
  const { page, close } = await explorer.open(cities);
  await rowsOf(page);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Skip to the records' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('td[data-row="0"]:focus').waitFor();
  await page.keyboard.press('Control+End');
  await page.locator('td[data-row="299"]:focus, td[data-row="199"]:focus, td[data-row="99"]:focus').first().waitFor();
  await close();
});
