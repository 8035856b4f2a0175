/** The explorer in a browser: tables, search, filters, digits, addresses, hostile data. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anywhere, type Explorer, openExplorer, rowsOf, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer?.stop());

const table = (id: string, query = '') => `/datastore/explore/${id}${query}`;
const query = (params: Readonly<Record<string, unknown>>) => {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `?${new URLSearchParams(Object.fromEntries(texts))}`;
};

test('the list shows public tables only, and leads to them', async () => {
  const { page, consoleLines, sent, close } = await explorer.open('/datastore/explore');
  await page.getByRole('link', { name: 'Building permits' }).waitFor();
  expect(await page.getByRole('link', { name: 'Closed permits' }).count()).toBe(0);
  await page.getByRole('searchbox', { name: 'Find a table' }).fill('bauantraege');
  await expect.poll(() => page.locator('.front-tables > li').count()).toBe(1);
  await page.getByRole('link', { name: 'Building permits' }).click();
  await waitForCount(page, '30,000 records');
  expect((await rowsOf(page, 1))[0]?.slice(0, 3)).toEqual(['1', '9007199254740995', 'facade']);
  expect(await page.title()).toBe('Building permits · Open data of Example City');
  await page.goBack();
  await page.getByRole('heading', { name: 'Open data of Example City' }).waitFor();
  expect([consoleLines, sent.filter(({ url }) => url.includes('closed'))]).toEqual([[], []]);
  await close();
});

const { isBesideUpstream = false } = anywhere;
// With an upstream, the root belongs to the upstream.
test.skipIf(isBesideUpstream)(
  'a browser gets the list at the root, and other clients the page without a script',
  async () => {
    const { page, close } = await explorer.open('/');
    await page.getByRole('link', { name: 'Digits' }).waitFor();
    await close();
    for (const headers of [{}, { Accept: 'text/html;q=0, application/json' }]) {
      const plain = await (await fetch(`${explorer.url}/`, { headers })).text();
      expect(plain).toContain('all as CSV');
    }
  },
);

test('hidden columns are nowhere', async () => {
  const { page, close } = await explorer.open(table('hidden'));
  await rowsOf(page);
  expect(await page.content()).not.toMatch(/applicant|Okafor/);
  await close();
});

test('a search and a sort are one search and at most one count each', async () => {
  const { page, sent, consoleLines, close } = await explorer.open(table('permits'));
  await waitForCount(page, '30,000 records');
  const calls = () => sent.filter(({ url }) => url.endsWith('datastore_search')).map(({ body }) => JSON.parse(body));
  const before = calls().length;
  await page.getByRole('searchbox', { name: 'Search' }).fill('okafor ROOF');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('mark').count()).toBeGreaterThan(10);
  await expect.poll(() => calls().filter(({ q, limit }) => q !== undefined && limit === 0)).toHaveLength(1);
  await expect.poll(() => calls().length).toBe(before + 4);
  const searches = calls().slice(before);
  expect(searches[0]).toMatchObject({ q: 'okafor ROOF', sort: 'id', limit: 100 });
  // One search, one for the rows below the screen, one count of the matching records, and then one of all.
  await page.getByText(/ of 30,000 records/).waitFor();
  expect(searches).toHaveLength(4);
  expect(searches.filter(({ limit }) => limit === 0)).toEqual([
    { resource_id: 'permits', q: 'okafor ROOF', limit: 0 },
    { resource_id: 'permits', limit: 0 },
  ]);
  expect(new URL(page.url()).search).toBe('?q=okafor+ROOF&sort=id');
  await page.getByRole('button', { name: 'opened date' }).click();
  await expect.poll(() => page.url()).toContain('sort=opened+desc+nulls+last');
  const { records } = await explorer.result('datastore_search', {
    resource_id: 'permits',
    q: 'okafor ROOF',
    sort: 'opened desc nulls last',
    limit: 1,
  });
  const [{ opened }] = Object(records);
  await expect.poll(async () => (await rowsOf(page, 1))[0]?.[5]).toBe(opened);
  expect(consoleLines).toEqual([]);
  await close();
});

test('the records of one question stay in sight until those of the next are there', async () => {
  const { page, close } = await explorer.open(table('permits'));
  const first = await rowsOf(page);
  const shown = await page.locator('.grid tbody tr').nth(0).locator('td[data-row]').allTextContents();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/datastore_search', async (route) => {
    await asked;
    await route.continue();
  });
  await page.getByRole('button', { name: 'opened date' }).click();
  await page.locator('.grid.old').waitFor();
  expect(await page.locator('.grid tbody tr').nth(0).locator('td[data-row]').allTextContents()).toEqual(shown);
  await page.locator('.title', { hasText: '30,000 records' }).waitFor();
  answer();
  await page.locator('.grid:not(.old)').waitFor();
  expect(await rowsOf(page)).not.toEqual(first);
  await close();
});

test('a row that is still loading is not opened: its key is not known yet', async () => {
  const { page, close } = await explorer.open(table('permits', '?row={"id":1}'));
  const record = page.getByRole('region', { name: 'Record', exact: true });
  await record.getByRole('heading', { name: '1', exact: true }).waitFor();
  await page.locator('td[data-row="0"][data-column="0"]').click();
  await page.route('**/datastore_search', () => undefined);
  await page.keyboard.press('Control+End');
  await page.locator('td:focus:has(.wait)').waitFor();
  await record.getByRole('heading', { name: '1', exact: true }).waitFor();
  expect(await record.getByText('These records have no key').count()).toBe(0);
  await close();
});

