/** A browser: pages of another site that call by JSONP, $.ajax and fetch, and links as in CKAN's dialog. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Pages, servePages } from './pages.ts';
import { names, resources, type Served, serveAll, sqlNames, token } from './served.ts';

let served: Served;
let friends: Served;
let pages: Pages;
let strangers: Pages;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [pages, strangers] = await Promise.all([servePages(), servePages()]);
  served = await serveAll();
  friends = await serveAll({ cors: { origins: [pages.origin] } });
  // Chromium's sandbox is not available to root, as in a container.
  browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  page = await browser.newPage();
  await page.goto(pages.origin);
});
afterAll(async () => {
  await browser?.close();
  for (const site of [pages, strangers]) site?.close();
  for (const gateway of [served, friends]) await gateway?.stop();
});

/** Calls a function of the page. Arguments and result are JSON. */
const call = (name: 'jsonp' | 'ajax' | 'fetch' | 'script', ...args: readonly unknown[]): Promise<unknown> =>
  page.evaluate(`calls.${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`);
const action = (name: string, of = served) => `${of.url}/api/3/action/${name}`;
const found = (...titles: readonly string[]) => ({
  success: true,
  result: { records: titles.map((title) => ({ title })) },
});
const posted = (params: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(params),
});

describe.each(names())('on %s', (engine) => {
  const { open, closed, scratch } = resources(engine);

  test('jQuery reads by JSONP, cache buster and all', async () => {
    const data = { resource_id: open, limit: 5, q: 'größer', fields: 'title' };
    expect(await call('jsonp', action('datastore_search'), data)).toMatchObject({ ok: found('Größer als 50%') });
    const named = { jsonpCallback: 'show_it', cache: false };
    expect(await call('jsonp', action('datastore_search'), data, named)).toMatchObject({ ok: found('Größer als 50%') });
  });

  test('JSONP reads nothing that needs a token', async () => {
    expect(await call('jsonp', action('datastore_search'), { resource_id: closed })).toMatchObject({ failed: 'error' });
  });

  test('$.ajax reads by GET and by a form, without a preflight', async () => {
    const data = { resource_id: open, q: 'jones creek', fields: 'title' };
    for (const method of ['GET', 'POST'])
      expect(await call('ajax', action('datastore_search'), data, { method })).toMatchObject({
        ok: found('Jones Creek'),
      });
  });

  test('$.ajax writes JSON with a token, after a preflight', async () => {
    const send = (name: string, params: unknown) =>
      call('ajax', action(name), JSON.stringify(params), {
        method: 'POST',
        contentType: 'application/json',
        headers: { Authorization: token },
      });
    const mine = { resource_id: scratch, filters: { stage: 'browser' } };
    const records = [{ title: 'from a page', stage: 'browser' }];
    expect(await send('datastore_upsert', { resource_id: scratch, method: 'insert', records })).toMatchObject({
      ok: { success: true },
    });
    expect(await send('datastore_search', { ...mine, fields: 'title' })).toMatchObject({ ok: found('from a page') });
    expect(await send('datastore_records_delete', mine)).toMatchObject({ ok: { success: true } });
  });

  test('fetch, as in the dialog', async () => {
    const filters = { subject: ['watershed', 'survey'], stage: 'active' };
    const headers = { authorization: token };
    expect(
      await call(
        'fetch',
        action('datastore_search'),
        posted({ resource_id: closed, filters, fields: 'title' }, headers),
      ),
    ).toMatchObject({ status: 200, ok: found('Jones Creek', 'Jones & Smith = 1+1') });
  });

  test('EventSource of a page of another site is told of a write', async () => {
    const params = { resource_id: scratch, method: 'insert', records: [{ title: 'told', stage: 'browser' }] };
    const events = await page.evaluate(`new Promise((resolve, reject) => {
      const seen = [];
      const source = new EventSource('${action('datastore_changes')}?resource_id=${scratch}');
      source.onerror = () => reject(new Error('no stream'));
      source.addEventListener('changed', (event) => {
        seen.push(JSON.parse(event.data));
        if (seen.length === 1) {
          const sent = ${JSON.stringify(posted(params, { authorization: token }))};
          fetch('${action('datastore_upsert')}', sent);
        } else {
          source.close();
          resolve([...seen, event.lastEventId.length > 2]);
        }
      });
    })`);
    const [first, second] = [1, 2].map((version) => ({ resource_id: scratch, version }));
    expect(events).toEqual([first, second, true]);
    const mine = { resource_id: scratch, filters: { stage: 'browser' } };
    const removed = await call('fetch', action('datastore_records_delete'), posted(mine, { authorization: token }));
    expect(removed).toMatchObject({ status: 200 });
  });

  test('a link with spaces and quotes', async () => {
    const tab = await browser.newPage();
    const answer = await tab.goto(`${action('datastore_search')}?resource_id=${open}&q="jones creek"&fields=title`);
    expect([answer?.status(), await answer?.json()]).toMatchObject([200, found('Jones Creek')]);
    const sql = await tab.goto(
      `${action('datastore_search_sql')}?sql=SELECT title from "${open}" WHERE title LIKE 'Jones C%'`,
    );
    expect([sql?.status(), await sql?.json()]).toMatchObject(
      sqlNames().includes(engine)
        ? [200, { result: { records: [{ title: 'Jones Creek' }] } }]
        : [403, { success: false }],
    );
    await tab.close();
  });
});

