/** The docs as a site, as `npm run docs` builds it: every link leads somewhere, people can search it, and axe finds nothing. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../support/docs/fences.ts';
import { violations } from './explorer-world.ts';

const folder = join(root, 'docs/site/.vitepress/dist');
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
/** The file of an address, as static hosts choose it; null if there is none. */
function fileOf(address: string): string | null {
  const path = join(folder, decodeURI(address));
  return (
    [path, `${path}.html`, join(path, 'index.html')].find((file) => extname(file) !== '' && existsSync(file)) ?? null
  );
}

let server: Server;
let origin: string;
let browser: Browser;
beforeAll(async () => {
  await promisify(execFile)('npm', ['run', 'docs'], { cwd: root });
  server = createServer(({ url = '/' }, res) => {
    const file = fileOf(new URL(url, 'http://site').pathname);
    if (file === null) return res.writeHead(404).end();
    return res.writeHead(200, { 'content-type': types[extname(file)] ?? '' }).end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
  browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

test('every link inside the site leads to a page, and to an id on it', () => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const idsOf = (file: string) =>
    new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const ids = new Map(pages.map((page) => [join(folder, page), idsOf(join(folder, page))]));
  const links = pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href = '']) => ({
      page,
      url: new URL(href.replaceAll('&amp;', '&'), `http://site/${page}`),
    })),
  );
  const inside = links.filter(({ url }) => url.host === 'site');
  expect(inside.length).toBeGreaterThan(1000);
  const dead = inside.filter(({ url }) => {
    const file = fileOf(url.pathname);
    return file === null || (url.hash !== '' && !ids.get(file)?.has(decodeURIComponent(url.hash.slice(1))));
  });
  expect(dead.map(({ page, url }) => `${page}: ${url.pathname}${url.hash}`)).toEqual([]);
});

test('the sidebar has every page of README', () => {
  const [, lists = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## All pages\n');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const paths = [...lists.matchAll(/\]\((\S+)\.md\)/g)].map(([, path]) => path);
  expect(paths.length).toBeGreaterThan(30);
  const sidebar = page.slice(page.indexOf('id="VPSidebarNav"'), page.indexOf('id="VPContent"'));
  expect(paths.filter((path) => !sidebar.includes(`href="/${path}"`))).toEqual([]);
});

test('a search finds a page', async () => {
  const page = await browser.newPage();
  await page.goto(origin, { waitUntil: 'networkidle' });
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('keycloak');
  await page.getByRole('option', { name: 'Log in with Keycloak or Entra ID' }).first().click();
  await page.waitForURL('**/docs/login*');
  await page.close();
});

test.each([
  ['/', 1],
  ['/docs/explorer', 4],
] as const)('the pictures of %s are there', async (path, atLeast) => {
  const page = await browser.newPage();
  await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
  const pictures = page.locator('main img');
  expect(await pictures.count()).toBeGreaterThanOrEqual(atLeast);
  const missing = () =>
    pictures.evaluateAll((all) => all.filter((one) => Reflect.get(one, 'naturalWidth') === 0).length);
  await expect.poll(missing).toBe(0);
  await page.close();
});

test.each(
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [320, 390, 1440].flatMap((width) =>
      ['/', '/docs/explorer', '/docs/settings', '/docs/api'].map((path) => [colorScheme, width, path] as const),
    ),
  ),
)('axe finds nothing: %s, %i px, %s', async (colorScheme, width, path) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
  expect(await violations(page)).toEqual([]);
  await context.close();
});
