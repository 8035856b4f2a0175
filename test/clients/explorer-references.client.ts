/** The explorer in a browser: references between tables, on both kinds of engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { panel } from './explorer-form.ts';
import { openPlaces } from './explorer-places.ts';
import { type Explorer, waitForCount } from './explorer-world.ts';

const table = (id: string, query = '') => `/datastore/explore/${id}${query}`;

describe.each(['postgres', 'mariadb'] as const)('%s', (engine) => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openPlaces(engine);
  });
  afterAll(() => explorer?.stop());

  test('cells show the labels of the records that they refer to, read by one search for each column', async () => {
    const { page, sent, consoleLines, close } = await explorer.open(table('cities'));
    const cell = (row: number) => page.locator(`td[data-row="${row}"]`, { has: page.getByRole('link') }).first();
    await cell(0).getByRole('link', { name: 'Germany' }).waitFor();
    await cell(2).getByRole('link', { name: 'Poland' }).waitFor();
    await page.getByRole('button', { name: 'Country refers to Countries' }).waitFor();
    const reads = sent.filter(({ body }) => /"resource_id":"countries"/.test(body)).map(({ body }) => JSON.parse(body));
    expect(reads.filter(({ filters }) => filters !== undefined)).toEqual([
      {
        ...{ resource_id: 'countries', filters: { iso: ['DE', 'PL'] }, fields: ['iso', 'name'] },
        ...{ limit: 2, include_total: false },
      },
    ]);
    // The records come first, and the exact value stays in the bar.
    const order = sent.map(({ body }) => /"resource_id":"(\w+)"/.exec(body)?.[1]).filter((one) => one !== undefined);
    expect(order.slice(0, 2)).toEqual(['cities', 'cities']);
    await page.locator('td[data-row="2"]').first().click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const bar = page.getByRole('region', { name: 'Selected value' });
    await expect.poll(() => bar.locator('output').textContent()).toBe('PL Poland');
    await bar.getByRole('link', { name: 'Poland' }).click();
    await panel(page, 'Record').getByRole('heading', { name: 'Poland' }).waitFor();
    // Nobody may read the regions without a token: there are only their codes, and no links.
    await page.locator('td', { hasText: 'EU-E' }).waitFor();
    expect(await page.locator('.grid td').getByRole('link').count()).toBe(0);
    expect(sent.filter(({ body }) => body.includes('"regions"'))).toEqual([]);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('on a phone the list has the labels, and a column of numbers shows them, too', async () => {
    const { page, close } = await explorer.open(table('cities'), { viewport: { width: 390, height: 844 } });
    await page.locator('button[data-row="0"]').getByText('Germany').waitFor();
    await close();
    const flights = await explorer.open(table('flights'));
    await flights.page.locator('.grid').getByRole('link', { name: 'Warsaw' }).waitFor();
    await flights.close();
  });

  test('a record shows the label of the one that it refers to, with its code, and leads there', async () => {
    const { page, sent, consoleLines, close } = await explorer.open(table('cities', '?row={"id":1}'));
    const record = panel(page, 'Record');
    await record.getByRole('heading', { name: 'Berlin', level: 2 }).waitFor();
    const field = record.locator('.field', { hasText: 'Country' }).locator('dd');
    await field.getByRole('link', { name: 'Germany' }).waitFor();
    expect(await field.locator('code').textContent()).toBe('DE');
    expect(await record.locator('.field', { hasText: 'Population' }).locator('dd').textContent()).toMatch(/people/);
    const asked = sent.filter(({ body }) => /"resource_id":"countries".*"filters"/.test(body));
    expect(asked.map(({ body }) => JSON.parse(body).fields)).toContainEqual(['iso', 'name']);
    await field.getByRole('link', { name: 'Germany' }).click();
    await record.getByRole('heading', { name: 'Germany', level: 2 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/countries$/);
    // Nobody may read the regions without a token: there is the code alone.
    await expect
      .poll(() => record.locator('.field', { hasText: 'region' }).locator('dd').textContent())
      .toMatch(/^EU-W/);
    expect(await record.locator('.field', { hasText: 'region' }).getByRole('link').count()).toBe(0);
    expect(sent.filter(({ body }) => body.includes('"regions"'))).toEqual([]);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('the records that refer here are counted, and one click away', async () => {
    const { page, consoleLines, close } = await explorer.open(table('countries', '?row={"iso":"DE"}'));
    const item = panel(page, 'Record').locator('.referring li', { hasText: 'Cities' });
    await item.getByText('2', { exact: true }).waitFor();
    expect(await item.textContent()).toBe('Citiesby column country2');
    await item.getByRole('link').click();
    await waitForCount(page, '2 records');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Cities');
    expect(new URL(page.url()).searchParams.get('filters')).toBe('{"country":"DE"}');
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('without an index nothing is counted unasked', async () => {
    const { page, sent, close } = await explorer.open(table('cities', '?row={"id":1}'));
    const items = panel(page, 'Record').locator('.referring li');
    // MariaDB makes an index for each foreign key, PostgreSQL none.
    const flights = engine === 'postgres' ? 'show' : '2';
    await items.filter({ hasText: 'Flights' }).getByText(flights, { exact: true }).waitFor();
    await items.filter({ hasText: 'Stops' }).getByText('2', { exact: true }).waitFor();
    const counts = sent.filter(({ body }) => body.includes('"limit":0') && body.includes('"flights"'));
    expect(counts).toHaveLength(engine === 'postgres' ? 0 : 1);
    await close();
  });

  test('from record to record, by mouse and by keys', async () => {
    const { page, consoleLines, close } = await explorer.open(table('cities', '?row={"id":1}'));
    const record = panel(page, 'Record');
    await record.getByText('1 of 4').waitFor();
    expect(await record.getByRole('button', { name: 'Previous record' }).isDisabled()).toBe(true);
    await record.getByRole('button', { name: 'Next record' }).click();
    await record.getByRole('heading', { name: 'Hamburg' }).waitFor();
    await page.keyboard.press('Enter');
    await record.getByRole('heading', { name: 'Warsaw' }).waitFor();
    await record.getByText('3 of 4').waitFor();
    await page.keyboard.press('Enter');
    await record.getByRole('heading', { name: 'Atlantis' }).waitFor();
    // A reference to nothing is no link.
    expect(await record.locator('.record').getByRole('link').count()).toBe(0);
    expect(await record.getByRole('button', { name: 'Next record' }).isDisabled()).toBe(true);
    expect(consoleLines).toEqual([]);
    await close();
  });
});
