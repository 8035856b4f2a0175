/** The explorer in a browser: its code examples, run by the programs that they are for. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { find, thisMachine } from '../support/servers/programs.ts';
import { openAs } from './explorer-form.ts';
import { type Explorer, openExplorer, rowsOf, token } from './explorer-world.ts';

const run = promisify(execFile);
let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer?.stop());

const permits = '/datastore/explore/permits';

describe('the code to copy finds what is on the screen', () => {
  const states = [
    ['permits', ''],
    [
      'permits',
      `?q=o'hara&filters={"kind":["roof","solar"],"amount":{"gte":500.10}}&sort=amount+desc&fields=id,amount`,
    ],
    ['digits', `?filters={"big":9007199254740993}`],
    ['digits', `?filters={"Ländername, it's":"Österreich"}`],
    ['digits', `?filters={"a.b?":"it's"}`],
    ['pairs', `?filters={"b":{"ne":"k3"}}&sort=b,a+desc`],
  ] as const;
  const programs: readonly (readonly [string, string, readonly string[]])[] = [
    ['curl', 'bash', ['-c']],
    ['Python', 'python3', ['-c']],
    ['JavaScript', process.execPath, ['--input-type=module', '-e']],
    ['R', 'Rscript', ['-e']],
    ['PowerShell', 'pwsh', ['-NoProfile', '-Command']],
  ];
  const there = programs.filter(([, program]) => program === process.execPath || find(program, thisMachine()) !== null);
  const missing = programs.filter((one) => !there.includes(one));
  test.skipIf(missing.length === 0)(
    `not run, because it is not installed: ${missing.map(([name]) => name).join(', ')}`,
    () => undefined,
  );

  const codeIn = async (page: Page, name: string) =>
    (await page.getByRole('region', { name, exact: true }).locator('pre code').textContent()) ?? '';

  /** The code example in a language for a state of the page, and the first values of its records. */
  const codeOf = async (page: Page, name: string, [id, query]: (typeof states)[number]) => {
    await page.goto(`${explorer.url}/datastore/explore/${id}${query}`);
    const shown = (await rowsOf(page, 100)).map(([first]) => first);
    await page.getByRole('link', { name: 'API' }).click();
    await page.getByRole('button', { name, exact: true }).click();
    return { code: await codeIn(page, name), shown };
  };

  test.each(there)('%s', async (name, program, args) => {
    const { page, close } = await explorer.open(permits);
    const folder = mkdtempSync(join(tmpdir(), 'gateway-code-'));
    for (const state of states) {
      const [id] = state;
      const { code, shown } = await codeOf(page, name, state);
      const { stdout } = await run(program, [...args, code], { env: { ...process.env, NO_COLOR: '1' } });
      // The JavaScript example rounds numbers in the answer, although its request is exact.
      const printed = (value = '') => (name === 'JavaScript' && /^\d+$/.test(value) ? String(Number(value)) : value);
      for (const value of shown.slice(0, 3)) expect(stdout, code).toContain(printed(value));
      await page.getByRole('button', { name: 'All records' }).click();
      const whole = await codeIn(page, name);
      const saved = await run(program, [...args, whole], { cwd: folder, maxBuffer: 50_000_000 });
      const file = name === 'JavaScript' ? saved.stdout : readFileSync(join(folder, 'records.csv'), 'utf8');
      const [, query = ''] = state;
      const dump = await fetch(`${explorer.url}/datastore/dump/${id}${query}${query === '' ? '?' : '&'}format=csv`);
      expect(file, whole).toBe(await dump.text());
    }
    rmSync(folder, { recursive: true });
    await close();
  });

  test.each(there)('%s: counts, and a write that is only tried', async (name, program, args) => {
    const { page, close } = await openAs(explorer, token, '/datastore/explore/scratch?view=api');
    await page.getByRole('button', { name, exact: true }).click();
    for (const [operation, says] of [
      ['Counts', 'item 7'],
      ['Write', 'upsert'],
    ] as const) {
      await page.getByRole('button', { name: operation, exact: true }).click();
      const code = await codeIn(page, name);
      const { stdout } = await run(program, [...args, code], { env: { ...process.env, NO_COLOR: '1', TOKEN: token } });
      expect(stdout, code).toContain(says);
    }
    await close();
  });

  test('PowerShell: what it would send, by its rules for single quotes', async () => {
    const { page, close } = await explorer.open(permits);
    for (const state of states) {
      const { code, shown } = await codeOf(page, 'PowerShell', state);
      const [body = '', url = '', type = ''] = [
        ...code.matchAll(/'((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)'/gu),
      ].map(([, text = '']) => text.replace(/(['\u2018-\u201b])\1/gu, '$1'));
      const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
      const text = await answer.text();
      for (const value of shown.slice(0, 3)) expect(text, code).toContain(value);
    }
    await close();
  });
});

test('parameters and an answer of real records, from the same description as the OpenAPI document', async () => {
  const { page, consoleLines, close } = await explorer.open(
    `${permits}?filters={"kind":"roof"}&fields=id,kind&view=api`,
  );
  const answer = page.getByRole('region', { name: 'Answer, shortened' });
  await answer.getByText('"kind": "roof"').first().waitFor();
  const parameter = (name: string) =>
    page.getByRole('table', { name: 'Parameters' }).getByRole('rowheader', { name: new RegExp(`^${name}\\b`) });
  await parameter('filters').waitFor();
  expect(await parameter('resource_id').locator('..').textContent()).toContain('permits');
  await page.getByRole('button', { name: 'Counts' }).click();
  await answer.getByText('"count"').first().waitFor();
  await parameter('measures').waitFor();
  await page.getByRole('button', { name: 'All records' }).click();
  await parameter('format').waitFor();
  expect(await answer.count()).toBe(0);
  const link = page.getByRole('link', { name: 'OpenAPI document' });
  const document = await (await fetch(new URL((await link.getAttribute('href')) ?? '', explorer.url))).text();
  expect(await link.locator('..').textContent()).toContain(`(${Math.round(document.length / 1000)} kB)`);
  // Writing is not offered to those who may not.
  expect(await page.getByRole('button', { name: 'Write', exact: true }).count()).toBe(0);
  expect(consoleLines).toEqual([]);
  // The answer of one call never stays below another one.
  await page.getByRole('button', { name: 'This page' }).click();
  await answer.getByText('"kind": "roof"').first().waitFor();
  await page.route('**/datastore_aggregate', (route) => route.abort());
  await page.getByRole('button', { name: 'Counts' }).click();
  await answer.waitFor({ state: 'detached' });
  await close();
});
