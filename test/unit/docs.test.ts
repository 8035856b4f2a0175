/** The docs are complete: every setting, action and refusal is documented. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { dumpParameters } from '../../src/actions/datastore_dump.ts';
import { table } from '../../src/actions/describe.ts';
import * as actions from '../../src/actions/index.ts';
import { help, isCommand } from '../../src/commands/help.ts';
import { describeSettings } from '../../src/config/schema.ts';
import { kinds } from '../../src/model/errors.ts';
import { Metrics } from '../../src/watch/metrics.ts';
import { expectGenerated, pages, read, root } from '../support/docs/pages.ts';
import { triedClients } from '../support/tried-clients.ts';

const docs = pages.map(read).join('\n');
/** A name counts as documented only in code: in backticks, or in an indented or fenced block. */
const code = [...docs.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([block]) => block).join('\n');
const isNamed = (name: string) => new RegExp(`(?<![\\w-])${name.replace(/[.*[\]]/g, '\\$&')}(?![\\w-])`).test(code);

test('the table of settings is that of the code (UPDATE=1 writes it)', () => {
  const rows = describeSettings().map(({ path, default: preset, help, restart }) => {
    const cells = [`\`${path}\``, preset === '' ? '' : `\`${preset}\``, help.replaceAll('|', '\\|')];
    return `| ${cells.join(' | ')}${restart ? ' *(restart)*' : ''} |`;
  });
  expectGenerated('settings', ['| Setting | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n'));
});

test('the parameters of every action stand in the docs as the action describes them (UPDATE=1 writes them)', () => {
  const described = [...Object.values(actions), { name: 'datastore_dump', parameters: dumpParameters }];
  for (const { name, parameters } of described) expectGenerated(`parameters of ${name}`, `${table(parameters)}\n`);
});

test('the table of metrics is what /metrics says (UPDATE=1 writes it)', async () => {
  const levels = () => ({
    cache: { entries: 0, bytes: 0, maxBytes: 0 },
    pools: [],
    workers: 0,
    connections: 0,
    incomingBytes: 0,
    subscribers: 0,
    spoolBytes: 0,
    keyAges: new Map(),
  });
  const shown = await new Metrics({ levels, states: async () => ({}) }).show();
  const rows = shown
    .filter(({ name }) => name.startsWith('gateway_'))
    .map(({ name, help }) => `| \`${name}\` | ${help} |`)
    .join('\n');
  expectGenerated('metrics', `| Metric | |\n|---|---|\n${rows}\n`);
});

test('the table of clients has the versions that the tests install (UPDATE=1 writes it)', () => {
  const rows = triedClients.map(({ name, version, use }) => `| ${name} ${version} | ${use} |`);
  expectGenerated('clients', ['| Client | Tested with |', '|---|---|', ...rows, ''].join('\n'));
});

test('the page of the command line is what the program says (UPDATE=1 writes it)', () => {
  const program = 'datastore-gateway';
  const overview = help(program, undefined);
  const commands = [...overview.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name).filter(isCommand);
  expect(commands.length).toBeGreaterThan(5);
  const withOwnHelp = commands.filter((name) => help(program, name) !== overview);
  const parts = withOwnHelp.map((name) => `## ${name}\n\n\`\`\`text\n${help(program, name)}\n\`\`\``);
  expectGenerated('command line', `\`\`\`text\n${overview}\n\`\`\`\n\n${parts.join('\n\n')}\n`);
});

test('each setting has its line in one page, and so has each action', () => {
  const pagesWith = (text: string) =>
    pages.filter((page) => read(page).includes(text)).map((page) => relative(root, page));
  const wrong = (names: readonly string[], text: (name: string) => string, page: string) =>
    names.filter((name) => pagesWith(text(name)).join() !== page);
  const settings = describeSettings().map(({ path }) => path);
  expect(wrong(settings, (path) => `\n| \`${path}\` |`, 'docs/settings.md')).toEqual([]);
  // SQL and the catalogue have pages of their own.
  const { datastore_search_sql: sql, ...others } = actions;
  const ofCatalogue = Object.keys(others).filter((name) => /^(?:package|organization|group|license)_/.test(name));
  const parametersOf = (name: string) => `<!-- parameters of ${name} -->`;
  const usual = Object.keys(others).filter((name) => !ofCatalogue.includes(name));
  expect(wrong(usual, parametersOf, 'docs/api.md')).toEqual([]);
  expect(wrong([sql.name], parametersOf, 'docs/sql.md')).toEqual([]);
  expect(wrong(ofCatalogue, parametersOf, 'docs/catalogue.md')).toEqual([]);
});

test('the docs name only settings that exist', () => {
  const settingPaths = describeSettings().map(({ path }) => path);
  const cited = [
    ...docs.matchAll(
      /(?<![\w./-])(?:server|admin|upstream|limits|cache|log|cors|rateLimit)\.(?!md\b|ts\b)\w+(?![\w.])/g,
    ),
  ];
  const names = new Set(cited.map(([name]) => name));
  expect(names.size).toBeGreaterThan(30);
  // An example of the log contains a misspelt setting.
  expect(
    [...names].filter((name) => !settingPaths.includes(name) && !settingPaths.includes(`resources.*.${name}`)),
  ).toEqual(['server.prot']);
});

const ownPages = pages.filter((page) => relative(root, page).startsWith('docs'));

