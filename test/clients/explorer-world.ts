import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { entry } from '../support/gateway.ts';
import { programAt } from '../support/program.ts';
import { freshDatabase, servers } from '../support/servers/engines.ts';
import { find, thisMachine } from '../support/servers/programs.ts';
import { freePort } from '../support/servers/scope.ts';
import { tables } from './explorer-tables.ts';
import { openUpstream } from './explorer-upstream.ts';

/** A token that may read and write everything. */
export const token = 'explorer-token';
/** A token that may only read. */
export const reader = 'explorer-reader';

/** A gateway with tables to explore, and a browser. */
export interface Explorer {
  /** The base URL of its pages and of its API. */
  readonly url: string;
  /** The key under which the tab stores the token; 'memory' if it is not stored. */
  readonly keeps: string;
  readonly browser: Browser;
  /** Runs SQL directly in the database. */
  exec(sql: string): Promise<void>;
  /** Opens a page with separate storage. */
  open(path: string, options?: BrowserContextOptions): Promise<Opened>;
  /** The `result` of a call; numbers become text. */
  result(action: string, params: unknown): Promise<Record<string, unknown>>;
  /** Replaces parts of the configuration by a reload. */
  reload(changed: Record<string, unknown>): Promise<void>;
  stop(): Promise<void>;
}

