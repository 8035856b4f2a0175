/** The explorer when something fails: the database, a token, the configuration, a download halfway. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTap, type Tap } from '../support/tap.ts';
import { enterKnown } from './explorer-form.ts';
import { permits } from './explorer-tables.ts';
import {
  anywhere,
  type Explorer,
  reader,
  resource,
  rowsOf,
  serveExplorer,
  token,
  waitForCount,
} from './explorer-world.ts';

let explorer: Explorer;
let tap: Tap;
const resources = {
  permits: { ...resource('permits'), title: 'Building permits', cache: { ttl: 0 } },
  closed: { ...resource('permits', { read: 'token', write: 'none' }), title: 'Closed permits' },
  uncounted: { ...resource('permits', { read: 'public', write: 'none', aggregate: false }), title: 'Not in groups' },
};
beforeAll(async () => {
  const through = async (url: string) => {
    tap = await openTap(url);
    return tap.url;
  };
  explorer = await serveExplorer('postgres', permits('permits', 30_000), { resources }, anywhere, through);
});
afterAll(async () => {
  await explorer?.stop();
  tap?.close();
});

const address = '/datastore/explore/permits';
const trouble = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words }).waitFor();
const scroll = (page: Page, row: number) =>
  page.locator('.grid').evaluate((grid, top) => grid.scrollTo(0, top), row * 36);

test('the database is away: a sentence, a call every two seconds at most, and the records when it is back', async () => {
  const { page, sent, close } = await explorer.open(address);
  await waitForCount(page, '30,000 records');
  const first = await rowsOf(page);
  tap.refuse();
  tap.cut();
  try {
    const [before, began] = [sent.length, Date.now()];
    await scroll(page, 250);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/\w{3}.*Trying again in \d+ s\./);
    await sleep(6000);
    const calls = sent.slice(before).map(({ url }) => new URL(url).pathname.split('/').at(-1));
    const searches = calls.filter((action) => action === 'datastore_search').length;
    expect(searches).toBeLessThanOrEqual(1 + (Date.now() - began) / 2000);
    // On a slow machine the page begins to listen for changes only now, and asks for the table's description with it.
    expect(calls.length - searches).toBeLessThanOrEqual(2);
    // Rows that were loaded before are still shown.
    await scroll(page, 0);
    expect(await rowsOf(page)).toEqual(first);
  } finally {
    await tap.accept();
  }
  await expect.poll(() => page.getByRole('alert').count(), { timeout: 20_000 }).toBe(0);
  await scroll(page, 250);
  await page.locator('td[data-row="250"]', { hasText: '251' }).first().waitFor({ timeout: 20_000 });
  await close();
});

test('a statement that takes too long: the words of the gateway, and the same view when it is tried again', async () => {
  await explorer.reload({ databases: slowAfter('300ms') });
  const { page, close } = await explorer.open(`${address}?filters={"kind":"roof"}&sort=opened`);
  const rows = await rowsOf(page);
  await explorer.exec('BEGIN; LOCK TABLE permits');
  try {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await trouble(page, 'took too long');
    // The previous records stay visible.
    expect(await page.locator('.grid.old td[data-row]').count()).toBeGreaterThan(100);
  } finally {
    await explorer.exec('COMMIT');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(await rowsOf(page)).toEqual(rows);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('filters')).toBe('{"kind":"roof"}');
  await explorer.reload({ databases: slowAfter('10s') });
  await close();
});

const slowAfter = (statementTimeout: string) => ({
  db: { client: 'postgres', connection: tap.url, statementTimeout },
});

test('too many calls: the page says so, waits, and goes on', async () => {
  const { page, close } = await explorer.open(address);
  await waitForCount(page, '30,000 records');
  await explorer.reload({ rateLimit: { perAddress: 1, every: '3s' } });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await trouble(page, 'Trying again in');
  await explorer.reload({ rateLimit: 'none' });
  await expect.poll(() => page.getByRole('alert').count(), { timeout: 10_000 }).toBe(0);
  await rowsOf(page);
  await close();
});

test('a part of the page that cannot be loaded says so, and is there when the page is loaded again', async () => {
  const { page, close } = await explorer.open(address);
  await waitForCount(page, '30,000 records');
  await page.route('**/-/part.*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Summary' }).click();
  await trouble(page, 'The gateway does not answer.');
  await page.unroute('**/-/part.*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Count this column' }).first().waitFor();
  await close();
});