test('every operator finds what the API finds', async () => {
  const { page, consoleLines, close } = await explorer.open(table('permits'));
  const filter = async (column: string, operator: string, ...values: readonly string[]) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Add filter' });
    await form.getByLabel('Column').selectOption(column);
    await form.getByLabel('Condition').selectOption({ label: operator });
    for (const [nth, value] of values.entries()) await form.locator('input, textarea').nth(nth).fill(value);
    await form.getByRole('button', { name: 'Add filter' }).click();
  };
  const found = async (filters: unknown) => {
    const { total } = await explorer.result('datastore_search', { resource_id: 'permits', filters, limit: 0 });
    await waitForCount(page, `${Number(total).toLocaleString('en')} record`);
    expect(JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '')).toEqual(filters);
  };
  await filter('kind', 'is one of', 'roof\nsolar\ngarage');
  await found({ kind: ['roof', 'solar', 'garage'] });
  await filter('amount', 'is between', '500', '100000.50');
  await found({ kind: ['roof', 'solar', 'garage'], amount: { gte: 500, lte: 100000.5 } });
  await filter('applicant', 'contains', "o'h");
  await filter('approved', 'has a value');
  await filter('opened', 'is from', '2020-01-01');
  await found({
    kind: ['roof', 'solar', 'garage'],
    amount: { gte: 500, lte: 100000.5 },
    applicant: { ilike: "%o'h%" },
    approved: { null: false },
    opened: { gte: '2020-01-01' },
  });
  await filter('amount', 'is at least', '2000');
  await expect.poll(() => page.url()).toContain('$and');
  await page.getByRole('button', { name: 'Remove the filter amount ≥ 2,000' }).click();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Column').selectOption('amount');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill('1.000,5');
  await page.getByRole('dialog').getByRole('button', { name: 'Add filter' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'A number such as 12' });
  await alert.waitFor();
  // A range needs both ends; and a complaint goes as soon as something else is typed or chosen.
  await page.getByRole('dialog').getByLabel('Condition').selectOption('is between');
  await alert.waitFor({ state: 'hidden' });
  await page.getByRole('dialog').getByRole('textbox', { name: 'from' }).fill('5');
  await page.getByRole('dialog').getByRole('button', { name: 'Add filter' }).click();
  await alert.waitFor();
  await page.getByRole('dialog').getByLabel('Column').selectOption('opened');
  await page.getByRole('dialog').getByRole('textbox', { name: 'from' }).fill('2020-01-01');
  await page.getByRole('dialog').getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('alert').filter({ hasText: 'A date such as' }).waitFor();

  await page.goto(`${explorer.url}${table('permits', '?filters={"approved":{"ne":true},"kind":{"like":"r%"}}')}`);
  for (const [chip, operator] of [
    ['approved is not yes', 'is not'],
    ['kind matches r%', 'matches'],
  ] as const) {
    await page.getByRole('button', { name: chip, exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Change filter' });
    expect(await form.getByLabel('Condition').locator('option:checked').textContent()).toBe(operator);
    await form.getByRole('button', { name: 'Change filter' }).click();
  }
  await found({ approved: { ne: 'true' }, kind: { like: 'r%' } });
  expect(consoleLines).toEqual([]);
  await close();
});