export interface Opened {
  readonly page: Page;
  /** Console output and script errors. */
  readonly consoleLines: readonly string[];
  /** The URLs of all requests, with the transferred bytes of their responses. */
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

/** The settings of a resource that everybody may read; the token of `ana` may write. */
export const resource = (table: string, access: Record<string, unknown> = { read: 'public', write: 'none' }) => ({
  ...{ database: 'db', table, access },
});

const resources = {
  permits: {
    ...resource('permits'),
    title: 'Building permits',
    description: 'Applications for **building permits** since 2014, with their decision. Updated every night.',
    aliases: ['bauantraege'],
    columns: { permit_no: { info: { label: 'Permit no.', notes: 'As on the letter' } } },
  },
  digits: { ...resource('digits'), title: 'Digits' },
  hostile: {
    ...resource('hostile'),
    title: '<b onclick=alert(5)>Hostile</b>',
    description: '<img src=x onerror=alert(6)> [x](javascript:alert(7))',
  },
  wide: resource('wide'),
  plain: { ...resource('plain'), title: 'Without a key' },
  pairs: { ...resource('pairs'), title: 'Two keys' },
  scratch: { ...resource('scratch', { read: 'public', write: 'token' }), title: 'Scratch' },
  closed: { ...resource('permits', { read: 'token', write: 'none' }), title: 'Closed permits' },
  hidden: {
    ...resource('permits'),
    title: 'Some columns',
    columns: { applicant: { hidden: true }, note: { hidden: true } },
  },
};

/** Serves the built gateway with PostgreSQL, as most tests of the page do: the page only uses the API, which is tested on all engines elsewhere. */
export function openExplorer(more: Record<string, unknown> = {}, place: Place = anywhere): Promise<Explorer> {
  return serveExplorer('postgres', tables, { resources, ...more }, place);
}

/** How the explorer is mounted. */
interface Place {
  readonly basePath?: string;
  readonly languages?: 'any' | readonly string[];
  /** The language segment of its addresses. */
  readonly segment?: string;
  /** Whether an upstream answers all other addresses. */
  readonly isBesideUpstream?: boolean;
}

const { EXPLORER_BASE } = process.env;
/** The place for tests that work anywhere: the root, or with EXPLORER_BASE the most complicated one. */
export const anywhere: Place =
  EXPLORER_BASE === undefined ? {} : { basePath: EXPLORER_BASE, segment: '/en', isBesideUpstream: true };

/** Serves the built gateway with a new database on an engine, and starts a browser. */
export async function serveExplorer(
  name: 'postgres' | 'mariadb',
  sql: string,
  more: Record<string, unknown>,
  { basePath = '', languages = 'any', segment = '', isBesideUpstream = false }: Place = anywhere,
  through: (url: string) => Promise<string> = async (url) => url,
): Promise<Explorer> {
  const engine = servers().find((one) => one.name === name);
  if (engine === undefined) throw new Error(`these tests of the explorer need ${name}`);
  const fresh = await freshDatabase(engine);
  const upstream = isBesideUpstream ? await openUpstream() : null;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-explorer-'));
  await fresh.exec(sql);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const file = join(folder, 'gateway.yaml');
  let configuration = {
    server: {
      ...{ port: await freePort(), title: 'Open data of Example City', basePath, languages },
      description: 'Everything that the city may publish.',
    },
    ...(upstream === null ? {} : { upstream: { url: upstream.url } }),
    databases: { db: { ...entry(fresh), connection: await through(fresh.url) } },
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
    upstream?.close();
    await fresh.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  if ('code' in running) {
    await remove();
    throw new Error(running.stderr);
  }
  // Chromium's sandbox is not available to root, as in a container.
  const browser = await chromium.launch({
    executablePath: find('chromium', thisMachine()) ?? 'chromium',
    args: ['--no-sandbox'],
  });
  const url = `${running.url}${basePath}${segment}`;
  const reloads = () => running.said().split('"msg":"reloaded"').length;
  return {
    url,
    keeps: upstream === null && more.upstream === undefined ? `token of ${basePath}/` : 'memory',
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
    async reload(changed) {
      const before = reloads();
      configuration = { ...configuration, ...changed };
      writeFileSync(file, JSON.stringify(configuration));
      process.kill(running.pid, 'SIGHUP');
      await expect.poll(reloads, { timeout: 10_000 }).toBeGreaterThan(before);
    },
    async stop() {
      await browser.close();
      const { code, stderr } = await running.stop();
      await remove();
      if ([token, reader].some((secret) => stderr.includes(secret))) throw new Error('a token is in the log');
      // Tests of failures cause 503s, which are logged as errors.
      const isError = (line: string) => /"level":(?:50|60)/.test(line) && !line.includes('"status":503');
      const errors = stderr.split('\n').filter(isError);
      const strays = upstream?.requestedPaths.filter((url) => /\/(?:api|datastore)\b/.test(url)) ?? [];
      if (strays.length > 0) throw new Error(`the upstream was asked for ${strays.join(', ')}`);
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
  const consoleLines: string[] = [];
  const sent: Request[] = [];
  page.on('console', (message) => consoleLines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => consoleLines.push(String(error.stack)));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) consoleLines.push(`a foreign request: ${request.url()}`);
    sent.push({ url: request.url(), method: request.method(), at: Date.now(), body: request.postData() ?? '' });
  });
  await page.goto(address);
  return { page, consoleLines, sent, close: () => context.close() };
}

/** The exact values of the first visible records; `no value` is NULL. */
export async function rowsOf(page: Page, most = 5): Promise<readonly (readonly string[])[]> {
  await page.locator('.grid:not(.old) tbody td[data-row]:not(:has(.wait))').first().waitFor();
  return page
    .locator('.grid tbody tr:not(.gap)')
    .evaluateAll(
      (rows, most) =>
        rows
          .slice(0, most)
          .map((row) =>
            [...row.querySelectorAll('td[data-row]')].map((cell) => cell.getAttribute('title') || cell.textContent),
          ),
      most,
    );
}

/** Waits until the count at the top of the page has this text, such as `20 records`; with a filter it also says of how many. */
export async function waitForCount(page: Page, text: string): Promise<void> {
  const [number = '', ...unit] = text.split(' ');
  const pattern = new RegExp(`${number.replaceAll('.', '\\.')} (?:(?:of|von) [\\d.,]+ )?${unit.join(' ')}`);
  await page.locator('.title [role=status]', { hasText: pattern }).waitFor();
}

/** What axe reports for the page (WCAG 2.2 AA, and best practices). */
export async function violations(page: Page): Promise<readonly string[]> {
  // Evaluated by the DevTools protocol, which the page's security policy does not block.
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
