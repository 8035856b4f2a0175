/** How long users of the explorer wait, with a table of ten million records. No answer comes from the cache. */
import { loadavg } from 'node:os';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { columnOf, heapOf, scrollThrough } from '../clients/explorer-scroll.ts';
import { permits, permitsOfMariadb } from '../clients/explorer-tables.ts';
import { type Explorer, resource, rowsOf, serveExplorer } from '../clients/explorer-world.ts';
import { median, report } from './report.ts';

const records = Number(process.env.EXPLORER_ROWS ?? 10_000_000);
const scrolled = Math.min(Number(process.env.SCROLLED ?? 200_000), records - 1000);
const times = 5;
const address = '/datastore/explore/permits';

/** What is measured, the address (different each time, so that nothing is cached), and the limit in milliseconds. */
const questions: readonly (readonly [string, (nth: number) => string, number])[] = [
  ['order by an indexed column', (nth) => `?sort=opened${nth % 2 === 0 ? '' : '+desc'}`, 2500],
  ['filter by an indexed column', (nth) => `?filters={"kind":"${['roof', 'solar'][nth % 2]}"}`, 2500],
  [
    'three filters, one of them indexed',
    (nth) => `?filters={"kind":"fence","amount":{"gte":${500 + nth}},"approved":true}`,
    2500,
  ],
  ['a word that many records have', (nth) => `?q=${['heritage', 'okafor'][nth % 2]}&sort=id`, 2500],
  ['two words that many records have', (nth) => `?q=${['heritage', 'okafor'][nth % 2]}+visit&sort=id`, 2500],
];
const summaries: readonly (readonly [string, string])[] = [
  ['values of a column with seven', 'kind'],
  ['ranges of a number', 'amount'],
  ['ranges of a day', 'opened'],
  ['values of a column where each is another', 'permit_no'],
];

/** The results, by what was measured and by engine. */
const measured = new Map<string, Map<string, string>>();
const beyond: string[] = [];
function keep(what: string, engine: string, value: number, unit: string, most: number, note = ''): void {
  const label = `${what} (${unit}, at most ${most})`;
  const shown = `${value.toFixed(unit === 'MB' ? 1 : 0)}${note}`;
  measured.set(label, (measured.get(label) ?? new Map<string, string>()).set(engine, shown));
  if (value > most && note === '') beyond.push(`${engine}: ${label}: ${shown}`);
}

afterAll(() => {
  const engines = [...new Set([...measured.values()].flatMap((by) => [...by.keys()]))];
  const load = `load ${loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')}`;
  const title = `The explorer before ${records.toLocaleString('en')} records, nothing cached, ${load}`;
  const rows = [...measured].map(([what, by]) => [what, ...engines.map((engine) => by.get(engine) ?? '')]);
  report('explorer', title, ['Median', ...engines], rows);
});

test.each([
  ['postgres', permits('permits', records)],
  ['mariadb', permitsOfMariadb('permits', records)],
] as const)('%s', { timeout: 3_000_000 }, async (engine, sql) => {
  const columns = engine === 'mariadb' ? { columns: { approved: { boolean: true } } } : {};
  const resources = { permits: { ...resource('permits'), ...columns, cache: { ttl: 0 } } };
  const explorer = await serveExplorer(engine, sql, { resources, log: { requests: 'none' } });
  try {
    await opening(explorer, engine);
    await asking(explorer, engine);
    await summarizing(explorer, engine);
    await interacting(explorer, engine);
    await scrolling(explorer, engine);
  } finally {
    await explorer.stop();
  }
  expect(beyond.filter((one) => one.startsWith(engine))).toEqual([]);
});

/** A script that notes when the first records are on the screen. */
const lookout = `requestAnimationFrame(function look(now) {
  if (document.querySelector('td[data-row]') === null) requestAnimationFrame(look);
  else globalThis.shownAt = now;
})`;

async function opening(explorer: Explorer, engine: string): Promise<void> {
  const timings: (readonly [paint: number, shown: number])[] = [];
  for (let nth = 0; nth < times; nth++) {
    const context = await explorer.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
    const page = await context.newPage();
    await page.addInitScript(lookout);
    await page.goto(`${explorer.url}${address}`);
    await rowsOf(page);
    await expect.poll(() => page.evaluate('globalThis.shownAt ?? 0')).not.toBe(0);
    timings.push(
      await page.evaluate<[number, number]>(
        `[performance.getEntriesByName('first-contentful-paint')[0].startTime, shownAt]`,
      ),
    );
    await page.locator('.title [role=status]', { hasText: 'record' }).waitFor();
    await context.close();
  }
  keep('first contentful paint', engine, median(timings.map(([paint]) => paint)), 'ms', 800);
  keep('first records', engine, median(timings.map(([, shown]) => shown)), 'ms', 1500);
}

interface Asked {
  readonly took: number;
  readonly isRefused: boolean;
}

