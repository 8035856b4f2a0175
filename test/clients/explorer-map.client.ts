/** The map of the explorer: points, cells, its list, and what it loads. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Explorer, type Opened, resource, serveExplorer, violations, waitForCount } from './explorer-world.ts';

const cities = [
  ['Berlin', 3_426_354, 13.41053, 52.52437],
  ['Hamburg', 1_973_896, 9.99302, 53.55073],
  ['Munich', 1_505_005, 11.57549, 48.13743],
  ['Dresden', 564_904, 13.73832, 51.05089],
  ['Warsaw', 1_702_139, 21.01178, 52.22977],
  ["O'Higgins", null, -57.9, -63.32],
] as const;
const sensors = 30_000;
const stations = 6000;

/** SQL for both engines. @param numbers makes a table `i` of numbers from 1 */
const tables = (double: string, numbers: (count: number) => string) => `
CREATE TABLE cities (id int PRIMARY KEY, name varchar(40), population int, longitude decimal(9,6), latitude decimal(9,6), founded_year int DEFAULT 1237);
INSERT INTO cities (id, name, population, longitude, latitude) VALUES ${cities.map(([name, people, x, y], nth) => `(${nth}, '${name.replace("'", "''")}', ${people}, ${x}, ${y})`).join(', ')}, (99, 'nowhere', 5, NULL, NULL), (98, 'wrong', 5, 500, 95);
CREATE TABLE sensors (id int PRIMARY KEY, lon decimal(9,6), lat decimal(9,6));
INSERT INTO sensors SELECT i, 5.5 + (i * 7919 % 1000) / 100.0, 47 + (i * 4729 % 800) / 100.0 FROM (${numbers(sensors)}) numbers;
CREATE TABLE stations (id int PRIMARY KEY, lon ${double}, lat ${double});
INSERT INTO stations SELECT i, i / 100.0, i / 200.0 FROM (${numbers(stations)}) numbers;
CREATE TABLE singles (id int PRIMARY KEY, lon float4, lat float4);
INSERT INTO singles SELECT id, lon, lat FROM stations;`;

const resources = {
  cities: { ...resource('cities'), title: 'Cities', columns: { population: { info: { label: 'Population' } } } },
  sensors: resource('sensors'),
  stations: resource('stations'),
  singles: resource('singles'),
  plain: { ...resource('cities'), columns: { longitude: { hidden: true } } },
};
const engines = {
  postgres: tables('float8', (count) => `SELECT n::int AS i FROM generate_series(1, ${count}) n`),
  mariadb: tables('double', (count) => `SELECT seq AS i FROM seq_1_to_${count}`),
} as const;

const inView = (page: Page) => page.locator('.places [role=status]');
const zoomIn = (page: Page) => page.getByRole('button', { name: 'Zoom in' }).click();
/** The calls of an action since a number of requests. */
const callsOf = ({ sent }: Opened, action: string, since = 0) =>
  sent.slice(since).filter(({ url }) => url.endsWith(action));

describe.each(['postgres', 'mariadb'] as const)('%s', (engine) => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await serveExplorer(engine, engines[engine], { resources });
  });
  afterAll(() => explorer?.stop());

  test('few records are points, and are read once: the list has those in view, and opens them', async () => {
    const opened = await explorer.open('/datastore/explore/cities');
    const { page, sent, consoleLines, close } = opened;
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    // Records without a place, and with an impossible one, are not on the map.
    await inView(page).getByText('6 records in view').waitFor();
    // A year is a name, not an amount, in the list and beside the point.
    await page.getByRole('combobox', { name: 'Size' }).selectOption('founded_year');
    await page.locator('.places li', { hasText: /^Berlin1237$/ }).waitFor();
    await page.getByRole('link', { name: 'Berlin' }).focus();
    await page.locator('.map-tip', { hasText: 'Berlinfounded_year: 1237' }).waitFor();
    await page.getByRole('combobox', { name: 'Size' }).selectOption('Population');
    await expect.poll(() => page.locator('.places li').first().textContent()).toBe('Berlin3,426,354');
    expect(new URL(page.url()).searchParams.get('size')).toBe('population');
    expect(await page.locator('.places li').last().textContent()).toBe("O'Higgins–");
    await explorer.exec("UPDATE cities SET population = population + 1 WHERE name = 'Berlin'");
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => page.locator('.places li').first().textContent()).toBe('Berlin3,426,355');
    const before = sent.length;
    await page.getByRole('link', { name: 'Berlin' }).focus();
    await page.locator('.map-tip', { hasText: 'Berlin' }).waitFor();
    await page.getByRole('application', { name: 'Map' }).focus();
    for (let step = 0; step < 6; step++) await page.keyboard.press('+');
    await expect.poll(() => inView(page).textContent()).not.toContain('6 records');
    await page.getByRole('button', { name: 'Show all' }).click();
    await inView(page).getByText('6 records in view').waitFor();
    expect(callsOf(opened, 'datastore_search', before)).toEqual([]);
    await page.getByRole('link', { name: 'Berlin' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Record' }).getByText('Berlin').first().waitFor();
    expect(new URL(page.url()).searchParams.get('row')).toBe('{"id":0}');
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('many records are cells, whose counts are those of the API; closer they are points', async () => {
    const opened = await explorer.open('/datastore/explore/sensors?view=map');
    const { page, sent, consoleLines, close } = opened;
    await inView(page).getByText('30,000 records in view').waitFor();
    const cells = page.locator('.places li button');
    await cells.first().waitFor();
    const asked = JSON.parse(callsOf(opened, 'datastore_aggregate').at(-1)?.body ?? '');
    expect(asked.groups).toEqual([
      { field: 'lon', width: expect.any(Number), as: 'west' },
      { field: 'lat', width: expect.any(Number), as: 'south' },
    ]);
    const { records, counted } = await explorer.result('datastore_aggregate', asked);
    const counts = Array.isArray(records) ? records.map(({ count }) => Number(count)) : [];
    expect([Number(counted), counts.reduce((sum, count) => sum + count, 0)]).toEqual([sensors, sensors]);
    expect(await page.locator('.places li .number').first().textContent()).toBe(String(counts[0]));
    await cells.first().click();
    await expect.poll(() => page.locator('.places li a').count()).toBeGreaterThan(0);
    const points = callsOf(opened, 'datastore_search').at(-1)?.body ?? '';
    expect(JSON.parse(points)).toMatchObject({
      filters: { lon: { gte: expect.any(Number), lte: expect.any(Number) }, lat: { gte: expect.any(Number) } },
      limit: 5000,
    });
    // Each move asks for what is in view then.
    const before = sent.length;
    const map = page.getByRole('application', { name: 'Map' });
    const box = await map.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 150, y + 60, { steps: 12 });
    await page.mouse.up();
    await expect.poll(() => callsOf(opened, 'datastore_search', before).length).toBe(2);
    expect(callsOf(opened, 'datastore_search', before).at(-1)?.body).not.toBe(points);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('what is in view becomes conditions, which find as many records', async () => {
    const { page, consoleLines, close } = await explorer.open('/datastore/explore/sensors?view=map');
    await inView(page).getByText('30,000 records in view').waitFor();
    expect(await page.getByRole('button', { name: 'Only what is in view' }).isDisabled()).toBe(true);
    for (let step = 0; step < 3; step++) await zoomIn(page);
    await expect.poll(() => page.locator('.places li a').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Only what is in view' }).click();
    const filters = JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '');
    expect(Object.keys(filters)).toEqual(['lon', 'lat']);
    const { total } = await explorer.result('datastore_search', { resource_id: 'sensors', filters, limit: 0 });
    expect(Number(total)).toBeLessThan(5000);
    await waitForCount(page, `${Number(total).toLocaleString('en')} records`);
    expect(await page.getByRole('button', { name: /^Remove the filter (?:lon|lat) / }).count()).toBe(4);
    await expect.poll(() => inView(page).textContent()).toMatch(/^[\d,]+ records in view$/);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('columns of single precision have no cells: the first records are points, and the page says so', async () => {
    const { page, consoleLines, close } = await explorer.open('/datastore/explore/singles?view=map');
    await inView(page).getByText('6,000 records in view').waitFor();
    await page.getByText('Only 5,000 of them are drawn.').waitFor();
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('columns of doubles have cells, too, whose counts are those of the API', async () => {
    const opened = await explorer.open('/datastore/explore/stations?view=map');
    const { page, consoleLines, close } = opened;
    await inView(page).getByText('6,000 records in view').waitFor();
    await page.locator('.places li button').first().waitFor();
    const asked = JSON.parse(callsOf(opened, 'datastore_aggregate').at(-1)?.body ?? '');
    const { counted } = await explorer.result('datastore_aggregate', asked);
    expect(Number(counted)).toBe(stations);
    expect(consoleLines).toEqual([]);
    await close();
  });
});

describe('the page', () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await serveExplorer('postgres', engines.postgres, { resources });
  });
  afterAll(() => explorer?.stop());

  test('a table without coordinates has no map', async () => {
    const { page, close } = await explorer.open('/datastore/explore/plain');
    await page.getByRole('link', { name: 'Data', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Map', exact: true }).count()).toBe(0);
    await close();
  });

  test('land comes from our own origin, the fine one only from a fourfold zoom', async () => {
    const { page, sent, consoleLines, close } = await explorer.open('/datastore/explore/cities?view=map');
    await inView(page).getByText('6 records in view').waitFor();
    const land = () => sent.filter(({ url }) => url.endsWith('.json')).map(({ url }) => url.replace(/.*\/|\..*/g, ''));
    await expect.poll(land).toEqual(['countries-110m']);
    for (let step = 0; step < 3; step++) await zoomIn(page);
    await expect.poll(land).toEqual(['countries-110m', 'countries-50m']);
    expect(sent.filter(({ url }) => !url.startsWith(new URL(explorer.url).origin))).toEqual([]);
    // The console has refusals of the Content-Security-Policy, too.
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('the position is in the address, which another browser opens there; Back leaves the map at once', async () => {
    const { page, consoleLines, close } = await explorer.open('/datastore/explore/cities');
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await inView(page).getByText('6 records in view').waitFor();
    for (let step = 0; step < 6; step++) await zoomIn(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toMatch(/^-?[\d.]+,-?[\d.]+,[\d.]+$/);
    const seen = await inView(page).textContent();
    const other = await explorer.open(`/datastore/explore/cities${new URL(page.url()).search}`);
    await expect.poll(() => inView(other.page).textContent()).toBe(seen);
    expect(seen).not.toBe('6 records in view');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?view=map');
    await page.goBack();
    await page.locator('.grid').waitFor();
    expect([consoleLines, other.consoleLines]).toEqual([[], []]);
    await other.close();
    await close();
  });

  test('a record with a place has a small map, which opens the large one there; one without has none', async () => {
    const { page, consoleLines, close } = await explorer.open('/datastore/explore/cities?row={"id":2}');
    const record = page.getByRole('region', { name: 'Record', exact: true });
    const small = record.getByRole('link', { name: 'Munich on the map' });
    await small.waitFor();
    const place = record.getByRole('link', { name: '48.13743° N, 11.57549° E' });
    expect(await place.getAttribute('href')).toBe(await small.getAttribute('href'));
    await place.click();
    await inView(page).getByText('record').first().waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe('11.57549,48.13743,5');
    await page.goto(`${explorer.url}/datastore/explore/cities?row={"id":98}`);
    await record.getByText('wrong').first().waitFor();
    expect(await record.locator('canvas').count()).toBe(0);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('a move that comes before an answer aborts its request', async () => {
    const { page, sent, consoleLines, close } = await explorer.open('/datastore/explore/sensors?view=map');
    await inView(page).getByText('30,000 records in view').waitFor();
    const aborted: string[] = [];
    page.on('requestfailed', (request) => aborted.push(request.failure()?.errorText ?? ''));
    await page.route('**/datastore_search', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await route.continue().catch(() => {});
    });
    const before = sent.length;
    await zoomIn(page);
    await expect.poll(() => sent.length).toBeGreaterThan(before);
    await zoomIn(page);
    await zoomIn(page);
    await expect.poll(() => page.locator('.places li a').count(), { timeout: 15_000 }).toBeGreaterThan(0);
    // The two last moves come within the time that the map must rest: they are one request.
    expect(aborted).toEqual(['net::ERR_ABORTED']);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('two fingers zoom, and one moves', async () => {
    const { page, consoleLines, close } = await explorer.open('/datastore/explore/sensors?view=map', {
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    await inView(page).getByText('30,000 records in view').waitFor();
    const box = await page.getByRole('application', { name: 'Map' }).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 150, (box?.y ?? 0) + 150];
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: readonly (readonly [number, number])[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
    await touch('touchStart', [x - 20, y], [x + 20, y]);
    for (let apart = 30; apart <= 120; apart += 15) await touch('touchMove', [x - apart, y], [x + apart, y]);
    await touch('touchEnd');
    await expect.poll(() => page.locator('.places li a').count()).toBeGreaterThan(0);
    const before = await inView(page).textContent();
    await touch('touchStart', [x, y]);
    for (let moved = 10; moved <= 120; moved += 10) await touch('touchMove', [x - moved, y + moved]);
    await touch('touchEnd');
    await expect.poll(() => inView(page).textContent()).not.toBe(before);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test.each([
    [1440, 'dark'],
    [390, 'light'],
    [320, 'dark'],
  ] as const)('axe finds nothing on a map of cells at %i px, %s', async (width, colorScheme) => {
    const { page, consoleLines, close } = await explorer.open('/datastore/explore/sensors?view=map', {
      ...{ viewport: { width, height: 800 }, colorScheme },
    });
    await page.locator('.places li').first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(consoleLines).toEqual([]);
    await close();
  });

  test('the map is below its budget, and so is the land', () => {
    const folder = resolve(import.meta.dirname, '../../dist/explorer/page');
    const names = readdirSync(folder);
    const size = (name: string) => readFileSync(join(folder, name)).length;
    const part = names.find(
      (name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes('map-canvas'),
    );
    expect(size(`${part}.gz`)).toBeLessThan(15_000);
    const [coarse = '', fine = ''] = names.filter((name) => name.endsWith('.json.gz'));
    expect(size(coarse)).toBeLessThan(38_000);
    expect(size(fine)).toBeLessThan(230_000);
  });
});

describe('with layers and tiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-layers-'));
  const tiles = { url: 'https://tiles.example.org/{z}/{x}/{y}.png', attribution: '© Example' };
  let explorer: Explorer;
  beforeAll(async () => {
    const file = join(folder, 'districts.geojson');
    const line = [cities[0], cities[1], cities[2]].map(([, , longitude, latitude]) => [longitude, latitude]);
    writeFileSync(file, JSON.stringify({ type: 'LineString', coordinates: line }));
    const map = { layers: [{ file, title: 'Districts' }], tiles };
    explorer = await serveExplorer('postgres', engines.postgres, { resources, explorer: { map } });
  });
  afterAll(async () => {
    await explorer?.stop();
    rmSync(folder, { recursive: true });
  });

  test('the page says where they come from, and asks only that host, which learns the site and not the address', async () => {
    const { page, sent, consoleLines, close } = await explorer.open('/datastore/explore/none');
    const referrers = new Set<string | undefined>();
    const image = readFileSync(resolve(import.meta.dirname, '../../docs/pictures/explorer.png'));
    await page.route('https://tiles.example.org/**', async (route) => {
      referrers.add((await route.request().allHeaders()).referer);
      await route.fulfill({ body: image, contentType: 'image/png' });
    });
    await page.goto(`${explorer.url}/datastore/explore/cities?view=map&at=13.4,52.5,11`);
    await page.getByText('Land: Natural Earth · Districts · © Example · images from tiles.example.org').waitFor();
    await expect.poll(() => referrers.size).toBe(1);
    expect([...referrers]).toEqual([`${new URL(explorer.url).origin}/`]);
    expect(sent.filter(({ url }) => /\/layer\.[0-9a-f]+\.json$/.test(url)).length).toBe(1);
    const foreign = consoleLines.filter((line) => !line.startsWith('a foreign request: https://tiles.example.org/11/'));
    expect(foreign.filter((line) => !line.includes('404'))).toEqual([]);
    await page.goto(`${explorer.url}/datastore/explore/cities?view=map`);
    await page.getByText('Land: Natural Earth · Districts', { exact: true }).waitFor();
    await close();
  });
});
