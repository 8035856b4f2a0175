/** The front page of the explorer in a browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anywhere, type Explorer, resource, serveExplorer, token } from './explorer-world.ts';

/** Sixty tables in three groups, and one without. The first has a place, a label, and a time of its last change. */
const groups = ['Roads', 'Schools', 'Environment'];
const ids = Array.from({ length: 60 }, (_, nth) => `table_${String(nth).padStart(2, '0')}`);
const sql = `
${ids.map((id, nth) => `CREATE TABLE ${id} (id int PRIMARY KEY, ${nth === 0 ? 'lon float8, lat float8, people int, updated timestamptz' : `value_${nth} text`});`).join('\n')}
INSERT INTO table_00 SELECT i, i, i, i, now() - interval '3 minutes' FROM generate_series(1, 1234) i;
INSERT INTO table_07 SELECT i, 'x' FROM generate_series(1, 5678) i;
ANALYZE;`;
const many = Object.fromEntries(
  ids.map((id, nth) => {
    const group = nth === 59 ? {} : { group: groups[nth % 3] };
    const described = {
      title: `Table number ${nth}`,
      description: `What **number** ${nth} is about. More of it.`,
      ...group,
    };
    const first = {
      changed: 'updated',
      about: { keywords: ['census'] },
      columns: { people: { info: { label: 'Population', unit: 'people', notes: 'last estimate' } } },
    };
    const access = { read: 'public', write: nth < 5 ? 'token' : 'none' };
    return [id, { ...resource(id, access), ...described, ...(nth === 0 ? first : {}) }];
  }),
);
let explorer: Explorer;
beforeAll(async () => {
  explorer = await serveExplorer('postgres', sql, { resources: many });
});
afterAll(() => explorer?.stop());

const home = '/datastore/explore';
const shown = (page: Page) => page.locator('.front-tables .front-name a').allTextContents();
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

test('sixty tables have one line each, under their groups, with records and the last change', async () => {
  const { page, consoleLines, close } = await explorer.open(home);
  await status(page, '60 tables');
  await page.getByRole('heading', { level: 1, name: 'Open data of Example City' }).waitFor();
  await page.getByText('Everything that the city may publish.', { exact: true }).waitFor();
  expect(await page.locator('.front-list h2').allTextContents()).toEqual([
    'Environment 19 tables',
    'Roads 20 tables',
    'Schools 20 tables',
    'Other tables 1 table',
  ]);
  const first = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Table number 0', exact: true }) });
  await first.getByText('≈ 1,234').waitFor();
  await first.getByText('What number 0 is about.', { exact: true }).waitFor();
  await first.getByText(/^[34] minutes ago$/).waitFor();
  // By number, not by text.
  expect((await shown(page)).slice(0, 4)).toEqual([2, 5, 8, 11].map((nth) => `Table number ${nth}`));
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Most records');
  await expect.poll(async () => (await shown(page))[19]).toBe('Table number 0');
  expect(new URL(page.url()).search).toBe('?sort=records');
  expect(consoleLines).toEqual([]);
  await close();
});

test('groups and kinds narrow the list, each is a step back, and the address keeps them', async () => {
  const { page, close } = await explorer.open(home);
  const narrow = page.getByRole('navigation', { name: 'Narrow the list' });
  await narrow.getByRole('link', { name: /^Roads/ }).click();
  await status(page, '20 of 60 tables');
  await narrow.getByRole('link', { name: /^Map/ }).click();
  await status(page, '1 of 60 tables');
  expect(new URL(page.url()).search).toBe('?group=Roads&show=map');
  await page.getByText('5 columns').waitFor();
  await page.reload();
  await status(page, '1 of 60 tables');
  await narrow.getByRole('link', { name: 'Changes today 1' }).waitFor();
  expect(await narrow.getByRole('link', { name: /^I may edit/ }).count()).toBe(0);
  await page.goBack();
  await status(page, '20 of 60 tables');
  await narrow.getByRole('link', { name: /^All/ }).click();
  await narrow.getByRole('link', { name: /^Other tables/ }).click();
  expect(await shown(page)).toEqual(['Table number 59']);
  await close();
});

test('one search finds titles, keywords, and columns by name and label; what was found is shown', async () => {
  const { page, sent, close } = await explorer.open(home);
  await status(page, '60 tables');
  await page.keyboard.press('/');
  await page.keyboard.type('popul');
  await status(page, '1 table, found by column');
  await expect.poll(() => page.locator('.front-hit').innerText()).toBe('Column Population · people, last estimate');
  expect(await page.locator('.front-hit mark').allTextContents()).toEqual(['Popul']);
  expect(new URL(page.url()).search).toBe('?q=popul');
  // One call for all tables, and one for the words after the last letter.
  expect(sent.filter(({ body }) => body.includes('include')).length).toBeLessThanOrEqual(3);
  await page.goto(`${explorer.url}${home}?q=VALUE_41`);
  await status(page, '1 table, found by column');
  expect(await shown(page)).toEqual(['Table number 41']);
  await page.getByRole('searchbox').fill('census');
  await expect.poll(() => shown(page)).toEqual(['Table number 0']);
  await page.getByRole('searchbox').fill('nowhere');
  await page.getByText('No table matches.').waitFor();
  await close();
});

