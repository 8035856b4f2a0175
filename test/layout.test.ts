import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));

/** file → what it imports: paths relative to `src`, or package names. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((m) => m[1] ?? '');
    return [file, found.map((f) => (f.startsWith('.') ? relative(src, resolve(src, dirname(file), f)) : f))] as const;
  }),
);
const local = (file: string) => (imports.get(file) ?? []).filter((f) => f.endsWith('.ts'));
const station = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : null);

/** Where stations are joined; everything else meets in the vocabulary: the files beside them. */
const joints = [
  'remember.ts',
  'recall.ts',
  'pipeline.ts',
  'passing.ts',
  'perform.ts',
  'dumping.ts',
  'resource.ts',
  'writer.ts',
  'site.ts',
  'main.ts',
  'setup/gateway.ts',
];
const isJoint = (file: string) => joints.includes(file) || file.startsWith('setup/commands/');
/** No effects, so no driver and no `node:*`. */
const isPure = (file: string) =>
  [
    'value.ts',
    'table.ts',
    'plan.ts',
    'rows.ts',
    'slices.ts',
    'catalog.ts',
    'call.ts',
    'errors.ts',
    'accept/route.ts',
    'accept/framing.ts',
    'accept/caller.ts',
    'accept/permit.ts',
    'cache/key.ts',
    'execute/listed.ts',
    'setup/settings.ts',
    'setup/readers.ts',
    'json.ts',
    'float32.ts',
    'python.ts',
    'short.ts',
    'nearest.ts',
    'slices.ts',
    'array-text.ts',
    'utf16.ts',
  ].includes(file) || /^(actions|dialects)\//.test(file);
const impure =
  /^(node:.*|pg|pg-.*|mysql2.*|@electric-sql\/.*|lru-cache|rate-limiter-flexible|http-proxy|pino|prom-client)$/;

test('stations do not import one another', () => {
  const wrong = files
    .filter((f) => !isJoint(f))
    .flatMap((f) =>
      local(f)
        .filter((to) => station(to) !== null && station(to) !== station(f))
        .map((to) => `${f} → ${to}`),
    );
  expect(wrong).toEqual([]);
});

test('only joints import joints', () => {
  const wrong = files
    .filter((f) => !isJoint(f))
    .flatMap((f) =>
      local(f)
        .filter(isJoint)
        .map((to) => `${f} → ${to}`),
    );
  expect(wrong).toEqual([]);
});

test('pure files have no effects', () => {
  const wrong = files.filter(isPure).flatMap((f) => {
    const packages = (imports.get(f) ?? []).filter(
      (i) => impure.test(i) || (i === 'knex' && !f.startsWith('dialects/')),
    );
    const effects = local(f).filter((to) => !isPure(to));
    return [...packages, ...effects].map((to) => `${f} → ${to}`);
  });
  expect(wrong).toEqual([]);
});

test('an action knows no SQL, a dialect knows no CKAN', () => {
  const sql = /\b(SELECT|INSERT INTO|DELETE FROM|UPDATE|ORDER BY)\b/;
  const ckan = /resource_id|datastore_|include_total|records_row/;
  const read = (f: string) => readFileSync(join(src, f), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  expect(files.filter((f) => f.startsWith('actions/') && sql.test(read(f)))).toEqual([]);
  expect(files.filter((f) => f.startsWith('dialects/') && ckan.test(read(f)))).toEqual([]);
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
