import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Assets } from '../../../src/explorer/assets.ts';
import { pageHeaders, shell } from '../../../src/explorer/shell.ts';

const files = { script: 'main.A1.js', style: 'style.B2.css', icon: 'icon.C3.svg' };
const page = {
  title: 'Open data',
  description: '',
  base: '',
  language: null,
  isShared: false,
  takesCookies: false,
  bodyBytes: 10_000_000,
  edits: true,
  hasCatalog: true,
  map: { layers: [], tiles: null },
  head: null,
  files,
};

test('titles are text, whatever they hold', () => {
  const html = shell({ ...page, title: `"></title><script>alert(1)</script>'&amp;` });
  expect(html).not.toContain('<script>');
  expect(html).toContain('data-title="&quot;&gt;&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;amp;"');
});

test('links and files are below the base path, whatever the language', () => {
  const html = shell({ ...page, base: '/data', language: 'pt_BR' });
  expect(html).toContain('<html lang="pt-BR" data-base="/data" data-root="/data/pt_BR/datastore/explore"');
  expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to]) => to)).toEqual(
    ['icon.C3.svg', 'style.B2.css', 'main.A1.js'].map((name) => `/data/datastore/explore/-/${name}`),
  );
});

test('nothing inline may run, nothing foreign is loaded, and no frame shows it', () => {
  const policy = pageHeaders()['Content-Security-Policy'] ?? '';
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
    expect(policy).toContain(part);
  const html = shell(page);
  expect(html).not.toMatch(/<style| style=| on\w+=|<script[^>]*>[^<]|https?:/);
  expect(html.length).toBeLessThan(2000);
});

test('only the tiles of the map may be from another origin, and exactly that one', () => {
  const tiles = { url: 'https://tiles.example.org:8443/a/{z}/{x}/{y}.png', attribution: '© "Example"' };
  expect(pageHeaders([], tiles)['Content-Security-Policy']).toContain(
    "; img-src 'self' https://tiles.example.org:8443;",
  );
  expect(pageHeaders()['Content-Security-Policy']).toContain("; img-src 'self';");
  const layers = [{ title: 'Districts', name: 'layer.0.json', lines: '[[1,2]]' }];
  expect(shell({ ...page, map: { layers, tiles } })).toContain(
    `data-map="{&quot;layers&quot;:[{&quot;title&quot;:&quot;Districts&quot;,&quot;file&quot;:&quot;layer.0.json&quot;}],&quot;tiles&quot;:{&quot;url&quot;:&quot;https://tiles.example.org:8443/`,
  );
});

test('only the named sites may show it in a frame', () => {
  const policy = pageHeaders(['https://a.example', 'https://b.example:8443'])['Content-Security-Policy'] ?? '';
  expect(policy).toMatch(/; frame-ancestors https:\/\/a\.example https:\/\/b\.example:8443$/);
});

test('beside an upstream, whose scripts share its origin, the token is kept in memory', () => {
  expect(shell(page)).toContain('data-token="tab"');
  expect(shell({ ...page, isShared: true })).toContain('data-token="memory"');
});

test('cookies are sent only where they are logins', () => {
  expect(shell(page)).toContain('data-cookies="false"');
  expect(shell({ ...page, takesCookies: true })).toContain('data-cookies="true"');
});

let folder = '';
let assets = new Assets();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'explorer-assets-'));
  for (const name of [...Object.values(files), 'secret.key', 'part.D4.js'])
    for (const [ending, text] of [
      ['', 'plain'],
      ['.br', 'brotli'],
      ['.gz', 'gzip'],
    ] as const)
      writeFileSync(join(folder, name + ending), `${text} of ${name}`);
  writeFileSync(join(folder, 'land.E5.json.br'), 'brotli of land');
  writeFileSync(join(folder, 'land.E5.json.gz'), gzipSync('{"land":[]}'));
  assets = new Assets(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textOf = (body: unknown) => (body instanceof Uint8Array ? Buffer.from(body).toString() : body);

test.each([
  ['br, gzip', 'brotli', 'br'],
  ['gzip', 'gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip', 'gzip'],
  ['br;q=0.0, GZIP', 'gzip', 'gzip'],
  ['br;q=0.2, gzip;q=0.5', 'gzip', 'gzip'],
  ['br;q=0.000', 'plain', undefined],
  ['*', 'brotli', 'br'],
  ['gzip, *;q=0', 'gzip', 'gzip'],
  ['', 'plain', undefined],
  ['brotli', 'plain', undefined],
])('for Accept-Encoding %j it is the copy %s', async (accepted, copy, coding) => {
  const reply = await assets.reply('main.A1.js', accepted);
  expect([textOf(reply?.body), reply?.headers['Content-Encoding']]).toEqual([`${copy} of main.A1.js`, coding]);
  expect(reply?.headers).toMatchObject({
    'Content-Type': 'text/javascript;charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  });
});

test('a file of which only the copies are kept is sent uncompressed, too', async () => {
  expect(textOf((await assets.reply('land.E5.json', 'br'))?.body)).toBe('brotli of land');
  const plain = await assets.reply('land.E5.json', 'identity');
  expect([textOf(plain?.body), plain?.headers['Content-Type']]).toEqual(['{"land":[]}', 'application/json']);
  expect(plain?.headers['Content-Encoding']).toBeUndefined();
});

test('a known file is not sent again', async () => {
  const etag = (await assets.reply('style.B2.css'))?.headers.ETag ?? '';
  expect(await assets.reply('style.B2.css', '', `"x", W/${etag}`)).toMatchObject({ status: 304, body: '' });
  expect(await assets.reply('style.B2.css', '', '"x"')).toMatchObject({ status: 200 });
  // With another encoding the body differs, and so does its strong ETag.
  const compressed = (await assets.reply('style.B2.css', 'br'))?.headers.ETag ?? '';
  expect(await assets.reply('style.B2.css', 'br', compressed)).toMatchObject({ status: 304 });
  expect(await assets.reply('style.B2.css', 'gzip', `${compressed}, ${etag}`)).toMatchObject({ status: 200 });
});

test('there are no files but the built ones', async () => {
  for (const name of ['../main.A1.js', 'secret.key', 'main.A1.js.gz', '', 'constructor', '/etc/passwd'])
    expect([name, await assets.reply(name)]).toEqual([name, null]);
  expect(await assets.entry()).toEqual(files);
});

test('what has not been built is an error that says so, and is looked for again', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'explorer-assets-'));
  const none = new Assets(empty);
  await expect(none.entry()).rejects.toThrow('run npm run build');
  rmSync(empty, { recursive: true });
  await expect(none.entry()).rejects.toThrow();
});
