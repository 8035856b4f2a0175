/** Every page of the explorer for readers, and every state of it that a user meets, with the tables of `openPlaces`. */
import type { Page } from 'playwright-core';
import type { Explorer } from './explorer-world.ts';

export interface State {
  readonly name: string;
  /** The address below the list of tables. */
  readonly path: string;
  /** Replaces answers of the gateway before the page is opened. */
  stub?(page: Page): Promise<unknown>;
  /** From the opened page to the state. */
  lead(page: Page, explorer: Explorer): Promise<void>;
}

const sees = (selector: string, hasText: string | RegExp) => (page: Page) =>
  page.locator(selector, { hasText }).first().waitFor();
const records = async (page: Page) => {
  await page.locator('.grid td[data-row]:not(:has(.wait)), .record-list button:not(:has(.wait))').first().waitFor();
};
/** On a phone records are a list until the user chooses the grid. */
export const grid = async (page: Page) => {
  await records(page);
  const button = page.getByRole('button', { name: 'As grid' });
  if (await button.isVisible()) await button.click();
  await page.locator('.grid td[data-row]').first().waitFor();
};
/** A popover of the page with the records. */
const form = (name: string | RegExp) => async (page: Page) => {
  await records(page);
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').locator('button, select').last().waitFor();
};
const answers = (action: string, status: number, json: unknown) => (page: Page) =>
  page.route(`**/${action}`, (route) => route.fulfill({ status, json }));
const neverAnswers = (action: string) => (page: Page) => page.route(`**/${action}`, () => undefined);
const away = { success: false, error: { message: 'The database is away' } };
const listed = (resources: readonly object[]) =>
  answers('resource_list', 200, { success: true, result: { caller: null, total: resources.length, resources } });
const many = Array.from({ length: 30 }, (_, nth) => ({
  ...{ id: `table_${nth}`, title: `Table ${nth}`, description: 'One of many.', group: nth % 2 === 0 ? 'Even' : 'Odd' },
  ...{ aliases: [], may: { read: true }, available: nth > 2, records: nth * 1000, columns: 3 },
}));

const compared = '&groups=["country",{"field":"population","width":1000000}]&measures={"value":{"sum":"population"}}';

export const reading: readonly State[] = [
  { name: 'front', path: '', lead: sees('.front-tables a', 'Cities') },
  { name: 'front, with words', path: '?q=population', lead: sees('[role=status]', 'found by') },
  { name: 'front, nothing found', path: '?q=nowhere', lead: sees('.nothing', 'No table matches.') },
  { name: 'front, many tables', path: '', stub: listed(many), lead: sees('.dense a', 'Table 29') },
  { name: 'front, locked', path: '', stub: listed([]), lead: sees('h1, h2', 'Sign in to see the tables') },
  {
    ...{ name: 'front, wrong token', path: '', stub: listed([]) },
    async lead(page) {
      await page.getByRole('main').getByLabel('Token').fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'front, loading', path: '', stub: neverAnswers('resource_list'), lead: sees('[role=status]', 'Loading') },
  { name: 'front, error', path: '', stub: answers('resource_list', 503, away), lead: sees('[role=alert]', '') },
  { name: 'Data', path: '/cities', lead: sees('.grid a, .record-list button', 'Germany') },
  { name: 'Data, searched', path: '/cities?q=berlin&filters={"country":"DE"}', lead: records },
  { name: 'Data, empty', path: '/cities?q=nowhere&filters={"id":-1}', lead: sees('.notice', 'No record matches') },
  { name: 'Data, loading', path: '/cities', stub: neverAnswers('datastore_search'), lead: sees('.wait', '') },
  {
    ...{ name: 'Data, slow', path: '/cities?q=a' },
    async stub(page) {
      await neverAnswers('datastore_search')(page);
      await page.clock.install();
    },
    async lead(page) {
      await page.locator('.wait').first().waitFor();
      await page.clock.fastForward(10_000);
      await page.getByText('The database is slow').waitFor();
    },
  },
  {
    name: 'Data, error',
    path: '/cities',
    stub: answers('datastore_search', 503, away),
    lead: sees('[role=alert]', ''),
  },
  { name: 'Data, no such table', path: '/nowhere', lead: sees('[role=alert]', '') },
  {
    ...{ name: 'a cell', path: '/cities' },
    async lead(page) {
      await grid(page);
      await page.locator('td[data-row="0"]').first().click();
      await page.getByRole('region', { name: 'Selected value' }).waitFor();
    },
  },
  {
    ...{ name: 'menu of a column', path: '/cities' },
    async lead(page) {
      await grid(page);
      await page.getByRole('columnheader', { name: /^name/ }).hover();
      await page.getByRole('button', { name: 'Menu of name' }).click();
      await page.getByRole('menuitem').last().waitFor();
    },
  },
  { name: 'form of filters', path: '/cities?filters={"country":"DE"}', lead: form(/^Filter(?: 1)?$/) },
  { name: 'form of columns', path: '/cities', lead: form('Columns') },
  { name: 'form of downloads', path: '/cities', lead: form('Download') },
  { name: 'sign-in', path: '/cities', lead: form('Sign in') },
  { name: 'settings', path: '/cities', lead: form(/^Language and colours/) },
  { name: 'record with a place', path: '/cities?row={"id":1}', lead: sees('.referring li', 'Stopsby column town2') },
  { name: 'record that refers', path: '/flights?row={"id":1}', lead: sees('.record a', 'Berlin') },
  { name: 'Summary', path: '/cities?view=summary', lead: sees('button', 'Count this column') },
  {
    ...{ name: 'Summary, counted', path: '/cities?view=summary&by=country,population,changed' },
    lead: sees('.facet, section', '2 values'),
  },
  { name: 'Summary, compared', path: `/cities?view=summary${compared}`, lead: sees('.pivot tbody th', 'Germany') },
  { name: 'Map', path: '/cities?view=map&size=population&at=13,52,6', lead: sees('.legend', 'Population') },
  { name: 'Map of the world', path: '/cities?view=map', lead: sees('.places li', 'Berlin') },
  { name: 'About', path: '/cities?view=about', lead: sees('.related', 'Stops') },
  { name: 'API', path: '/cities?view=api', lead: sees('[aria-label="Answer, shortened"]', '') },
];
