/** Takes the screenshots for the docs: `npm run screenshots`. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { permits as permitsTable } from './explorer-tables.ts';
import { type Explorer, resource, serveExplorer } from './explorer-world.ts';

/** Other tables besides the permits, with title and description, as a city might publish them. */
const others: Readonly<Record<string, readonly [string, string]>> = {
  air_quality: [
    'Air quality, hourly',
    'Nitrogen dioxide, ozone and particulate matter at nine stations, **checked by hand** once a month.',
  ],
  bicycle_counts: ['Bicycle counters', 'Bicycles in each quarter of an hour, by counter and direction.'],
  budget_2026: ['Budget 2026', 'Every item of the adopted budget, with its department and account.'],
  council_votes: ['Votes of the city council', ''],
  libraries: [
    'Libraries and their opening hours',
    'Addresses, opening hours and accessibility of the public libraries.',
  ],
  playgrounds: ['Playgrounds', 'Where children play: age groups, equipment, and the year of the last renewal.'],
  street_trees: [
    'Street trees',
    'Species, height and year of planting of the trees along the streets. Updated every spring.',
  ],
  waste_calendar: ['Waste collection calendar', 'Days of collection by street and kind of waste.'],
};

let explorer: Explorer;
beforeAll(async () => {
  const sql = [
    permitsTable('permits', 30_000),
    ...Object.keys(others).map((name) => `CREATE TABLE ${name} (id int PRIMARY KEY, name text);`),
  ];
  const permitsResource = {
    ...resource('permits'),
    title: 'Building permits',
    description: 'Applications for **building permits** since 2014, with their decision. Updated every night.',
    aliases: ['bauantraege'],
    columns: { permit_no: { info: { label: 'Permit no.', notes: 'As on the letter' } } },
  };
  const otherResources = Object.entries(others).map(([id, [title, description]]) => [
    id,
    { ...resource(id), title, description },
  ]);
  const resources = Object.fromEntries([
    ...otherResources.slice(0, 2),
    ['permits', permitsResource],
    ...otherResources.slice(2),
  ]);
  explorer = await serveExplorer('postgres', sql.join('\n'), { resources });
});
afterAll(() => explorer?.stop());

/** By default only those for the docs. `SCREENSHOTS` is another folder, and takes all of them. */
const folder = process.env.SCREENSHOTS ?? resolve(import.meta.dirname, '../../docs/pictures');
const large = { viewport: { width: 1280, height: 800 } };
const small = { viewport: { width: 390, height: 844 }, hasTouch: true };
const dark = { colorScheme: 'dark' } as const;
const list = '/datastore/explore';
const permits = '/datastore/explore/permits';

type Picture = readonly [name: string, path: string, options: BrowserContextOptions];
const pictures: readonly Picture[] = [
  ['explorer', `${permits}?filters={"status":"granted"}&sort=opened+desc&view=summary&by=kind,amount,opened`, large],
  ['explorer-list', list, large],
  [
    'explorer-api',
    `${permits}?q=heritage&filters={"kind":"roof","amount":{"gte":500}}&sort=amount+desc&view=api`,
    large,
  ],
  ['explorer-record', `${permits}?row={"id":12}`, { ...large, ...dark }],
  ['explorer-390', `${permits}?filters={"kind":"solar"}&sort=id`, small],
  ['explorer-summary-390', `${permits}?view=summary&by=kind,opened`, { ...small, ...dark }],
];
/** Not for the docs, only for reviewing the page. */
const more: readonly Picture[] = [
  ['list-dark', list, { ...large, ...dark }],
  ['list-390', list, small],
  ['table', permits, large],
  ['table-dark', permits, { ...large, ...dark }],
  ['summary-dark', `${permits}?view=summary&by=approved,kind,amount`, { ...large, ...dark }],
  ['record-390', `${permits}?row={"id":12}`, small],
  ['nothing', `${permits}?filters={"id":-1}`, large],
  ['unknown', '/datastore/explore/nowhere', large],
];

test.each(process.env.SCREENSHOTS === undefined ? pictures : [...pictures, ...more])(
  '%s',
  async (name, path, options) => {
    const { page, close } = await explorer.open(path, options);
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.getByText(/^(?:Loading|counting) …$/).count(), { timeout: 20_000 }).toBe(0);
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: resolve(folder, `${name}.png`), animations: 'disabled' });
    await close();
  },
);
