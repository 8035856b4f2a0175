import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedClients, serverClients } from '../../src/model/engines.ts';

const src = resolve(import.meta.dirname, '../../src');
/** The page of the explorer runs in browsers: it has a test of its own below. */
const page = 'explorer/page';
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (f) => f.endsWith('.ts') && !f.startsWith(`${page}/`),
);

/** Each layer may import only layers below it, and a folder none of its neighbours. */
const layers: readonly (readonly string[])[] = [
  ['main.ts'],
  ['workers'],
  ['commands'],
  ['pipeline'],
  ['app'],
  ['notices'],
  ['changes'],
  ['replicas'],
  ['tables'],
  ['servers'],
  [
    'accept',
    'actions',
    'advise',
    'cache',
    'config',
    'dialects',
    'execute',
    'explorer',
    'forward',
    'parse',
    'propose',
    'reply',
    'watch',
  ],
  ['metadata'],
  ['values'],
  ['model'],
];
/** Pure code: no `node:*`, no import of anything impure, and of the packages below only knex's builders. */
const pure: readonly string[] = [
  ...['actions/', 'advise/', 'dialects/', 'metadata/', 'propose/', 'values/', 'model/'],
  ...['accept/caller.ts', 'accept/form.ts', 'accept/logins/grants.ts', 'accept/permit.ts', 'accept/route.ts'],
  ...['accept/verdicts/credential.ts', 'accept/verdicts/questions.ts'],
  ...[
    'cache/buses/bus.ts',
    'cache/invalidation.ts',
    'config/caller-settings.ts',
    'config/database-settings.ts',
    'config/explorer-settings.ts',
    'config/identities.ts',
    'config/licences.ts',
    'config/limit-settings.ts',
    'config/metadata-settings.ts',
    'config/readers.ts',
    'config/resource-settings.ts',
    'config/server-settings.ts',
    'config/settings.ts',
    'explorer/shell.ts',
    'forward/target.ts',
    'parse/check-text.ts',
    'parse/tree/',
    'watch/text.ts',
  ],
];

/** Packages with side effects, and the only places that may import each of them. */
const homes: Readonly<Record<string, readonly string[]>> = {
  pg: ['execute/drivers/postgres/'],
  'pg-protocol': ['execute/drivers/postgres/'],
  mysql2: ['execute/drivers/mysql/'],
  '@electric-sql/pglite': ['execute/drivers/pglite.ts'],
  knex: ['dialects/knex.ts', 'execute/connection/', 'execute/drivers/pglite.ts'],
  jose: ['accept/logins/'],
  'libpg-query': ['parse/postgres-parser.ts'],
  'rate-limiter-flexible': ['accept/rates.ts'],
  'http-proxy': ['forward/web.ts', 'forward/websocket.ts'],
  '@clack/prompts': ['commands/ask.ts'],
  pino: ['watch/log.ts'],
  'sonic-boom': ['watch/log.ts'],
  'prom-client': ['watch/'],
  yaml: ['config/'],
  'hyparquet-writer': ['reply/formats/parquet/'],
  yazl: ['reply/formats/xlsx/'],
  zod: ['config/'],
};
/** Packages without side effects, which any file may import. */
const pureUse = ['lossless-json', 'lru-cache'];

/** File → its imports: paths relative to `src`, or package names. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const found = [...text.matchAll(/\b(?:from|import) '([^']+)'|\bimport\('([^']+)'\)/g)].map(
      (m) => m[1] ?? m[2] ?? '',
    );
    return [file, found.map((f) => (f.startsWith('.') ? relative(src, resolve(src, dirname(file), f)) : f))] as const;
  }),
);
const local = (file: string) => (imports.get(file) ?? []).filter((f) => f.endsWith('.ts'));
const folder = (file: string) => file.split('/')[0] ?? '';
const layer = (file: string) => layers.findIndex((of) => of.includes(folder(file)));
const isPure = (file: string) => pure.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place));
const wrongOf = (isWrong: (file: string, to: string) => boolean) =>
  files.flatMap((file) => local(file).flatMap((to) => (isWrong(file, to) ? [`${file} → ${to}`] : [])));

test('every file is in a layer, and imports only layers below its own', () => {
  expect(files.filter((file) => layer(file) === -1)).toEqual([]);
  expect(wrongOf((file, to) => folder(file) !== folder(to) && layer(file) >= layer(to))).toEqual([]);
});

/** `mysql2/promise` belongs to the package `mysql2`. */
const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

