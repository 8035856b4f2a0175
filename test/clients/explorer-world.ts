import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { entry } from '../support/gateway.ts';
import { programAt } from '../support/program.ts';
import { freshDatabase, servers } from '../support/servers/engines.ts';
import { freePort } from '../support/servers/scope.ts';

/** May read and write everything. */
export const token = 'explorer-token';
/** May read everything, and write nothing. */
export const reader = 'explorer-reader';

/** A gateway with tables to look at, and a browser. */
export interface Explorer {
  readonly url: string;
  readonly browser: Browser;
  /** Runs SQL past the gateway. */
  exec(sql: string): Promise<void>;
  /** Opens a page of its own, whose storage nobody shares. */
  open(path: string, options?: BrowserContextOptions): Promise<Opened>;
  /** The `result` of a call of the API, its numbers as texts. */
  result(action: string, params: unknown): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

export interface Opened {
  readonly page: Page;
  /** What the console said, and every error of a script. */
  readonly said: readonly string[];
  /** The addresses of all requests, with the bytes of their answers as they were sent. */
  readonly sent: readonly Request[];
  close(): Promise<void>;
}

interface Request {
  readonly url: string;
  readonly method: string;
  readonly at: number;
  readonly body: string;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** PostgreSQL makes the tables by itself: a statement each, whatever the number of their records. */
export const permits = (table: string, count: number) => `
CREATE TABLE ${table} (id int PRIMARY KEY, permit_no bigint NOT NULL, kind varchar(20), status varchar(20), district varchar(40),
  opened date, decided timestamp, amount numeric(12,2), area float8, approved bool, applicant varchar(80), note text);
INSERT INTO ${table} SELECT i, 9007199254740993 + i * 2,
  (ARRAY['roof', 'facade', 'garage', 'solar', 'extension', 'demolition', 'fence'])[1 + (i % 5003) * (i % 11) % 7],
  (ARRAY['open', 'granted', 'granted', 'granted', 'refused'])[1 + i * 7 % 5],
  (ARRAY['Altstadt', 'Nordend', 'Westhafen', 'Sankt Georg', 'Am Wall', 'Hofgarten', 'Südstadt', 'Lindenau'])[1 + (i % 9973 * 13 + i / 7) % 8],
  date '2014-01-01' + (i % 9973 * 31 % 4200), timestamp '2014-02-01 08:00' + (i % 9973 * 37 % 4200) * interval '1 day' + (i % 600) * interval '1 minute',
  round((120 + 180000 * power((i::bigint * 7919 % 10007) / 10007.0, 4))::numeric, 2), round((i::bigint * 104729 % 100000 / 317.0)::numeric, 3),
  CASE WHEN i % 11 = 0 THEN NULL ELSE i % 3 <> 0 END,
  (ARRAY['Keller & Söhne', 'M. Okafor', 'Ana Duarte', 'Bauhof Nord GmbH', 'J. Lindqvist', 'Nguyễn Thị Hoa', 'Städtische Werke', 'O''Hara'])[1 + i % 9973 * 17 % 8],
  CASE WHEN i % 5 = 0 THEN NULL ELSE 'Site visit ' || (i % 90) || ' days after filing; '
    || (ARRAY['neighbours heard', 'heritage office asked', 'drawings complete', 'second review'])[1 + i % 4] END
FROM (SELECT n::int AS i FROM generate_series(1, ${count}) n) numbers;
CREATE INDEX ON ${table} (opened); CREATE INDEX ON ${table} (kind); ANALYZE ${table};`;

const tables = `${permits('permits', 30_000)}
CREATE TABLE digits (id bigint PRIMARY KEY, big bigint, exact numeric(65,30), real float8, "a.b?" text, "Ländername, it's" text, note text);
INSERT INTO digits VALUES
  (1, 9007199254740993, 12345678901234567890123456789012345.123456789012345678901234567890, '-0.0', 'x', 'Österreich', ''),
  (9007199254740995, -9223372036854775808, 0.000000000000000000000000000001, 'NaN', 'it''s', E'tab\\tnew\\nline', NULL),
  (3, 9223372036854775807, 1.5, 'Infinity', '10% _\\', 'trailing  ', '  ');
CREATE TABLE hostile (id int PRIMARY KEY, "<img src=x onerror=alert(1)>" text, "</script><script>alert(2)</script>" text, data bytea, doc jsonb);
INSERT INTO hostile VALUES
  (1, '<script>alert(3)</script>', 'javascript:alert(4)', '\\x0001ff', '{"<b>": ["</td>", 12345678901234567890.10]}'),
  (2, E'\\u202Etxt.exe', 'שלום', NULL, NULL), (3, E'\\x01\\x1b[31m', '👩‍👩‍👧', '\\x', 'null'), (4, repeat('<b>long</b> ', 200000), '', NULL, '""'),
  (5, 'x' || repeat(' ', 3000000) || 'y', repeat(E'\\x01', 100000), NULL, NULL);
CREATE TABLE wide (id int PRIMARY KEY, ${Array.from({ length: 300 }, (_, nth) => `column_${nth} int`).join(', ')});
INSERT INTO wide (id, column_0, column_299) SELECT i, i * 3, i * 7 FROM generate_series(1, 500) i;
CREATE TABLE plain (a text, b int); INSERT INTO plain SELECT 'row ' || i, i FROM generate_series(1, 350) i;
CREATE TABLE pairs (a int, b text, c text, PRIMARY KEY (a, b)); INSERT INTO pairs SELECT i, 'k' || i % 7, 'v' || i FROM generate_series(1, 260) i;
CREATE TABLE scratch (id serial PRIMARY KEY, name text NOT NULL, amount numeric(20,4), done bool);
INSERT INTO scratch (name, amount) SELECT 'item ' || i, i * 1.5 FROM generate_series(1, 20) i;`;

/**
 * Serves the built gateway before PostgreSQL, the engine of the page's own tests: it knows the others by the API alone, which the
 * suites of the API compare.
 */
export async function openExplorer(
  more: Record<string, unknown> = {},
  server: { readonly basePath?: string; readonly languages?: readonly string[] } = {},
): Promise<Explorer> {
  const engine = servers().find(({ client }) => client === 'postgres');
  if (engine === undefined) throw new Error('the tests of the explorer need PostgreSQL');
  const fresh = await freshDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-explorer-'));
  await fresh.exec(tables);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const open = { read: 'public', write: 'none' };
  const table = (name: string, access: Record<string, unknown> = open) => ({ database: 'db', table: name, access });
  const description = 'Applications for **building permits** since 2014, with their decision. Updated every night.';
  const file = join(folder, 'gateway.yaml');
  const configuration = {
    server: { port: await freePort(), title: 'Open data of Example City', basePath: '', ...server },
    databases: { db: entry(fresh) },
    resources: {
      permits: {
        ...table('permits'),
        title: 'Building permits',
        description,
        aliases: ['bauantraege'],
        columns: { permit_no: { info: { label: 'Permit no.', notes: 'As on the letter' } } },
      },
      digits: { ...table('digits'), title: 'Digits' },
      hostile: {
        ...table('hostile'),
        title: '<b onclick=alert(5)>Hostile</b>',
        description: '<img src=x onerror=alert(6)> [x](javascript:alert(7))',
      },
      wide: table('wide'),
      plain: { ...table('plain'), title: 'Without a key' },
      pairs: { ...table('pairs'), title: 'Two keys' },
      scratch: { ...table('scratch', { read: 'public', write: 'token' }), title: 'Scratch' },
      closed: { ...table('permits', { read: 'token', write: 'none' }), title: 'Closed permits' },
      hidden: {
        ...table('permits'),
        title: 'Some columns',
        columns: { applicant: { hidden: true }, note: { hidden: true } },
      },
    },
    tokens: [
      { name: 'ana', sha256: hash(token), read: ['*'], write: ['*'] },
      { name: 'rolf', sha256: hash(reader), read: ['*'] },
    ],
    log: { requests: 'all' },
    ...more,
  };
  writeFileSync(file, JSON.stringify(configuration));
  const running = await programAt(resolve(import.meta.dirname, '../../dist/main.js'), folder).serve(['serve', file]);
  const remove = async () => {
    await fresh.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  if ('code' in running) {
    await remove();
    throw new Error(running.stderr);
  }
  // Its own sandbox cannot be had by root, as in a container.
  const browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  const url = `${running.url}${configuration.server.basePath}`;
  return {
    url,
    browser,
    exec: async (sql) => void (await fresh.exec(sql)),
    open: (path, options) => openPage(browser, running.url, `${url}${path}`, options),
    async result(action, params) {
      const answer = await fetch(`${url}/api/3/action/${action}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: token },
        body: JSON.stringify(params),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return JSON.parse(text).result;
    },
    async stop() {
      await browser.close();
      const { code, stderr } = await running.stop();
      await remove();
      const errors = stderr.split('\n').filter((line) => /"level":(?:50|60)/.test(line));
      if (code !== 0 || errors.length > 0) throw new Error(`the gateway ended with ${code}\n${errors.join('\n')}`);
    },
  };
}

async function openPage(
  browser: Browser,
  origin: string,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const said: string[] = [];
  const sent: Request[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(String(error.stack)));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) said.push(`a foreign request: ${request.url()}`);
    sent.push({ url: request.url(), method: request.method(), at: Date.now(), body: request.postData() ?? '' });
  });
  await page.goto(address);
  return { page, said, sent, close: () => context.close() };
}

/** The cells of the first records on the screen, each with its whole text. */
export async function rowsOf(page: Page, most = 5): Promise<readonly (readonly string[])[]> {
  await page.locator('.grid:not(.old) tbody td[data-row]:not(:has(.wait))').first().waitFor();
  return page
    .locator('.grid tbody tr:not(.gap)')
    .evaluateAll(
      (rows, most) =>
        rows.slice(0, most).map((row) => [...row.querySelectorAll('td[data-row]')].map((cell) => cell.textContent)),
      most,
    );
}

/** Waits until the count in the head of the page has this text. */
export async function counted(page: Page, text: string): Promise<void> {
  await page.locator('.title [role=status]', { hasText: text }).waitFor();
}

/** What axe finds wrong on the page (WCAG 2.2 AA, and best practice). */
export async function violations(page: Page): Promise<readonly string[]> {
  // Evaluated through the protocol of the developer tools, which the page's policy does not stop.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`,
    awaitPromise: true,
    returnByValue: true,
  });
  const found: unknown = result.value;
  if (!Array.isArray(found)) throw new Error('axe did not run');
  return found.map(String);
}