/** Milliseconds until the records or an error are shown, after a change of the address as by the Back button. */
function until(page: Page, query: string): Promise<Asked> {
  return page.evaluate<Asked>(`(async () => {
    const began = performance.now();
    const grid = document.querySelector('.grid');
    const isOld = () => grid.classList.contains('old');
    const alert = () => document.querySelector('.records [role=alert]');
    const wait = async (what, until) => {
      for (const limit = began + 60000; !until(); await new Promise((next) => setTimeout(next)))
        if (performance.now() > limit) throw new Error(what);
    };
    history.pushState(null, '', location.pathname + ${JSON.stringify(query)});
    dispatchEvent(new PopStateEvent('popstate'));
    await wait('nothing was asked', isOld);
    await wait('no answer', () => !isOld() || alert() !== null);
    const isRefused = alert() !== null;
    if (!isRefused) await new Promise(requestAnimationFrame);
    return { took: performance.now() - began, isRefused };
  })()`);
}

async function asking(explorer: Explorer, engine: string): Promise<void> {
  for (const [what, query, most] of questions) {
    const answers: Asked[] = [];
    for (let nth = 0; nth < times; nth++) {
      const { page, close } = await explorer.open(address);
      await rowsOf(page);
      answers.push(await until(page, query(nth)));
      await close();
    }
    const refused = answers.filter(({ isRefused }) => isRefused).length;
    const note = refused === 0 ? '' : `, refused ${refused} of ${times} times`;
    keep(what, engine, median(answers.map(({ took }) => took)), 'ms', most, note);
    if (refused > 0) beyond.push(`${engine}: ${what}: refused`);
  }
}

async function summarizing(explorer: Explorer, engine: string): Promise<void> {
  for (const [what, column] of summaries) {
    const durations: number[] = [];
    let isSampled = false;
    for (let nth = 0; nth < times; nth++) {
      const { page, close } = await explorer.open(address);
      await rowsOf(page);
      await page.getByRole('link', { name: 'Summary' }).click();
      const began = Date.now();
      await page.getByRole('button', { name: `Count this column: ${column}`, exact: true }).click();
      const card = page.getByRole('region', { name: column, exact: true });
      const byValue = column === 'permit_no';
      if (byValue) await card.getByRole('combobox', { name: 'By' }).selectOption({ label: 'value' });
      const counted = card.locator(byValue ? '.bars tr button' : '.bars tr button, .histogram');
      await counted.first().waitFor({ timeout: 60_000, state: 'attached' });
      durations.push(Date.now() - began);
      isSampled ||= (await card.locator('.sampled').count()) > 0;
      await close();
    }
    keep(what, engine, median(durations), 'ms', 2500, isSampled ? ', in a sample' : '');
  }
}

/** Sends key presses and clicks, and measures how long each of them blocks the page (Event Timing API). */
async function interacting(explorer: Explorer, engine: string): Promise<void> {
  const { page, close } = await explorer.open(address);
  await rowsOf(page);
  await page.evaluate(`{
    globalThis.durations = [];
    const note = (list) => durations.push(...list.getEntries().filter(({ interactionId }) => interactionId > 0).map(({ duration }) => duration));
    new PerformanceObserver(note).observe({ type: 'event', durationThreshold: 16 });
  }`);
  await page.locator('td[data-row="0"][data-column="0"]').click();
  const keys = [
    'ArrowDown',
    'ArrowRight',
    'PageDown',
    'PageDown',
    'ArrowUp',
    'End',
    'Home',
    'Enter',
    'ArrowDown',
    'Escape',
  ];
  const rounds = 10;
  for (let nth = 0; nth < rounds; nth++) {
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.locator('th', { hasText: 'kind' }).hover();
    await page.getByRole('button', { name: 'Menu of kind' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('heritage');
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.locator('td[data-row]').nth(30).click();
  }
  const done = rounds * (keys.length + 14);
  const longest = (await page.evaluate<number[]>('durations')).toSorted((a, b) => b - a);
  // Durations below the threshold are not reported.
  keep('98 of 100 keys and clicks', engine, longest[Math.floor(done * 0.02)] ?? 16, 'ms', 200);
  await close();
}

async function scrolling(explorer: Explorer, engine: string): Promise<void> {
  const { page, close } = await explorer.open(address);
  await rowsOf(page);
  const frames = await page.evaluate<number[]>(`(async () => {
    const grid = document.querySelector('.grid');
    const times = [];
    for (let nth = 0, last = await new Promise(requestAnimationFrame); nth < 180; nth++) {
      grid.scrollTop += 120;
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return times;
  })()`);
  keep('95 of 100 frames while scrolling', engine, frames.toSorted((a, b) => a - b)[170] ?? 0, 'ms', 60);
  const file = await columnOf(explorer.url, 'permits', 'id', scrolled + 1000);
  const before = await heapOf(page);
  const { seen } = await scrollThrough(page, scrolled, 200, file);
  expect(seen).toBeGreaterThan(scrolled / 10);
  keep(
    `heap after ${scrolled.toLocaleString('en')} rows down and back`,
    engine,
    ((await heapOf(page)) - before) / 1e6,
    'MB',
    20,
  );
  await close();
}