test('each package is imported in its own place only', () => {
  const external = files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter((name) => !name.endsWith('.ts') && !name.startsWith('node:'))
      .map((name) => [file, packageOf(name)] as const),
  );
  const wrong = external.filter(
    ([file, name]) => !pureUse.includes(name) && !homes[name]?.some((place) => file.startsWith(place)),
  );
  expect(wrong).toEqual([]);
  // Delete an entry here when no file uses it any more.
  const used = (name: string, place: string) => external.some(([file, of]) => of === name && file.startsWith(place));
  expect(Object.entries(homes).flatMap(([name, places]) => places.filter((place) => !used(name, place)))).toEqual([]);
});

/** What Node loads with a file: all files of ours, and the packages and modules of Node, each as `FILE → NAME`. */
function loadedWith(entry: string) {
  const loaded = new Set([entry]);
  const external: string[] = [];
  for (const file of loaded) {
    const text = readFileSync(join(src, file), 'utf8');
    // Types are not loaded at run time.
    for (const [, name = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'/gm)) {
      if (name.startsWith('.')) loaded.add(relative(src, resolve(src, dirname(file), name)));
      else external.push(`${file} → ${name}`);
    }
  }
  return { loaded, packages: external.filter((one) => !one.includes(' node:')), external };
}

test('the program begins without any package: each command loads its own', () => {
  const { loaded, packages } = loadedWith('main.ts');
  expect(loaded.size).toBeGreaterThan(10);
  expect(packages).toEqual([]);
});

test('a gateway starts without what only some configurations need, and without undici', () => {
  const { loaded, external } = loadedWith('commands/serve.ts');
  expect(loaded.size).toBeGreaterThan(300);
  const onDemand = ['jose', 'rate-limiter-flexible', 'http-proxy', 'pg', 'mysql2', 'libpg-query', 'hyparquet-writer'];
  const wrong = [...onDemand, 'node:http'].flatMap((name) => external.filter((one) => one.endsWith(` → ${name}`)));
  expect(wrong).toEqual([]);
});

test('pure files have no effects', () => {
  expect(pure.filter((place) => !files.some((file) => file.startsWith(place)))).toEqual([]);
  expect(wrongOf((file, to) => isPure(file) && !isPure(to))).toEqual([]);
  // Computing a hash has no side effects.
  const isHash = (file: string) =>
    /^import \{ hash \} from 'node:crypto';$/m.test(readFileSync(join(src, file), 'utf8'));
  const isAllowed = (file: string, name: string) =>
    !name.startsWith('node:') || (name === 'node:crypto' && isHash(file));
  const ofNode = files
    .filter(isPure)
    .flatMap((file) =>
      (imports.get(file) ?? []).filter((name) => !isAllowed(file, name)).map((name) => `${file} → ${name}`),
    );
  expect(ofNode).toEqual([]);
});

test('an action knows no SQL, a dialect knows no CKAN', () => {
  const sql = /\b(SELECT|INSERT INTO|DELETE FROM|UPDATE|ORDER BY)\b/;
  const ckan = /resource_id|datastore_|include_total|records_row/;
  const read = (f: string) => readFileSync(join(src, f), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  // The language of clients, whose words are in refusals and help: their SELECT is read, and nothing of it is printed.
  const ofClients = /^actions\/(?:sql\/|datastore_search_sql\.ts$|tools\.ts$)/;
  const ofActions = files.filter((f) => f.startsWith('actions/') && !ofClients.test(f));
  expect(ofActions.filter((f) => sql.test(read(f)))).toEqual([]);
  expect(files.filter((f) => f.startsWith('dialects/') && ckan.test(read(f)))).toEqual([]);
});

test('an engine is named only where it is defined', () => {
  const clientNames = new RegExp(`'(?:${[...serverClients, ...embeddedClients].join('|')})'`);
  const engineSpecificFiles = /^(?:dialects|execute\/drivers)\/|^model\/(?:engines|catalog)\.ts$/;
  expect(
    files.filter((f) => !engineSpecificFiles.test(f) && clientNames.test(readFileSync(join(src, f), 'utf8'))),
  ).toEqual([]);
});

test('permissions and filters of rows are made in one place each', () => {
  const makers = [
    [/\bas unknown as Granted\b/, ['accept/permit.ts']],
    [/\bnew RowFilter\b/, ['model/row-filter.ts', 'tables/row-rules.ts']],
    [/\bas unknown as Guarded\b/, ['model/row-filter.ts']],
  ] as const;
  for (const [made, places] of makers)
    expect(files.filter((file) => made.test(readFileSync(join(src, file), 'utf8'))).sort()).toEqual(places);
});

test('no module-level state', () => {
  const wrong = files.filter((f) =>
    /^(?:export )?(?:let|var) |^(?:export )?const [^=]*= new (?:Map|Set|WeakMap|WeakSet)\b(?:<[^;]*>)?\(\);/m.test(
      readFileSync(join(src, f), 'utf8'),
    ),
  );
  expect(wrong).toEqual([]);
});

test('no cycles', () => {
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    expect(path, 'a cycle').not.toContain(file);
    if (done.has(file)) return;
    for (const to of local(file)) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
});

/** The files of the page, and what each imports: paths relative to the page, or package names. */
const home = join(src, page);
const pageFiles = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const pageImports = (file: string) => {
  const text = readFileSync(join(home, file), 'utf8');
  const found = [...text.matchAll(/\b(?:from|import) '([^']+)'|\bimport\('([^']+)'\)/g)].map((m) => m[1] ?? m[2] ?? '');
  return found.map((name) => (name.startsWith('.') ? relative(home, resolve(home, dirname(file), name)) : name));
};

test('the explorer is a program of its own: it imports its own files, and packages that are bundled', () => {
  expect(pageFiles.length).toBeGreaterThan(20);
  const packages = new Set(['preact', 'd3-array', 'd3-time', 'marked']);
  const wrong = pageFiles.flatMap((file) =>
    pageImports(file)
      .filter((name) => !pageFiles.includes(name) && !packages.has(packageOf(name)) && !/^(?:land|sheet):/.test(name))
      .map((name) => `${file} → ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the parts of the explorer do not know one another: only `tabs/` and the files beside it compose them', () => {
  const shared: Readonly<Record<string, readonly string[]>> = {
    texts: ['ask'],
    ask: [],
    parts: ['ask', 'texts'],
    tabs: pageFiles.map((file) => dirname(file)).filter((name) => name !== '.'),
  };
  const mayImport = (name: string) => [name, ...(shared[name] ?? ['ask', 'parts', 'texts'])];
  const wrong = pageFiles
    .filter((file) => file.includes('/'))
    .flatMap((file) =>
      pageImports(file)
        .filter((to) => pageFiles.includes(to) && !mayImport(folder(file)).includes(folder(to)))
        .map((to) => `${file} → ${to}`),
    );
  expect(wrong).toEqual([]);
});

test('no file sets flags of V8: each version of Node has its own', () => {
  expect(files.filter((f) => /setFlagsFromString/.test(readFileSync(join(src, f), 'utf8')))).toEqual([]);
});
