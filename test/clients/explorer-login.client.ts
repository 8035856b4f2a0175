/** The explorer with a JWT that somebody pastes. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  audience,
  type IdentityProvider,
  identityProvider,
  type SigningKey,
  signingKey,
  tokenOf,
} from '../support/identity-provider.ts';
import { permits } from './explorer-tables.ts';
import { type Explorer, resource, serveExplorer, waitForCount } from './explorer-world.ts';

let provider: IdentityProvider;
let key: SigningKey;
let explorer: Explorer;
beforeAll(async () => {
  key = await signingKey('a');
  provider = await identityProvider([key]);
  const { issuer, jwksUrl } = provider;
  const where = { kind: `\${claim.kind}` };
  const more = {
    resources: { permits: { ...resource('permits', { read: 'token', write: 'none' }), where } },
    auth: { jwt: [{ name: 'staff', issuer, jwksUrl, audience, grants: [{ read: ['permits'] }] }] },
  };
  // At the root, where a token is kept for the tab: the test puts an old one there.
  explorer = await serveExplorer('postgres', permits('permits', 700), more, {});
});
afterAll(async () => {
  await explorer?.stop();
  await provider?.close();
});

const paste = async (page: Page, token: string) => {
  await page.getByRole('button', { name: 'Enter a token' }).click();
  await page.getByRole('dialog', { name: 'Token' }).getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
};
const trouble = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words }).waitFor();

test('a pasted JWT shows the rows of its claim', async () => {
  const { page, consoleLines, close } = await explorer.open('/datastore/explore/permits');
  await trouble(page, 'You may not read this. A token may help.');
  const roofer = await tokenOf(provider.issuer, key, { kind: 'roof' });
  await paste(page, roofer);
  const address = `${explorer.url}/api/3/action/datastore_search?resource_id=permits&limit=0`;
  const { result } = JSON.parse(await (await fetch(address, { headers: { Authorization: roofer } })).text());
  expect(result.total).toBeLessThan(700);
  await waitForCount(page, `${result.total} records`);
  await page.getByText('staff/ana').first().waitFor();
  expect(consoleLines.filter((line) => !line.includes('403'))).toEqual([]);
  await close();
});

test('a login that has ended, and one that does not say which rows, are told apart', async () => {
  const { page, close } = await explorer.open('/datastore/explore/permits');
  await trouble(page, 'You may not read this. A token may help.');
  await paste(page, await tokenOf(provider.issuer, key));
  await trouble(page, 'Your token does not say which rows of this table are yours.');
  const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
  const old = await tokenOf(provider.issuer, key, { kind: 'roof' }, {}, anHourAgo);
  await page.evaluate(`sessionStorage.setItem(${JSON.stringify(explorer.keeps)}, ${JSON.stringify(old)})`);
  await page.reload();
  await trouble(page, 'Your login has ended. Enter a new token.');
  await close();
});
