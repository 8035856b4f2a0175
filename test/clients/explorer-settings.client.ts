/** The explorer with different settings: switched off, read-only, in frames of certain sites. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAs, panel } from './explorer-form.ts';
import { openUpstream, type Upstream } from './explorer-upstream.ts';
import { type Explorer, resource, rowsOf, serveExplorer, token } from './explorer-world.ts';

const sql = `CREATE TABLE items (id int PRIMARY KEY, name text); INSERT INTO items VALUES (1, 'one');`;
const resources = { items: resource('items', { read: 'public', write: 'token' }) };
/** Starts the explorer at the root of the site; with an upstream only if a test asks for one. */
const serve = (more: Record<string, unknown>) => serveExplorer('postgres', sql, { resources, ...more }, {});

let portal: Upstream;
let origin = '';
beforeAll(async () => {
  portal = await openUpstream();
  origin = portal.url;
});
afterAll(() => portal?.close());

const stopping = async (explorer: Explorer, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } finally {
    await explorer.stop();
  }
};
const html = { headers: { accept: 'text/html' } };
const paths = [
  '/datastore/explore',
  '/datastore/explore/items',
  '/de/datastore/explore/items',
  '/datastore/explore/-/main.js',
];

test('without the explorer its addresses do not exist, and a browser gets the page without a script', async () => {
  const explorer = await serve({ explorer: { serve: 'none' } });
  await stopping(explorer, async () => {
    for (const path of paths) expect([path, (await fetch(`${explorer.url}${path}`, html)).status]).toEqual([path, 404]);
    expect(await (await fetch(`${explorer.url}/`, html)).text()).not.toContain('<script');
  });
});

test('then they are the upstream’s, where there is one', async () => {
  const explorer = await serve({ explorer: { serve: 'none' }, upstream: { url: origin } });
  await stopping(explorer, async () => {
    for (const path of paths) {
      const address = new URL(`${explorer.url}${path}`);
      expect(await (await fetch(address, html)).text()).toContain(`upstream ${address.pathname}${address.search} `);
    }
  });
});

test('without writing nothing is offered to a token that may write', async () => {
  const explorer = await serve({ explorer: { edit: false } });
  await stopping(explorer, async () => {
    const { page, consoleLines, close } = await openAs(explorer, token, '/datastore/explore/items?row={"id":1}');
    await panel(page, 'Record').getByRole('button', { name: 'Copy link' }).waitFor();
    expect(await page.getByRole('button', { name: /^(?:Add|Edit|Delete)$/ }).count()).toBe(0);
    expect(consoleLines).toEqual([]);
    await close();
  });
});

test('a named site shows it in a frame, without a token; no other site does', async () => {
  const framed = async (explorer: Explorer): Promise<{ readonly page: Page; close(): Promise<void> }> => {
    // The tab has a token in its storage, but the page must not use it in a frame.
    const { page, close } = await openAs(explorer, token, '/datastore/explore/items');
    await page.goto(
      `${origin}/?of=${encodeURIComponent(`${explorer.url}/datastore/explore/items?row=%7B%22id%22:1%7D`)}`,
    );
    return { page, close };
  };
  const embedding = await serve({ explorer: { embed: [origin] } });
  await stopping(embedding, async () => {
    const { page, close } = await framed(embedding);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('region', { name: 'Record' }).getByRole('heading', { name: 'one' }).waitFor();
    expect(await frame.getByRole('button', { name: /Token|^Add$|^Edit$|^Delete$/ }).count()).toBe(0);
    // The other site does not allow the frame to use the clipboard's API.
    await frame.getByRole('button', { name: 'Copy link' }).click();
    await frame.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/\/datastore\/explore\/items\?row=/);
    await close();
  });
  const other = await serve({});
  await stopping(other, async () => {
    const { page, close } = await framed(other);
    await expect.poll(() => page.frames().map((frame) => frame.url())).toContain('chrome-error://chromewebdata/');
    await page.goto(`${other.url}/datastore/explore/items`);
    expect((await rowsOf(page))[0]).toEqual(['one', '1']);
    await close();
  });
});
