/** The gateway's address opened in a browser. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noMetadata } from '../../../src/model/metadata.ts';
import { overviewOf } from '../../../src/pipeline/site.ts';
import { frontPage } from '../../../src/reply/front-page.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { settings } from '../../support/loading.ts';
import { anyEngine, byName, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { identity } from '../../support/table.ts';

const overview = { title: 'Open data', path: '', compat: '2.12', resources: [], more: 0 };
/** The targets of all links, with entities decoded. */
const links = (body: string) =>
  [...body.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));

test('titles and ids are text, whatever they hold', () => {
  const nasty = `</title><script>alert(1)</script>"'&amp;`;
  const { body } = frontPage({ ...overview, title: nasty, resources: [{ id: `a/b?c&d#'"<`, title: nasty }] });
  expect(body).not.toContain('<script');
  expect(body).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;</title>');
  expect(links(body)).toEqual([
    "/api/3/action/datastore_search?resource_id=a%2Fb%3Fc%26d%23'%22%3C&limit=5",
    "/datastore/dump/a%2Fb%3Fc%26d%23'%22%3C?format=csv",
    "/datastore/dump/a%2Fb%3Fc%26d%23'%22%3C?format=json",
    '/api/openapi.json',
  ]);
});

test('nothing but its own style may be used, and that is allowed by its hash', () => {
  const { headers, body } = frontPage(overview);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(body) ?? [];
  expect(style).not.toBe('');
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['Content-Security-Policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(body).not.toMatch(/ style=| on\w+=|<script|https?:\/\//);
});

test('of many resources the first are listed, and it is said how many follow', () => {
  const access = { read: 'public', write: 'none', deleteAll: false, aggregate: true, sql: false } as const;
  const may = { read: true, aggregate: true, write: false, deleteAll: false };
  const film = {
    aliases: [],
    title: 'film',
    description: '',
    metadata: noMetadata,
    access,
    may,
    table: null,
    identity,
  };
  const resources = Array.from({ length: 10_000 }, (_, nth) => ({ ...film, id: `r${nth}` }));
  const demo = { demo: { database: 'demo', table: 'film' } };
  const some = settings(JSON.stringify({ databases: { demo: { client: 'pglite' } }, resources: demo }));
  const { body } = frontPage(overviewOf(some, { caller: null, resources, isComplete: true }));
  expect(links(body)).toHaveLength(200 * 3 + 1);
  expect(body).toContain('<p>… and 9800 more.</p>');
  expect(body.length).toBeLessThan(100_000);
});

describe.each(byName(anyEngine()))('on %s', (_, engine) => {
  let fresh: FreshDatabase;
  const open: TestGateway[] = [];
  const started = async (server: Record<string, unknown>) => {
    const gateway = await startGateway({
      server: { title: 'Films & more', ...server },
      databases: { db: entry(fresh) },
      resources: {
        'all films': { database: 'db', table: 'film', title: 'All <films>', access: { read: 'public' } },
        closed: { database: 'db', table: 'film', title: 'Not for everybody', access: { read: 'token' } },
      },
    });
    open.push(gateway);
    return gateway;
  };
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec("CREATE TABLE film (id integer PRIMARY KEY, title varchar(20)); INSERT INTO film VALUES (1, 'A')");
  });
  afterAll(async () => {
    for (const gateway of open) await gateway.close();
    await fresh?.drop();
  });

  test.each([
    ['at the root', {}, '', ['/', '/?utm_source=mail']],
    ['under a base path', { basePath: '/data', languages: ['de'] }, '/data', ['/data', '/data/', '/data/?x=1']],
  ])('the page %s has links that work', async (_, server, path, addresses) => {
    const gateway = await started(server);
    const [first = '', ...others] = await Promise.all(
      addresses.map(async (address) => {
        const answered = await fetch(`${gateway.url}${address}`);
        expect(answered.status).toBe(200);
        expect(Object.fromEntries(answered.headers)).toMatchObject({
          'content-type': 'text/html;charset=utf-8',
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-cache',
        });
        return answered.text();
      }),
    );
    expect(new Set([first, ...others])).toEqual(new Set([first]));
    expect(first).toContain('<h1 dir="auto">Films &amp; more</h1>');
    expect(first).toContain('All &lt;films&gt;');
    expect(first).not.toContain('closed');
    const answers = await Promise.all(
      links(first).map(async (to) => {
        const answered = await fetch(`${gateway.url}${to}`);
        return [to, answered.status, await answered.text()] as const;
      }),
    );
    expect(answers).toEqual([
      [`${path}/api/3/action/datastore_search?resource_id=all%20films&limit=5`, 200, expect.stringContaining('"A"')],
      [`${path}/datastore/dump/all%20films?format=csv`, 200, '_id,id,title\n1,1,A\n'],
      [`${path}/datastore/dump/all%20films?format=json`, 200, expect.stringContaining('"A"')],
      [`${path}/api/openapi.json`, 200, expect.stringContaining('"3.1.0"')],
    ]);
  });

  test('a caller with a token sees what the token may read; HEAD has no body, and nothing can be sent there', async () => {
    const { url } = await started({});
    const mine = await fetch(`${url}/`, { headers: { Authorization: token } });
    expect(await mine.text()).toContain('Not for everybody');
    const whole = await (await fetch(`${url}/`)).text();
    const head = await fetch(`${url}/`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(Buffer.byteLength(whole)),
      '',
    ]);
    const options = await fetch(`${url}/`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([200, 'GET, HEAD, OPTIONS']);
    expect((await fetch(`${url}/`, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  test('where nothing is, a browser gets a page and a program gets JSON', async () => {
    const { url } = await started({ basePath: '/data', title: 'Films <&>' });
    const get = async (path: string, accept: string) => {
      const answered = await fetch(`${url}${path}`, { headers: { Accept: accept } });
      return [path, answered.status, answered.headers.get('content-type'), await answered.text()] as const;
    };
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = (path: string, text: string) => [path, 404, 'text/html;charset=utf-8', expect.stringContaining(text)];
    const json = (path: string) => [
      path,
      404,
      'application/json;charset=utf-8',
      expect.stringContaining('"Not Found Error"'),
    ];
    const link = '<a href="/data/datastore/explore">';
    for (const path of [
      '/',
      '/x',
      '/data/x',
      '/data/datastore/dump/a',
      '/data/datastore/explore/a/b',
      '/data/api/3/x',
    ]) {
      expect(await get(path, browser)).toEqual(page(path, link));
      for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.5'])
        expect(await get(path, accept)).toEqual(json(path));
    }
    expect(await get('/data/datastore/dump/%3Cb%3E', browser)).toEqual(
      page('/data/datastore/dump/%3Cb%3E', '&lt;b&gt;'),
    );
    // For an unknown table the explorer shows the error itself.
    const unknown = '/data/datastore/explore/nowhere';
    expect(await get(unknown, browser)).toEqual(page(unknown, '<script type="module"'));
    expect(await get(unknown, '*/*')).toEqual(json(unknown));
    expect((await get('/data/datastore/explore/closed', browser))[1]).toBe(200);
    const call = '/data/api/3/action/datastore_search?resource_id=nowhere';
    expect(await get(call, browser)).toEqual(json(call));
  });

  test('other paths stay a 404', async () => {
    const { url } = await started({ basePath: '/data' });
    for (const path of ['/', '//', '/data//', '/dat', '/data/x', '/de', '/data/de/'])
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
  });
});
