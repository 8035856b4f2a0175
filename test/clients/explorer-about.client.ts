/** The explorer in a browser: the tab About. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAs } from './explorer-form.ts';
import { openPlaces } from './explorer-places.ts';
import { type Explorer, reader } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openPlaces('postgres');
});
afterAll(() => explorer?.stop());

const about = (id: string) => `/datastore/explore/${id}?view=about`;

test('the description keeps its links, lists and tables, and what could run stays text', async () => {
  const { page, sent, consoleLines, close } = await explorer.open(about('cities'));
  const prose = page.locator('.prose');
  await prose.getByRole('heading', { name: 'Method', level: 3 }).waitFor();
  expect(await prose.locator('strong').allTextContents()).toEqual(['1,000 people']);
  expect(await prose.getByRole('listitem').allTextContents()).toEqual([
    'counted once a year',
    'population is an estimate',
  ]);
  expect(await prose.getByRole('cell').allTextContents()).toEqual(['1', 'exact']);
  const links = await prose.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(links).toEqual(['https://www.geonames.org/', 'https://maps.example/map.png']);
  expect(await prose.textContent()).toContain('<img src=x onerror=alert(1)> [bad](javascript:alert(2))');
  expect(await prose.locator('img').count()).toBe(0);
  expect(sent.filter(({ url }) => url.includes('maps.example'))).toEqual([]);
  expect(consoleLines).toEqual([]);
  await close();
});

test('the dictionary has the meaning of each column, and leads to the tables that it refers to', async () => {
  const { page, sent, consoleLines, close } = await explorer.open(about('cities'));
  const row = (name: string) => page.getByRole('table', { name: 'Columns' }).getByRole('row', { name });
  await row('Population').waitFor();
  expect(await row('Population').textContent()).toMatch(/population.*people.*int4.*Last estimate/);
  expect(await row('Country').textContent()).toContain('Country that the place belongs to');
  expect(await page.getByRole('table', { name: 'Columns' }).getByRole('row').count()).toBe(9);
  const related = page.locator('.related');
  expect((await related.getByRole('listitem').allTextContents()).map((one) => one.trim())).toEqual([
    'Countries named by Country',
    'Flights refers to this table by city',
    'Stops refers to this table by town',
  ]);
  // The titles come with the description of the table itself.
  expect(sent.filter(({ body }) => /"(?:countries|stops)"/.test(body))).toEqual([]);
  await row('Country').getByRole('link', { name: 'Countries' }).click();
  await page.getByRole('heading', { name: 'Countries', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/countries$/);
  expect(consoleLines).toEqual([]);
  await close();
});

test('publisher, licence and the other facts are there, and a citation that can be copied', async () => {
  const { page, consoleLines, close } = await explorer.open(about('cities'));
  const facts = page.locator('dl.box');
  await facts.waitFor();
  const found = await facts.locator('div').allInnerTexts();
  expect(found).toEqual([
    'Published by\nOffice of Statistics\noffice@example.org',
    'Licence\nCreative Commons Attribution 4.0',
    'Source\nGeoNames',
    'Contact\nData desk\ndesk@example.org',
    'Updated\nevery year; last change Nov 27, 2026',
    'Covers\nJan 1, 2013 to today\nthe world',
    'Keywords\npopulation\nplaces',
  ]);
  expect(await facts.getByRole('link', { name: 'Creative Commons' }).getAttribute('href')).toContain('http');
  await page.locator('.about').getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `Office of Statistics: Cities. Version of Nov 27, 2026. ${explorer.url}/datastore/explore/cities`,
  );
  expect(consoleLines).toEqual([]);
  await close();
});

test('a table without metadata has its dictionary and its downloads', async () => {
  const { page, consoleLines, close } = await explorer.open(about('stops'));
  await page.getByRole('table', { name: 'Columns' }).waitFor();
  expect(await page.locator('.about h2').allTextContents()).toEqual(['Columns', 'Tables that go with it', 'Cite']);
  expect(await page.locator('dl.box').count()).toBe(0);
  const hrefs = await page.locator('.downloads a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(hrefs.map((one) => one?.replace(/.*\?/, ''))).toEqual(
    ['xlsx', 'csv', 'tsv', 'parquet', 'json', 'jsonl', 'xml'].map((format) => `format=${format}`),
  );
  for (const href of hrefs) {
    const answer = await fetch(new URL(href ?? '', explorer.url));
    await answer.body?.cancel();
    expect([href, answer.status]).toEqual([href, 200]);
  }
  expect(consoleLines).toEqual([]);
  await close();
});

test('a table with coordinates is there as GeoJSON, and with a token by a form that sends it', async () => {
  const { page, close } = await explorer.open(about('cities'));
  await page.getByRole('link', { name: 'GeoJSON' }).waitFor();
  await close();
  const secret = await openAs(explorer, reader, about('regions'));
  const [saved] = await Promise.all([
    secret.page.waitForEvent('download'),
    secret.page.locator('.downloads').getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(readFileSync(await saved.path(), 'utf8')).toContain('Western Europe');
  expect(saved.url()).not.toContain(reader);
  await secret.close();
});

test('in German no English word is left', async () => {
  const { page, close } = await explorer.open(about('cities'), { locale: 'de' });
  await page.locator('.related a', { hasText: 'Stops' }).waitFor();
  // Without what the publisher has written.
  await page.evaluate(`document.querySelectorAll('.prose, .about code').forEach((one) => one.remove())`);
  const own = await page.locator('.about').innerText();
  expect(own).toContain('27.11.2026');
  expect(own).toContain('Herausgeber');
  expect(own).not.toMatch(/\b(?:Published|Licence|Columns|Kind|refers|number|text|whole|every|year|the world)\b/);
  await close();
});

test('the part is small, and loaded only with the tab', () => {
  const folder = resolve(import.meta.dirname, '../../dist/explorer/page');
  const parts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const withMarkdown = parts.filter((name) => readFileSync(join(folder, name), 'utf8').includes('blockquote'));
  expect(withMarkdown).toHaveLength(1);
  expect(withMarkdown[0]).toMatch(/^part/);
  expect(readFileSync(join(folder, `${withMarkdown[0]}.gz`)).length).toBeLessThan(20_000);
});
