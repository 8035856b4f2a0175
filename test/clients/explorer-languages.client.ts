/** The explorer in the languages besides English: how one is chosen, and that errors speak it, too. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { texts as de } from '../../src/explorer/page/texts/de/index.ts';
import { texts as fr } from '../../src/explorer/page/texts/fr/index.ts';
import { openPlaces } from './explorer-places.ts';
import { type Explorer, rowsOf, violations, waitForCount } from './explorer-world.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openPlaces('postgres');
});
afterAll(() => explorer?.stop());

const cities = '/datastore/explore/cities';
const languageOf = (page: Page) => page.locator('html').getAttribute('lang');

test("the browser's languages choose, and then the person; the texts are one file more", async () => {
  const { page, sent, consoleLines, close } = await explorer.open(cities, { locale: 'fr-CA' });
  await waitForCount(page, '4 enregistrements');
  expect(await languageOf(page)).toBe('fr');
  const scripts = () => sent.filter(({ url }) => url.endsWith('.js')).length;
  expect(scripts()).toBe(2);
  await page
    .getByRole('columnheader', { name: /^Population/ })
    .getByText('people')
    .waitFor();
  expect(await page.locator('td', { hasText: '3\u202f426\u202f354' }).count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: fr.page.settings }).click();
  await page.getByRole('combobox', { name: fr.page.languageOfPage }).selectOption('Deutsch');
  await waitForCount(page, '4 Datensätze');
  await page.getByRole('button', { name: de.page.settings }).click();
  await page.getByRole('combobox', { name: de.page.languageOfPage }).selectOption('English');
  await waitForCount(page, '4 records');
  expect(await languageOf(page)).toBe('en');
  expect(consoleLines).toEqual([]);
  await close();
});

test('French dates are written and typed as the French do, in cells, chips and forms', async () => {
  const filters = '{"changed":{"gte":"2026-11-01T00:00:00"}}';
  const { page, close } = await explorer.open(`${cities}?filters=${filters}`, { locale: 'fr' });
  await waitForCount(page, '1 sur 4 enregistrements');
  await page.locator('td[data-row="0"]', { hasText: '27 nov. 2026' }).waitFor();
  await page.locator('.chips').getByRole('button', { name: '1 nov. 2026' }).first().click();
  const value = page.getByRole('dialog').getByRole('textbox');
  expect(await value.inputValue()).toBe('01/11/2026 00:00:00');
  expect(await value.getAttribute('placeholder')).toBe('29/02/2024');
  await value.fill('2/11/2026');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('filters')).toBe('{"changed":{"gte":"2026-11-02"}}');
  await close();
});

test('a language whose file cannot be loaded is English', async () => {
  const { page, close } = await explorer.open('/datastore/explore/none', { locale: 'fr' });
  await page.route('**/part.*.js', (route) => route.abort());
  await page.goto(`${explorer.url}${cities}`);
  await waitForCount(page, '4 records');
  await close();
});

const failures = [
  ['offline', 0, ''],
  ['missing', 404, 'Not found'],
  ['forbidden', 403, 'Access denied: not authorized to read'],
  ['notAllowed', 403, 'Access denied: access.aggregate is none'],
  ['refused', 409, 'column "nowhere" does not exist'],
  ['tooLarge', 409, null],
  ['tooMany', 429, 'Too many calls'],
  ['failed', 500, 'Internal error'],
  ['unavailable', 503, 'The database is away'],
  ['tooSlow', 503, 'The statement took too long'],
] as const;

describe.each([
  ['de', de],
  ['fr', fr],
] as const)('in %s', (locale, { page: say }) => {
  test('each kind of error is a sentence in the language of the page', async () => {
    const { page, close } = await explorer.open(cities, { locale });
    await rowsOf(page);
    for (const [kind, status, message] of failures) {
      await page.route('**/datastore_search', (route) => {
        const error = message === null ? { limit: ['too large'], fields: ['too many'] } : { message };
        if (status === 0) return route.abort();
        return route.fulfill({ status, json: { success: false, error } });
      });
      await page
        .getByRole('button', { name: say.reload })
        .or(page.getByRole('button', { name: say.retry }))
        .first()
        .click();
      const words = say.errors[kind];
      await page
        .getByRole('alert')
        .getByText(typeof words === 'string' ? words : words('cities'))
        .waitFor();
      const buttons = await page.getByRole('alert').getByRole('button').allTextContents();
      const known: readonly string[] = [say.retry, say.errors.enterToken, say.errors.leaveOutLong, say.errors.details];
      expect(buttons.filter((one) => !known.includes(one))).toEqual([]);
      await page.unroute('**/datastore_search');
    }
    await close();
  }, 60_000);
});