test('README is short and lists every page once, and no page is long', () => {
  const readme = resolve(root, 'README.md');
  const lines = (text: string) => text.split('\n').length - 1;
  expect(lines(read(readme))).toBeLessThanOrEqual(200);
  const names = pages.map((page) => relative(root, page)).filter((page) => page !== 'README.md');
  const [, list = ''] = read(readme).split('\n## All pages\n');
  expect(names.filter((page) => list.split(`](${page})`).length !== 2)).toEqual([]);
  const byHand = (page: string) => read(page).replace(/<!-- (?!end).+ -->\n[\s\S]*?<!-- end -->\n/g, '');
  const written = [...ownPages, resolve(root, 'CONTRIBUTING.md')];
  expect(written.filter((page) => lines(byHand(page)) > 200).map((page) => relative(root, page))).toEqual([]);
});

test('somebody can read all of the docs: they have 36,000 words at most, as wc counts them', () => {
  const words = [resolve(root, 'README.md'), ...ownPages].flatMap((page) => read(page).split(/\s+/).filter(Boolean));
  expect(words.length).toBeLessThanOrEqual(36_000);
});

test('the changelog begins with the version of the package', () => {
  const { version } = JSON.parse(read(resolve(root, 'package.json')));
  expect(/^## (\S+)/m.exec(read(resolve(root, 'CHANGELOG.md')))?.[1]).toBe(version);
});

test('the parts of a version in the changelog have the usual names, and an entry has two lines at most', () => {
  const [, ...versions] = read(resolve(root, 'CHANGELOG.md')).split(/^## /m);
  const parts = versions.flatMap((version) => version.split(/^### /m).slice(1));
  expect(parts.length).toBeGreaterThan(0);
  expect(parts.filter((part) => !/^(?:Added|Changed|Fixed|Removed)\n/.test(part))).toEqual([]);
  const entries = parts.flatMap((part) => part.split(/^- /m).slice(1));
  expect(entries.filter((entry) => entry.trim().split('\n').length > 2)).toEqual([]);
});

test('every link between the pages leads somewhere', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  const anchors = (text: string) => [
    ...[...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading)),
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
  ];
  const dead = pages.flatMap((page) =>
    [
      ...read(page)
        .replace(/```[\s\S]*?```/g, '')
        .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g),
    ].flatMap(([link, path = '', anchor]) => {
      const to = path === '' ? page : resolve(dirname(page), path);
      return existsSync(to) && (anchor === undefined || anchors(read(to)).includes(anchor)) ? [] : [`${page}: ${link}`];
    }),
  );
  expect(dead).toEqual([]);
});

test('the code cites only rules of CKAN and pages that exist', () => {
  const rules = read(resolve(root, 'docs/ckan-compatibility.md'));
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
      .map((name) => resolve(root, folder, name)),
  );
  // Comments are joined to one line, because a citation may be wrapped.
  const comments = (file: string) => read(file).replace(/\n\s*(?:\*|\/\/)\s?/g, ' ');
  const dead = files.flatMap((file) => [
    ...[...comments(file).matchAll(/\bcontract (\d+(?:\.\d+)?)/gi)]
      .filter(([, number]) => !new RegExp(`^#+ ${number} `, 'm').test(rules))
      .map(([cited]) => `${file}: ${cited}`),
    ...[...comments(file).matchAll(/\(docs\/[\w-]+\.md/g)]
      .filter(([page]) => !existsSync(resolve(root, page.slice(1))))
      .map(([cited]) => `${file}: ${cited}`),
    ...[...comments(file).matchAll(/\bdesign(?:,| part \d| \d)|\bstep \d/g)].map(([cited]) => `${file}: ${cited}`),
  ]);
  expect(dead).toEqual([]);
});

test('what the page of the architecture says to be in a file is there, and it has every folder of the code', () => {
  const page = read(resolve(root, 'docs/architecture.md'));
  const claims = [...page.matchAll(/((?:`[#\w]+`(?:,? and |, )?)+) in `([\w./-]+\.ts)`/g)].flatMap(
    ([, names = '', file = '']) => [...names.matchAll(/`([#\w]+)`/g)].map(([, name = '']) => ({ name, file })),
  );
  expect(claims.length).toBeGreaterThan(8);
  const source = (file: string) => read(resolve(root, 'src', file.replace(/^src\//, '')));
  expect(claims.filter(({ name, file }) => !new RegExp(`(?<![#\\w])${name}\\b`).test(source(file)))).toEqual([]);
  const folders = readdirSync(resolve(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !page.includes(`| \`src/${name}/\` |`))).toEqual([]);
});

test('no command of the docs runs a package of our name, which is not published yet and may belong to others', () => {
  const commands = [...docs.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  const programs = commands.flatMap(
    (line) => /\b(?:npx|npm (?:exec|install|i)|pnpm dlx|bunx) +([^\s-]\S*)/.exec(line)?.[1] ?? [],
  );
  expect(programs).toEqual(['openapi-typescript']);
  expect(commands.filter((line) => line.includes('node dist/main.js')).length).toBeGreaterThan(2);
});

test('the docs name every action', () => {
  expect(Object.keys(actions).filter((name) => !isNamed(name))).toEqual([]);
});

test('the docs name every kind of error: its status, and its type where it has one', () => {
  const missing = Object.entries(kinds).filter(
    ([, { status, type }]) =>
      !docs.split('\n').some((line) => line.includes(String(status)) && (type === null || line.includes(type))),
  );
  expect(missing.map(([kind, { status, type }]) => `${kind}: ${status} ${type ?? ''}`.trim())).toEqual([]);
});
