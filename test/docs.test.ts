/** README is complete: what can be set, called or refused stands in it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { dumpParameters } from '../src/actions/datastore_dump.ts';
import { table } from '../src/actions/describe.ts';
import * as actions from '../src/actions/index.ts';
import { describeSettings } from '../src/config/schema.ts';
import { kinds } from '../src/model/errors.ts';
import { Metrics } from '../src/watch/metrics.ts';

const file = resolve(import.meta.dirname, '../README.md');
const readme = readFileSync(file, 'utf8');
/** A name counts where it stands as code: in backticks, or in an indented or fenced block. */
const code = [...readme.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([block]) => block).join('\n');
const named = (name: string) => new RegExp(`(?<![\\w-])${name.replace(/[.*[\]]/g, '\\$&')}(?![\\w-])`).test(code);

test('the table of settings in README is what the settings say (UPDATE=1 writes it)', () => {
  const rows = describeSettings().map(({ path, default: preset, help, restart }) => {
    const cells = [`\`${path}\``, preset === '' ? '' : `\`${preset}\``, help.replaceAll('|', '\\|')];
    return `| ${cells.join(' | ')}${restart ? ' *(restart)*' : ''} |`;
  });
  const block = /(<!-- settings -->\n)[\s\S]*?(<!-- end -->)/;
  const table = ['| Setting | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(block);
  const written = text.replace(block, (_, head, tail) => `${head}${table}${tail}`);
  if (process.env.UPDATE === '1') writeFileSync(file, written);
  expect(readFileSync(file, 'utf8')).toBe(written);
});

test('the parameters of every action stand in README as the action describes them (UPDATE=1 writes them)', () => {
  const blocks = /(<!-- parameters of (\w+) -->\n)[\s\S]*?(<!-- end -->)/g;
  const described = [...Object.values(actions), { name: 'datastore_dump', parameters: dumpParameters }];
  expect([...readme.matchAll(blocks)].map(([, , name]) => name).sort()).toEqual(
    described.map(({ name }) => name).sort(),
  );
  const written = readFileSync(file, 'utf8').replace(blocks, (_, head, name, tail) => {
    const { parameters } = described.find((action) => action.name === name) ?? { parameters: [] };
    return `${head}${table(parameters)}\n${tail}`;
  });
  if (process.env.UPDATE === '1') writeFileSync(file, written);
  expect(readFileSync(file, 'utf8')).toBe(written);
});

test('the table of metrics in README is what /metrics says (UPDATE=1 writes it)', async () => {
  const levels = () => ({
    cache: { entries: 0, bytes: 0, maxBytes: 0 },
    pools: [],
    workers: 0,
    connections: 0,
    incomingBytes: 0,
  });
  const shown = await new Metrics({ levels, states: async () => ({}) }).show();
  const rows = shown
    .filter(({ name }) => name.startsWith('gateway_'))
    .map(({ name, help }) => `| \`${name}\` | ${help} |`)
    .join('\n');
  const text = readFileSync(file, 'utf8');
  const table = `| Metric | |\n|---|---|\n${rows}\n`;
  const written = text.replace(
    /(<!-- metrics -->\n)[\s\S]*?(<!-- end -->)/,
    (_, head, tail) => `${head}${table}${tail}`,
  );
  expect(written).toContain(rows);
  if (process.env.UPDATE === '1') writeFileSync(file, written);
  expect(readFileSync(file, 'utf8')).toBe(written);
});

test('what was measured stands in README as the benchmarks have written it (UPDATE=1 copies it)', () => {
  const folder = resolve(import.meta.dirname, 'bench/results');
  const tables = readdirSync(folder)
    .sort()
    .map((name) => {
      const command = `\`npm run bench ${name.replace('.md', '')}\``;
      return readFileSync(resolve(folder, name), 'utf8').replace(/^# (.*)$/m, `**$1** (${command})`);
    });
  const text = readFileSync(file, 'utf8');
  const block = /(<!-- measurements -->\n)[\s\S]*?(<!-- end -->)/;
  expect(text).toMatch(block);
  const written = text.replace(block, (_, head, tail) => `${head}${tables.join('\n')}${tail}`);
  if (process.env.UPDATE === '1') writeFileSync(file, written);
  expect(readFileSync(file, 'utf8')).toBe(written);
});

test("no command of README runs a package of our name, which is not published yet and may be a stranger's", () => {
  const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  const programs = commands.flatMap(
    (line) => /\b(?:npx|npm (?:exec|install|i)|pnpm dlx|bunx) +([^\s-]\S*)/.exec(line)?.[1] ?? [],
  );
  expect(programs).toEqual(['openapi-typescript']);
  expect(commands.filter((line) => line.includes('node dist/main.js')).length).toBeGreaterThan(2);
});

test('README names every action', () => {
  expect(Object.keys(actions).filter((name) => !named(name))).toEqual([]);
});

test('README names every kind of error: its status, and its type where it has one', () => {
  const missing = Object.entries(kinds).filter(
    ([, { status, type }]) =>
      !readme.split('\n').some((line) => line.includes(String(status)) && (type === null || line.includes(type))),
  );
  expect(missing.map(([kind, { status, type }]) => `${kind}: ${status} ${type ?? ''}`.trim())).toEqual([]);
});
