/** The explorer in a browser: tables and addresses that try to mislead it, or that are larger than it can show. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnOf, heapOf, rowsAt, scrollThrough } from './explorer-scroll.ts';
import { type Explorer, resource, rowsOf, serveExplorer, waitForCount } from './explorer-world.ts';

const sql = `
CREATE TABLE odd (id int PRIMARY KEY, name text, "מספר" int, U&"user\\202Eeman" text);
INSERT INTO odd SELECT i, 'n' || i, i, 'v' || i FROM generate_series(1, 30) i;
CREATE TABLE late (id bigint PRIMARY KEY, exact numeric, real float8, seen timestamp, "a, b" text);
INSERT INTO late SELECT CASE WHEN i < 300 THEN i ELSE 9007199254740993 + i END, CASE WHEN i < 300 THEN i ELSE -12345678901234567890.12345 - i END,
  CASE WHEN i < 300 THEN i ELSE -1.7976931348623157e300 END, timestamp '2020-01-01' + CASE WHEN i < 300 THEN '0' ELSE '0.123456 s' END::interval,
  CASE WHEN i % 3 > 0 THEN 'roof ' || i % 3 END FROM generate_series(1, 400) i;
CREATE TABLE fat (id int PRIMARY KEY, name text, body text);
INSERT INTO fat SELECT i, 'fat ' || i, repeat('x', 10000000) FROM generate_series(1, 8) i;
CREATE TABLE heavy (id int PRIMARY KEY, body text);
INSERT INTO heavy SELECT i, repeat('y', 50000) FROM generate_series(1, 2000) i;`;

let explorer: Explorer;
beforeAll(async () => {
  const description = `About **odd** things, where a > b in \`snake_case\`.\n\n${'A sentence of many. '.repeat(40)}\n\nSee [the end](https://a.example/x).`;
  const resources = {
    odd: { ...resource('odd'), title: 'A \u202Eneddih\u0007 title', description },
    late: resource('late'),
    fat: resource('fat'),
    heavy: resource('heavy'),
  };
  explorer = await serveExplorer('postgres', sql, { resources });
});
afterAll(() => explorer?.stop());

const odd = '/datastore/explore/odd';
const alert = (page: Page) => page.locator('.records').getByRole('alert');

test('characters that turn or hide text are named in titles, names of columns and filters', async () => {
  const { page, consoleLines, close } = await explorer.open(`${odd}?filters={"name":{"ne":"\u202Ex\u200B"}}&sort=id`);
  await rowsOf(page);
  expect(await page.locator('h1').textContent()).toBe('A U+202Eneddih' + 'U+0007 title');
  expect(await page.locator('th .label').allTextContents()).toEqual(['name', 'id', 'מספר', 'userU+202Eeman']);
  expect(await page.locator('.chips li').first().textContent()).toContain('name is not U+202ExU+200B');
  await page.goto(`${explorer.url}/datastore/explore`);
  await page.getByRole('link', { name: 'A U+202Eneddih' }).waitFor();
  expect(consoleLines).toEqual([]);
  await close();
});

test('digits are never cut off, also those of records far below the first', async () => {
  const { page, close } = await explorer.open('/datastore/explore/late');
  await rowsOf(page);
  await rowsAt(page, 390);
  const cut = await page
    .locator('tbody td[data-row]')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    );
  expect(cut).toEqual([]);
  await close();
});

test('all that the API knows is kept in the address, shown and asked for, or named', async () => {
  const lateTable = '/datastore/explore/late';
  const { page, close } = await explorer.open(`${lateTable}?sort="a, b" desc nulls last, id&fields=id,"a, b"`);
  expect((await rowsOf(page, 2)).map((row) => row.at(-1))).toEqual(['roof 2', 'roof 2']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: /^id/ }).uncheck();
  await page.keyboard.press('Escape');
  await expect.poll(() => new URL(page.url()).searchParams.get('fields')).toBe('"a, b"');
  expect(new URL(page.url()).searchParams.get('sort')).toBe('"a, b" desc nulls last, id');
  await page.getByRole('button', { name: 'Download' }).click();
  await page.locator('form[method=get] button').waitFor();
  const form = await page.evaluate<string>(
    "new URLSearchParams(new FormData(document.querySelector('form[method=get]'))).toString()",
  );
  const file = await fetch(`${explorer.url}/datastore/dump/late?${form}`);
  expect((await file.text()).slice(0, 13)).toBe('"a, b"\nroof 2');

  await page.goto(`${explorer.url}${lateTable}?full_text='roof 1'&plain=false`);
  await waitForCount(page, '134 records');
  await page.getByRole('button', { name: 'Remove the filter full_text' }).click();
  await waitForCount(page, '400 records');
  expect(new URL(page.url()).search).toBe('?plain=false');

  await page.goto(`${explorer.url}${lateTable}?distinct=true&fields="a, b"`);
  await waitForCount(page, '3 records');
  expect(await rowsOf(page)).toEqual([['roof 1'], ['roof 2'], ['no value']]);
  expect(await page.getByRole('link', { name: 'Summary' }).count()).toBe(0);

  await page.goto(`${explorer.url}${lateTable}?filters=[{"id":1},{"id":{"gte":3,"lt":5}}]`);
  await waitForCount(page, '3 records');

  await page.goto(`${explorer.url}${lateTable}?filters={"id":7}&limit=5&offset=3&colour=red`);
  await waitForCount(page, '1 record');
  await page.getByText('does not use these parameters of its address: limit, offset, colour.').waitFor();
  await page.getByRole('button', { name: 'id key' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?filters={%22id%22:7}&sort=id+desc+nulls+last');
  expect(await page.getByRole('alert').count()).toBe(0);
  await close();
});

test('an address that asks for what is not there says so, counts nothing, and leads to the whole table', async () => {
  for (const query of [
    '?fields=id,nowhere',
    '?sort=nowhere',
    '?filters={"__proto__":"n1"}',
    '?filters={"name":{"in":"n1"}}',
  ]) {
    const { page, close } = await explorer.open(`${odd}${query}`);
    await alert(page).waitFor();
    await expect.poll(() => page.locator('.title p[role=status]').textContent(), { message: query }).toBe('');
    await page.getByRole('button', { name: 'Show the whole table' }).click();
    await waitForCount(page, '30 records');
    expect(new URL(page.url()).search).toBe('');
    expect(await alert(page).count()).toBe(0);
    await close();
  }
});

test('an address that was cut off is not taken for one without filters', async () => {
  for (const query of ['?filters={"name":"n', '?filters=["n1"]', '?row={"id":']) {
    const { page, close } = await explorer.open(`${odd}${query}`);
    await waitForCount(page, '30 records');
    const complaint = page.getByRole('alert').filter({ hasText: 'The filters of this address cannot be read' });
    await complaint.waitFor();
    await page.getByRole('button', { name: /^id/ }).click();
    await complaint.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?sort=id+desc+nulls+last');
    await close();
  }
});

test('values of 10 MB: the page says that they are too long together, and shows the other columns', async () => {
  const { page, consoleLines, close } = await explorer.open('/datastore/explore/fat');
  await alert(page).filter({ hasText: 'These values are too long to be shown together.' }).waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Leave out long columns' }).click();
  expect((await rowsOf(page, 1))[0]).toEqual(['fat 1', '1']);
  expect(new URL(page.url()).search).toBe('?fields=id,name');
  await page.locator('td[data-row="2"][data-column="0"]').dblclick();
  await page
    .getByRole('region', { name: 'Record' })
    .getByText('9,980,000 more characters')
    .waitFor({ timeout: 30_000 });
  expect(consoleLines.filter((one) => !one.includes('409'))).toEqual([]);
  await close();
});

test('long values are not all kept while somebody scrolls', async () => {
  const { page, close } = await explorer.open('/datastore/explore/heavy');
  await waitForCount(page, '2,000 records');
  const before = await heapOf(page);
  await scrollThrough(page, 1900, 100, await columnOf(explorer.url, 'heavy', 'id'));
  // All values together are 100 MB.
  expect((await heapOf(page)) - before).toBeLessThan(40_000_000);
  await close();
});