test('every digit is shown, and a value filters to its record', async () => {
  const { page, consoleLines, close } = await explorer.open(table('digits'));
  const shown = await rowsOf(page);
  expect(shown.map((row) => row.slice(0, 4))).toEqual([
    ['1', '9007199254740993', '12345678901234567890123456789012345.123456789012345678901234567890', '-0'],
    ['3', '9223372036854775807', '1.500000000000000000000000000000', 'Infinity'],
    ['9007199254740995', '-9223372036854775808', '0.000000000000000000000000000001', 'NaN'],
  ]);
  for (const [row, column] of [0, 1, 2].flatMap((row) =>
    [0, 1, 2, 3, 4, 5, 6].map((column) => [row, column] as const),
  )) {
    await page.goto(`${explorer.url}${table('digits')}`);
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

test('digits are never cut off', async () => {
  const { page, close } = await explorer.open(table('digits'));
  await rowsOf(page);
  const cut = await page
    .locator('td.number')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    );
  expect(cut).toEqual([]);
  await close();
});

test('hostile names, values, titles and descriptions are text', async () => {
  const { page, consoleLines, close } = await explorer.open(table('hostile'));
  const rows = await rowsOf(page);
  expect(rows[0]?.slice(1, 3)).toEqual(['<script>alert(3)</script>', 'javascript:alert(4)']);
  expect(rows[1]?.[1]).toBe('U+202Etxt.exe');
  expect(rows[2]?.[1]).toBe('U+0001U+001B[31m');
  expect(rows[3]?.[1]?.length).toBeLessThan(300);
  await page.locator('td[data-row="3"][data-column="1"]').dblclick();
  await page.getByRole('region', { name: 'Record' }).getByText('<b>long</b>').waitFor();
  // Many blanks in the middle and millions of control characters must not block the page.
  await page.locator('td[data-row="4"][data-column="1"]').dblclick();
  await page.getByRole('region', { name: 'Record' }).getByText('2,980,002 more characters').waitFor();
  for (const view of ['?view=api', '?view=summary&by="<img src=x onerror=alert(1)>"']) {
    await page.goto(`${explorer.url}${table('hostile', view)}`);
    await page.locator('.summary, .api').waitFor();
    await page.waitForLoadState('networkidle');
  }
  await page.goto(`${explorer.url}/datastore/explore`);
  await page.getByText('<b onclick=alert(5)>Hostile</b>').waitFor();
  // A Markdown link is shown as its text alone, even if its URL contains parentheses.
  await page.getByText('<img src=x onerror=alert(6)> x', { exact: true }).waitFor();
  expect(await page.locator('script:not([src]), main img, [onclick], [onerror]').count()).toBe(0);
  expect(consoleLines).toEqual([]);
  await close();
});

test('300 columns: what is not on the screen is not rendered', async () => {
  const { page, consoleLines, close } = await explorer.open(table('wide'));
  await rowsOf(page);
  expect(await page.locator('.grid td[data-row], .grid th').count()).toBeLessThan(1200);
  await page.locator('td[data-row="0"][data-column="0"]').click();
  await page.keyboard.press('End');
  await page.locator('td[data-row="0"][data-column="300"]:focus').waitFor();
  expect(await page.locator('td[data-row="0"][data-column="300"]').textContent()).toBe('7');
  expect(consoleLines).toEqual([]);
  await close();
});

test('all rows of tables without a key, and of a key of two columns, once each', async () => {
  for (const [id, count, key] of [
    ['plain', 350, 0],
    ['pairs', 260, 0],
  ] as const) {
    const { page, consoleLines, close } = await explorer.open(table(id));
    await rowsOf(page);
    const seen = new Set<string>();
    for (let turn = 0; seen.size < count && turn < 60; turn++) {
      for (const row of await rowsOf(page, 100)) seen.add(row[key] ?? '');
      await page.locator('.grid').evaluate((grid) => grid.scrollBy(0, 400));
      await page.waitForTimeout(50);
    }
    expect(seen.size).toBe(count);
    // The first records of a table without a key are asked for twice, because the page cannot know yet that it has none.
    expect(consoleLines.filter((one) => !(id === 'plain' && one.includes('409')))).toEqual([]);
    await close();
  }
});

test('an address shows the same to everybody, and going back goes back', async () => {
  const params = {
    q: 'heritage',
    filters: { kind: 'roof', amount: { gte: 500.1 } },
    sort: 'amount desc',
    fields: 'id,kind,amount',
  };
  const { page, consoleLines, close } = await explorer.open(table('permits', query(params)));
  const rows = await rowsOf(page);
  const { records } = await explorer.result('datastore_search', {
    resource_id: 'permits',
    ...params,
    limit: 5,
    records_format: 'lists',
  });
  expect(rows.map(([id]) => Number(id))).toEqual(Array.isArray(records) ? records.map(([id]) => id) : null);
  await page.getByRole('button', { name: 'Remove the filter kind is roof' }).click();
  await expect.poll(() => page.url()).not.toContain('roof');
  await page.goBack();
  await expect.poll(() => rowsOf(page)).toEqual(rows);
  await page.reload();
  expect(await rowsOf(page)).toEqual(rows);
  expect(consoleLines).toEqual([]);
  await close();
});

test('columns are chosen, hidden by their menu, and stay readable in the address', async () => {
  const { page, close } = await explorer.open(table('permits', '?fields=kind,amount'));
  expect((await rowsOf(page, 1))[0]).toHaveLength(2);
  await page.locator('th', { hasText: 'kind' }).hover();
  await page.getByRole('button', { name: 'Menu of kind' }).click();
  await page.getByRole('menuitem', { name: 'Hide column' }).click();
  await expect.poll(async () => (await rowsOf(page, 1))[0]?.length).toBe(1);
  await page.getByRole('button', { name: 'Columns 1 of 12' }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByLabel('status').check();
  await expect.poll(() => page.url()).toContain('fields=status,amount');
  // The key column is hidden, but the record can still be opened.
  await page.locator('td[data-row="2"]').first().dblclick();
  await page.getByRole('region', { name: 'Record' }).getByText('9007199254740999').waitFor();
  await close();
});

test('a download is the dump of exactly what is filtered', async () => {
  const params = { q: 'heritage', filters: { kind: 'roof' }, sort: 'amount desc', fields: 'permit_no,amount' };
  const { page, close } = await explorer.open(table('permits', query(params)));
  await rowsOf(page);
  await page.getByRole('button', { name: 'Download' }).click();
  const form = page.getByRole('dialog', { name: 'Download' });
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Download' }).click(),
  ]);
  const file = readFileSync(await saved.path(), 'utf8');
  const dump = await fetch(`${explorer.url}/datastore/dump/permits${query({ ...params, format: 'csv' })}`);
  expect(file).toBe(await dump.text());
  expect(file).toContain('900719925474');
  await close();
});

const refused = async (id: string, words: string) => {
  const { page, close } = await explorer.open(table(id));
  await page.getByRole('alert').filter({ hasText: words }).waitFor();
  await page.getByRole('link', { name: 'All tables' }).click();
  await page.getByRole('link', { name: 'Building permits' }).waitFor();
  await close();
};
test('a table that needs a token says so in words', () => refused('closed', 'You may not read this'));
test.skipIf(isBesideUpstream)('an unknown one, too', () => refused('nowhere', 'There is no table “nowhere”'));