test('the front page without a script is read on a phone in the dark, and its links are followed', async () => {
  const tab = await browser.newPage({ viewport: { width: 360, height: 640 }, colorScheme: 'dark' });
  // Without this header, the browser would get the explorer instead of the simple page.
  await tab.route(`${served.url}/`, (route) =>
    route.continue({ headers: { ...route.request().headers(), accept: '*/*' } }),
  );
  const consoleLines: string[] = [];
  tab.on('console', (message) => consoleLines.push(message.text()));
  tab.on('pageerror', (error) => consoleLines.push(error.message));
  await tab.goto(`${served.url}/`);
  const seen = `({
    isWithin: document.documentElement.scrollWidth <= innerWidth,
    line: getComputedStyle(document.querySelector('li')).borderTopStyle,
    color: getComputedStyle(document.body).color,
  })`;
  // If the policy blocked the stylesheet, the colour and the line would be missing.
  expect(await tab.evaluate(seen)).toEqual({ isWithin: true, line: 'solid', color: 'rgb(255, 255, 255)' });
  expect(await tab.getByText(anywhere().closed).count()).toBe(0);
  const item = tab.getByRole('listitem').filter({ hasText: anywhere().open });
  const saved = tab.waitForEvent('download');
  await item.getByRole('link', { name: 'all as CSV' }).click();
  expect((await saved).suggestedFilename()).toBe(`${anywhere().open}.csv`);
  expect(consoleLines).toEqual([]);
  await item.getByRole('link', { name: 'first records' }).click();
  await tab.waitForURL('**/datastore_search**');
  expect(await tab.locator('body').innerText()).toContain('Jones Creek');
  await tab.close();
});

test('a page fetches a download, and a link saves it under a name', async () => {
  const url = `${served.url}/datastore/dump/${anywhere().open}?format=json&limit=1`;
  expect(await call('fetch', url)).toMatchObject({ status: 200, ok: { records: [expect.anything()] } });
  const saved = page.waitForEvent('download');
  await page.evaluate(`location.href = ${JSON.stringify(url.replace('json', 'csv'))}`);
  expect((await saved).suggestedFilename()).toBe(`${anywhere().open}.csv`);
});

const anywhere = () => resources(names()[0] ?? '');

test.each([
  ['datastore_search', { resource_id: 'nothing' }, 404],
  ['datastore_search', { resource_id: 'nothing', limit: 'x' }, 409],
  ['datastore_nope', {}, 400],
])('a page reads why %s %j was refused', async (name, params, status) => {
  const answer = await call('fetch', action(name), posted(params, { 'x-ckan-api-key': 'wrong' }));
  expect(answer).toMatchObject({ status, ok: expect.anything() });
});

test('a page reads why a URL that is too long was refused', async () => {
  const url = `${action('datastore_search')}?q=${'x'.repeat(70_000)}`;
  expect(await call('fetch', url)).toMatchObject({ status: 431, ok: expect.stringContaining('send filters by POST') });
});

test('a page without jQuery calls a function of an object of its own', async () => {
  await page.evaluate('window.shop = { show: (shown) => { window.shown = shown.result.total; } }');
  const query = new URLSearchParams({ resource_id: anywhere().open, callback: 'shop.show' });
  expect(await call('script', `${action('datastore_search')}?${query}`)).toEqual({ ok: true });
  expect(await page.evaluate('window.shown')).toBe(4);
});

test.each(['alert(1)//', 'stolen=', '"', ''])('a script whose callback is %j does not run', async (callback) => {
  await page.evaluate('window.stolen = undefined');
  const query = new URLSearchParams({ resource_id: anywhere().open, callback });
  expect(await call('script', `${action('datastore_search')}?${query}`)).toEqual({ failed: 'error' });
  expect(await page.evaluate('window.stolen')).toBeUndefined();
});

test('without a callback an answer is no script', async () => {
  const url = `${action('datastore_search')}?resource_id=${anywhere().open}`;
  expect(await call('script', url)).toEqual({ failed: 'error' });
});

test('where the operator names the origins, others are kept out, before a write too', async () => {
  const insert = { resource_id: anywhere().scratch, method: 'insert', records: [{ title: 'x', stage: 'stranger' }] };
  const write = posted(insert, { authorization: token });
  const read = `${action('datastore_search', friends)}?resource_id=${anywhere().scratch}`;
  await page.goto(strangers.origin);
  expect(await call('fetch', read)).toEqual({ failed: 'TypeError' });
  expect(await call('fetch', action('datastore_upsert', friends), write)).toEqual({ failed: 'TypeError' });
  await page.goto(pages.origin);
  expect(await call('fetch', read)).toMatchObject({ status: 200, ok: { result: { total: 0 } } });
  expect(await call('fetch', action('datastore_upsert', friends), write)).toMatchObject({ status: 200 });
});
