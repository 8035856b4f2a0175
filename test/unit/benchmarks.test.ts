/** The docs show the recorded results, README's figures come from a single run, and benchmarks record only when told to. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { chosenOf, enginesOf } from '../bench/benchmarks.ts';
import { ratioOf, report } from '../bench/report.ts';
import { expectGenerated, read, root } from '../support/docs/pages.ts';

const results = resolve(root, 'test/bench/results');
const recorded = readdirSync(results)
  .sort()
  .map((file) => ({ name: file.replace('.md', ''), text: read(resolve(results, file)) }));

/** The cells of a Markdown table, starting with its header. */
const cellsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));

/** The last line of a table: date, Node version, machine. */
const conditionsOf = (text: string) => text.trimEnd().split('\n').at(-1) ?? '';

const handler = 'a handler by hand: `node:http` and `pg`';
/** The rows in README: what is measured, what it is compared with, and the table and row with the figures. */
const figures = [
  ['a cached search of 100 records', 'bare `node:http` that sends the same bytes', 'cached', 'GET'],
  ['the same, not cached, on PostgreSQL', handler, 'uncached', 'postgres'],
  ['an upsert of one record, on PostgreSQL', handler, 'write', 'postgres'],
  ['a forwarded page of 15 kB', 'a proxy by hand: `node:http` alone', 'proxy', 'GET of 15 kB'],
] as const;
const recordReadme = 'RECORD=1 npm run bench cached uncached write proxy';

/** The results that somebody who chooses or configures a gateway needs; the page links the others. */
const onThePage = ['cached', 'uncached', 'write', 'write-many', 'dump', 'outside', 'peers', 'proxy'];

test('the docs show the results of the benchmarks as they were recorded (UPDATE=1 copies them)', () => {
  const shown = recorded.filter(({ name }) => onThePage.includes(name));
  expect(shown).toHaveLength(onThePage.length);
  const tables = shown.map(({ name, text }) => text.replace(/^# (.*)$/m, `**$1** (\`npm run bench ${name}\`)`));
  expectGenerated('measurements', tables.join('\n'));
});

test('the figures of README are those of the benchmarks (UPDATE=1 copies them)', () => {
  const all = new Set<string>();
  const rows = figures.map(([what, other, name, row]) => {
    const text = recorded.find((one) => one.name === name)?.text ?? '';
    const [, own, others, ratio] = cellsOf(text).find(([first]) => first === row) ?? [];
    if (ratio === undefined) throw new Error(`${name} has no row ${row}: ${recordReadme}`);
    all.add(conditionsOf(text));
    return `| ${what} | ${[own, others].map((figure) => Number(figure).toLocaleString('en')).join(` | ${other} | `)} | ${ratio} |`;
  });
  // Figures from different machines or days cannot be compared.
  expect([...all], `one run must record them all: ${recordReadme}`).toHaveLength(1);
  const header = ['| What | Gateway (1/s) | Compared with | (1/s) | Ratio |', '|---|---:|---|---:|---:|'];
  expectGenerated('figures', [`Measured on ${[...all].join()}`, '', ...header, ...rows, ''].join('\n'));
});

test('every result says its date, the version of Node and the machine', () => {
  const conditions = /^\d{4}-\d\d-\d\d, Node \d+\.\d+\.\d+, \d+ × \S.*, \d+ GiB, \w+\.$/;
  expect(recorded.filter(({ text }) => !conditions.test(conditionsOf(text)))).toEqual([]);
});

test('every ratio is the quotient of the two figures that are printed before it', () => {
  expect(ratioOf('40279', '48205')).toBe('0.84');
  const ratios = recorded.flatMap(({ name, text }) => {
    const [header = [], ...rows] = cellsOf(text);
    const at = header.findIndex((cell) => /^Ratio\b/.test(cell));
    return at === -1 ? [] : rows.map((cells) => ({ name, cells, ratio: cells[at] }));
  });
  expect(ratios.length).toBeGreaterThan(40);
  const wrong = ratios.filter(({ cells: [, own = '', other = ''], ratio }) => ratioOf(own, other) !== ratio);
  expect(wrong).toEqual([]);
});

test('a benchmark prints its table, and writes it only with RECORD=1', () => {
  const file = join(results, 'not-recorded.md');
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.stubEnv('RECORD', undefined);
  try {
    report('not-recorded', 'A title', ['Case', 'Gateway (1/s)'], [['GET', '1']]);
    expect(print.mock.calls.join()).toContain('| GET | 1 |');
    expect(existsSync(file)).toBe(false);
  } finally {
    rmSync(file, { force: true });
    vi.unstubAllEnvs();
    print.mockRestore();
  }
});

test('a benchmark starts only the servers that it needs', () => {
  expect(chosenOf(['run', '--config', 'x', 'cached'])).toEqual(['cached']);
  expect(chosenOf(['test/bench/write.bench.ts', 'proxy'])).toEqual(['proxy', 'write']);
  expect(enginesOf(['cached'])).toEqual(['postgres']);
  expect(enginesOf(['cached', 'write-workers'])).toEqual(['postgres', 'mariadb']);
  expect(enginesOf(chosenOf([]))).toEqual(['postgres', 'mariadb', 'mysql', 'mysql56']);
});

test('no benchmark gives Node flags that a user does not give', () => {
  const folder = resolve(root, 'test/bench');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:ts|mjs)$/.test(name),
  );
  const flags = /--[a-z-]*(?:semi-space|old-space|heap|budget)\b|setFlagsFromString|v8-options/;
  expect(sources.filter((name) => flags.test(read(resolve(folder, name))))).toEqual([]);
});