test('columns change while records are read: no value stands below the name of another column', async () => {
  const { page, consoleLines, close } = await explorer.open(address);
  await waitForCount(page, '30,000 records');
  const changed = { ...resource('permits'), columns: { permit_no: { hidden: true } } };
  await explorer.reload({ resources: { ...resources, permits: changed } });
  await scroll(page, 500);
  await expect.poll(() => page.locator('th', { hasText: 'permit_no' }).count(), { timeout: 10_000 }).toBe(0);
  expect((await rowsOf(page, 1))[0]?.slice(0, 2)).toEqual(['1', 'facade']);
  await explorer.reload({ resources });
  expect(consoleLines).toEqual([]);
  await close();
});

test('a download with a token is the dump of what is filtered; one that is cut is no file', async () => {
  const { page, close } = await explorer.open('/datastore/explore/closed?filters={"kind":"roof"}&sort=amount+desc');
  await enterKnown(page, reader);
  await rowsOf(page);
  const download = async () => {
    await page.getByRole('button', { name: 'Download', exact: true }).first().click();
    const form = page.getByRole('dialog', { name: 'Download' });
    await form.getByText('all 12 columns and _id').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      form.getByRole('button', { name: 'Download' }).click(),
    ]);
    await page.keyboard.press('Escape');
    return saved;
  };
  const query = '?filters={"kind":"roof"}&sort=amount+desc&format=csv';
  const dump = await fetch(`${explorer.url}/datastore/dump/closed${query}`, { headers: { Authorization: reader } });
  expect(readFileSync(await (await download()).path(), 'utf8')).toBe(await dump.text());
  // Each piece of the database's answer is delayed more than the one before.
  let pieces = 0;
  tap.watch(
    () => 'pass',
    () => 10 * pieces++,
  );
  const broken = await download();
  tap.cut();
  expect(await broken.failure()).not.toBeNull();
  tap.watch(() => 'pass');
  await close();
});

test('a token that is revoked meanwhile is told apart from one that may not read, and from none', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const { page, close } = await explorer.open('/datastore/explore/closed');
  await trouble(page, 'You may not read this. A token may help.');
  await page.getByRole('button', { name: 'Enter a token' }).click();
  await page.getByRole('dialog', { name: 'Token' }).getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await waitForCount(page, '30,000 records');
  await explorer.reload({ tokens: [{ name: 'ana', sha256: sha256(token), read: ['permits'] }] });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await trouble(page, 'Your token does not allow you to read this.');
  await explorer.reload({ tokens: [{ name: 'rolf', sha256: sha256(reader), read: ['*'] }] });
  await page.getByRole('button', { name: 'Try again' }).click();
  await trouble(page, 'Your token is not known here any more.');
  await page.reload();
  if (explorer.keeps !== 'memory') {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('dialog').getByText('This token is not known here.').waitFor();
    await page.getByRole('button', { name: 'Forget token' }).click();
  }
  await trouble(page, 'You may not read this. A token may help.');
  await close();
});

test('a table that is not counted in groups says so, and nothing is asked for', async () => {
  const { page, sent, close } = await explorer.open('/datastore/explore/uncounted?view=summary&by=kind');
  await page.getByText('The records of this table are not counted in groups.').waitFor();
  expect(sent.filter(({ url }) => url.includes('datastore_aggregate'))).toEqual([]);
  await close();
});
