/** The explorer in a browser: keyboard, tokens, other addresses, accessibility. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter } from './explorer-form.ts';
import { openUpstream } from './explorer-upstream.ts';
import { anywhere, type Explorer, openExplorer, reader, rowsOf, token, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer?.stop());

const permits = '/datastore/explore/permits';

test('with keys alone: find, sort, filter, open a record, close it', async () => {
  const { page, consoleLines, close } = await explorer.open('/datastore/explore');
  await page.getByRole('link', { name: 'Building permits' }).focus();
  await page.keyboard.press('Enter');
  await rowsOf(page);
  await page.locator('td[data-row="0"][data-column="0"]').focus();
  for (const key of [
    'ArrowDown',
    'ArrowDown',
    'ArrowRight',
    'ArrowRight',
    'PageDown',
    'PageDown',
    'PageDown',
    'ArrowUp',
  ])
    await page.keyboard.press(key);
  const focused = () => page.locator('td:focus');
  await focused().waitFor();
  const row = Number(await focused().getAttribute('data-row'));
  expect(row).toBeGreaterThan(30);
  expect(await focused().getAttribute('data-column')).toBe('2');
  // The focused cell must not be covered by the header, or be outside of the grid.
  const [cell, head, box] = await Promise.all([
    focused().boundingBox(),
    page.locator('thead').boundingBox(),
    page.locator('.grid').boundingBox(),
  ]);
  expect(cell?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0) - 1);
  expect((cell?.y ?? 0) + (cell?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0) + 1);
  await page.keyboard.press('Enter');
  const record = page.getByRole('region', { name: 'Record' });
  await record.getByText('Permit no.').waitFor();
  expect(new URL(page.url()).searchParams.get('row')).toBe(JSON.stringify({ id: row + 1 }));
  await record.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Escape');
  await record.waitFor({ state: 'detached' });
  // The grid gets the focus back.
  await focused().waitFor();
  // The first row is rendered after the focus has left the grid. It must not take the focus back.
  await page.evaluate(`
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', ctrlKey: true, bubbles: true }));
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Filter').focus();
  `);
  await page.locator('td[data-row="0"][data-column="0"]').waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Filter');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('SELECT');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Filter');
  expect(consoleLines).toEqual([]);
  await close();
});

test('a token of an address is taken out of it before anything is asked', async () => {
  const { page, sent, consoleLines, close } = await explorer.open(`/datastore/explore?x=1#token=${token}`);
  const address = `${explorer.url}/datastore/explore?x=1`;
  await page.getByRole('button', { name: 'Signed in as ana' }).waitFor();
  await page.getByRole('link', { name: 'Closed permits' }).waitFor();
  expect([page.url(), await page.evaluate('history.length')]).toEqual([address, 2]);
  const [first] = sent.filter(({ method }) => method === 'POST');
  expect(first).toBeDefined();
  const [document, ...others] = sent.map(({ url, body }) => `${url} ${body}`);
  expect(document).toContain(address);
  expect(others.filter((one) => one.includes(token))).toEqual([]);
  // A page that is already open accepts another token from its address.
  await page.evaluate(`location.hash = 'token=${reader}'`);
  await page.getByRole('button', { name: 'Signed in as rolf' }).waitFor();
  expect(page.url()).toBe(address);
  expect(consoleLines).toEqual([]);
  await close();
});

// With an upstream, tokens are not stored: see below.
test.skipIf(anywhere.isBesideUpstream)('a token is for one tab, and is never shown', async () => {
  const { page, sent, close } = await explorer.open('/datastore/explore');
  await enter(page, 'wrong');
  // The form reports it immediately, and stores nothing.
  await page.getByRole('alert').filter({ hasText: 'This token is not known here.' }).waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await page.getByRole('dialog', { name: 'Token' }).getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Use token' }).click();
  await page.getByRole('button', { name: 'Signed in as ana' }).waitFor();
  await page.getByRole('link', { name: 'Closed permits' }).click();
  await waitForCount(page, '30,000 records');
  await page.getByRole('link', { name: 'API' }).click();
  await page.getByText('-H "Authorization: $TOKEN"').waitFor();
  await page.getByRole('button', { name: 'Download' }).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog', { name: 'Download' }).getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(readFileSync(await saved.path(), 'utf8').split('\n')).toHaveLength(30_002);
  expect(saved.url()).not.toContain(token);
  expect(await page.content()).not.toContain(token);
  expect(sent.filter(({ url }) => url.includes(token))).toEqual([]);
  expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(token);
  await page.reload();
  await waitForCount(page, '30,000 records');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('alert').filter({ hasText: 'You may not read this' }).waitFor();
  await page.getByRole('button', { name: 'Signed in as ana' }).click();
  await page.getByRole('button', { name: 'Forget token' }).click();
  await page.getByRole('alert').filter({ hasText: 'You may not read this' }).waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await close();
});

test('in German, and under a base path and a language segment', async () => {
  const other = await openExplorer({}, { basePath: '/x/y', languages: ['de'] });
  try {
    const { page, consoleLines, sent, close } = await other.open('/de/datastore/explore');
    await page.getByRole('link', { name: 'Building permits' }).click();
    await waitForCount(page, '30.000 Datensätze');
    expect(new URL(page.url()).pathname).toBe('/x/y/de/datastore/explore/permits');
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.getByRole('link', { name: 'Tabellen' }).click();
    await page.getByRole('link', { name: 'Digits' }).waitFor();
    expect(sent.filter(({ url }) => !new URL(url).pathname.startsWith('/x/y/'))).toEqual([]);
    expect(consoleLines).toEqual([]);
    await close();
  } finally {
    await other.stop();
  }
});

test('beside an upstream: its pages stay its own, and a token lasts until the page is left', async () => {
  const upstream = await openUpstream();
  const other = await openExplorer({ upstream: { url: upstream.url } }, {});
  try {
    for (const path of [
      '/',
      '/dataset',
      '/datastore/explore/theirs',
      '/de/datastore/explore/theirs?q=x',
      '/datastore/explore/x/y',
    ]) {
      const answer = await fetch(`${other.url}${path}`, { headers: { accept: 'text/html' } });
      expect(await answer.text()).toContain(`upstream ${path} `);
    }
    const { page, consoleLines, close } = await other.open('/datastore/explore');
    await enter(page, reader);
    await page.getByRole('link', { name: 'Closed permits' }).click();
    await waitForCount(page, '30,000 records');
    expect(await page.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([0, 0]);
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'You may not read this' }).waitFor();
    expect(consoleLines.filter((one) => !one.includes('403'))).toEqual([]);
    await close();
  } finally {
    await other.stop();
    upstream.close();
  }
});

test('while the gateway is busy the page waits as long as it is told, and keeps the records', async () => {
  const { page, sent, close } = await explorer.open(permits);
  const rows = await rowsOf(page);
  let isBusy = true;
  await page.route('**/datastore_search', (route) =>
    isBusy
      ? route.fulfill({
          status: 503,
          headers: { 'Retry-After': '2' },
          body: '{"success": false, "error": {"message": "too many calls"}}',
        })
      : route.continue(),
  );
  const [before, began] = [sent.length, Date.now()];
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('alert').filter({ hasText: 'Trying again in 2 s' }).waitFor();
  await page.waitForTimeout(5000);
  const searches = sent.slice(before).filter(({ body }) => body.includes('"lists"'));
  expect(searches.length).toBeLessThanOrEqual(1 + (Date.now() - began) / 2000);
  isBusy = false;
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  expect(await rowsOf(page)).toEqual(rows);
  await close();
});
