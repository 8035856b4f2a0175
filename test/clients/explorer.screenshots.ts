/** Makes the pictures of the docs, by `npm run screenshots`. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { type Explorer, openExplorer, rowsOf } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer?.stop());

const folder = resolve(import.meta.dirname, '../../docs/pictures');
const large = { viewport: { width: 1280, height: 800 } };
const small = { viewport: { width: 390, height: 844 }, hasTouch: true };
const permits = '/datastore/explore/permits';

const pictures: readonly (readonly [string, string, BrowserContextOptions])[] = [
  ['explorer', `${permits}?filters={"status":"granted"}&sort=opened+desc&view=summary&by=kind,amount,opened`, large],
  ['explorer-list', '/datastore/explore', large],
  [
    'explorer-api',
    `${permits}?q=heritage&filters={"kind":"roof","amount":{"gte":500}}&sort=amount+desc&view=api`,
    large,
  ],
  ['explorer-record', `${permits}?row={"id":12}`, { ...large, colorScheme: 'dark' }],
  ['explorer-390', `${permits}?filters={"kind":"solar"}&sort=id`, small],
  ['explorer-summary-390', `${permits}?view=summary&by=kind,opened`, { ...small, colorScheme: 'dark' }],
];

test.each(pictures)('%s', async (name, path, options) => {
  const { page, close } = await explorer.open(path, options);
  if (path.startsWith(permits)) await rowsOf(page);
  await page.waitForLoadState('networkidle');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: resolve(folder, `${name}.png`), animations: 'disabled' });
  await close();
});