test('Back shows the list as it was left, and where it was', async () => {
  const { page, close } = await explorer.open(`${home}?sort=records`);
  await status(page, '60 tables');
  await page.getByRole('link', { name: 'Table number 44', exact: true }).scrollIntoViewIfNeeded();
  const before = await page.evaluate('scrollY');
  expect(before).toBeGreaterThan(300);
  await page.getByRole('link', { name: 'Table number 44', exact: true }).click();
  await page.getByRole('heading', { name: 'Table number 44' }).waitFor();
  await page.goBack();
  await status(page, '60 tables');
  await expect.poll(() => page.evaluate('scrollY')).toBe(before);
  expect(await page.getByRole('combobox', { name: 'Order' }).inputValue()).toBe('records');
  await page.reload();
  await status(page, '60 tables');
  await expect.poll(() => page.evaluate('scrollY')).toBe(before);
  await close();
});

test('with keys alone: search, narrow, open', async () => {
  const { page, close } = await explorer.open(home);
  await status(page, '60 tables');
  await page.keyboard.press('/');
  await page.keyboard.type('number 4');
  await status(page, '15 tables, found by name, description, and column');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await status(page, '4 tables, found by name, description, and column');
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Environment/);
  await page.getByRole('link', { name: 'Table number 14' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Table number 14' }).waitFor();
  await close();
});

test('from a table, the search at the top leads to the list', async () => {
  const { page, close } = await explorer.open(`${home}/table_03`);
  await page.getByRole('heading', { name: 'Table number 3' }).waitFor();
  await page.getByRole('searchbox', { name: 'Find a table, a column or a topic' }).fill('census');
  await page.keyboard.press('Enter');
  await status(page, '1 of 60 tables');
  expect(await shown(page)).toEqual(['Table number 0']);
  await page.goBack();
  await page.getByRole('heading', { name: 'Table number 3' }).waitFor();
  await close();
});

test('programs find the API, the catalogue in both formats, and the sitemap', async () => {
  const { page, close } = await explorer.open(home);
  const links = page.getByRole('navigation', { name: 'For programs' }).getByRole('link');
  await links.first().waitFor();
  expect(await links.allTextContents()).toEqual(['API (OpenAPI)', 'Catalogue (DCAT)', 'data.json', 'Sitemap']);
  for (const href of await links.evaluateAll((all) => all.map((one) => one.getAttribute('href'))))
    expect([href, (await fetch(`${explorer.url}${href}`)).status]).toEqual([href, 200]);
  await explorer.reload({ resources: many, catalog: { serve: 'none' } });
  await page.reload();
  await links.first().waitFor();
  expect(await links.allTextContents()).toEqual(['API (OpenAPI)', 'Sitemap']);
  await explorer.reload({ resources: many });
  await close();
});

test('language and colours are chosen at the top, and kept', async () => {
  const { page, close } = await explorer.open(home);
  await page.getByRole('button', { name: 'Language and colours' }).click();
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('dark');
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await status(page, '60 Tabellen');
  await page.getByRole('button', { name: 'Anmelden' }).waitFor();
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  await close();
});

test('few tables have their columns beside them; without groups there are no headings', async () => {
  const three = Object.fromEntries(
    ['a', 'b', 'c'].map((title, nth) => [title, { ...resource(`table_${57 + nth}`), title }]),
  );
  const few = await serveExplorer('postgres', sql, { resources: three });
  try {
    const { page, close } = await few.open(home);
    await status(page, '3 tables');
    expect(await page.getByText('2 columns').count()).toBe(3);
    expect(await page.locator('h2').allTextContents()).toEqual(['For programs']);
    await close();
  } finally {
    await few.stop();
  }
});

test('while the answer is slow, the frame of the page is there before its script', async () => {
  const { page, close } = await explorer.open('/datastore/explore/-/licenses.txt');
  await page.route('**/main.*.js', () => undefined);
  await page.goto(`${explorer.url}${home}`, { waitUntil: 'commit' });
  await page.locator('.shell .skeleton i').first().waitFor();
  await page.unroute('**/main.*.js');
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/resource_list', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${explorer.url}${home}`);
  await page.getByRole('status').filter({ hasText: 'Loading …' }).waitFor();
  expect(await page.locator('.shell').count()).toBe(0);
  go();
  await status(page, '60 tables');
  await close();
});

test('where nothing is open to everybody, the page asks for a token', async () => {
  const closed = { table_00: { ...many.table_00, access: { read: 'token', write: 'none' } } };
  const locked = await serveExplorer('postgres', sql, { resources: closed });
  try {
    const { page, consoleLines, close } = await locked.open(home, {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('heading', { name: 'Sign in to see the tables' }).waitFor();
    const field = page.getByRole('main').getByLabel('Token');
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'This token is not known here.' }).waitFor();
    await field.fill(token);
    await page.keyboard.press('Enter');
    await status(page, '1 table');
    expect(await page.evaluate('sessionStorage.length')).toBe(anywhere.isBesideUpstream ? 0 : 1);
    expect(consoleLines).toEqual([]);
    await close();
  } finally {
    await locked.stop();
  }
});

test('five hundred tables are less than 60 kB', async () => {
  const names = Array.from({ length: 500 }, (_, nth) => `city_table_${nth}`);
  const text = 'Every measurement of the station since it was built, checked by hand once a month.';
  const resources = Object.fromEntries(
    names.map((id, nth) => [
      id,
      {
        ...resource('table_00'),
        title: `Table ${nth}`,
        description: `${text} Station ${nth}.`,
        group: groups[nth % 3],
      },
    ]),
  );
  await explorer.reload({ resources });
  const { page, close } = await explorer.open(home);
  await status(page, '500 tables');
  const [size] = await page.evaluate<readonly number[]>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('resource_list')).map(({ encodedBodySize }) => encodedBodySize)`,
  );
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThan(60_000);
  await close();
});
