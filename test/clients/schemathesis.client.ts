/** Schemathesis: thousands of valid and invalid calls, generated from the OpenAPI document; each answer is checked against it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { servers } from '../support/servers/engines.ts';
import { names, type Served, serveAll, tokenEntry } from './served.ts';

/** A scratch table on every engine, and one with few columns, because limits are tested in all combinations. */
function configuration(): Record<string, unknown> {
  // A server: PGlite takes three times as long, and gets the calls of the first test.
  const [server = ''] = servers().map(({ name }) => name);
  const table = (database: string) => ({ database, table: 'scratch', access: { read: 'token', write: 'token' } });
  const scratch = Object.fromEntries(names().map((name) => [`scratch_${name}`, table(name)]));
  const limits = { ...table(server), expose: 'listed', columns: { title: {}, year: {} } };
  return {
    resources: { ...scratch, limits },
    // The OpenAPI document contains only the resources that the caller may read.
    tokens: [tokenEntry('fuzz', Object.keys(scratch)), tokenEntry('limits', ['limits'])],
  };
}

/** For each action and engine. The calls are the same each time, so more of them would take longer and find nothing new. */
const examples = Number(process.env.FUZZ_CASES ?? 30);

let served: Served;
let folder: string;
beforeAll(async () => {
  served = await serveAll(configuration());
  folder = mkdtempSync(join(tmpdir(), 'gateway-schemathesis-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await served?.stop();
});

/**
 * The checks for each answer. Invalid calls are not among them, because CKAN accepts some: it takes `"limit": "5"`, and answers some GETs with a 400
 * that explains what to do instead.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
].join();

/** Runs a phase over the document at an address or in a file, with the same calls each time. Returns the status of every answer. */
async function schemathesis(document: string, token: string, phase: readonly string[]): Promise<readonly number[]> {
  const har = join(folder, 'calls.json');
  const fixed = ['--generation-deterministic', '--continue-on-failure', '--no-color', '--report-har-path', har];
  const args = [
    'run',
    document,
    '--url',
    served.url,
    '-H',
    `Authorization: ${token}`,
    '--checks',
    checks,
    // A single worker: Python 3.11 counts the depth of a syntax tree for all threads together, so two that parse at once may fail with "AST
    // constructor recursion depth mismatch" (https://github.com/python/cpython/issues/106905).
    '-w',
    '1',
    // Its response never ends; test/e2e/changes tests this action.
    '--exclude-path',
    '/api/3/action/datastore_changes',
  ];
  const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: folder };
  const [code, said] = await new Promise<readonly [unknown, string]>((done) => {
    const how = { env, cwd: folder, maxBuffer: 1e9 };
    execFile(join(inject('bin'), 'st'), [...args, ...fixed, ...phase], how, (error, stdout, stderr) =>
      done([error?.code ?? 0, stdout + stderr]),
    );
  });
  const statuses = answered(har);
  const counts = [...new Set(statuses)].sort().map((status) => `${count(statuses, status)} × ${status}`);
  console.log(`${said}\n${statuses.length} calls: ${counts.join(', ')}`);
  expect(code).toBe(0);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  return statuses;
}

function answered(har: string): readonly number[] {
  const parsed: Har = JSON.parse(readFileSync(har, 'utf8'));
  return parsed.log.entries.map(({ response }) => response.status);
}
interface Har {
  readonly log: { readonly entries: readonly { readonly response: { readonly status: number } }[] };
}
const count = (statuses: readonly number[], status: number) => statuses.filter((other) => other === status).length;

test('no random call meets a 500 or an answer that the document does not describe', {
  timeout: 1_200_000,
}, async () => {
  const phase = ['--phases', 'examples,fuzzing', '-n', String(examples)];
  const statuses = await schemathesis(`${served.url}/api/openapi.json`, 'fuzz', phase);
  expect(statuses.length).toBeGreaterThanOrEqual(9 * examples);
  expect(count(statuses, 200) / statuses.length).toBeGreaterThanOrEqual(0.3);
});

const aggregate = '/api/3/action/datastore_aggregate';
/**
 * datastore_aggregate refuses `by` beside the parameters of measures. The phase starts from a call with every parameter, so each form is tested by a
 * document without the parameters of the other.
 */
const forms = [
  { form: 'measures', left: ['by'], only: [], least: 5000 },
  {
    ...{ form: 'counts', left: ['measures', 'groups', 'having', 'offset', 'include_filters'] },
    ...{ only: ['--include-path', aggregate], least: 1000 },
  },
];

test.each(forms)(
  'nor does a call at the limits of each of its values, with $form in groups',
  {
    timeout: 1_200_000,
  },
  async ({ left, only, least }) => {
    const document = await documentWithout(left);
    const statuses = await schemathesis(document, 'limits', ['--phases', 'coverage', ...only]);
    expect(count(statuses, 200)).toBeGreaterThanOrEqual(least);
  },
);

/** Writes the OpenAPI document without some parameters of datastore_aggregate. Returns the file's path. */
async function documentWithout(left: readonly string[]): Promise<string> {
  const response = await fetch(`${served.url}/api/openapi.json`, { headers: { Authorization: 'limits' } });
  const document: Document = JSON.parse(await response.text());
  const { get, post } = document.paths[aggregate];
  const { properties } = document.components.schemas['limits.datastore_aggregate'];
  get.parameters = get.parameters.filter(({ name }) => !left.includes(name));
  for (const name of left) delete properties[name];
  // They are calls with `by`.
  delete post.requestBody.content['application/json'].examples;
  const file = join(folder, `without-${left[0]}.json`);
  writeFileSync(file, JSON.stringify(document));
  return file;
}
interface Document {
  readonly paths: {
    readonly [aggregate]: {
      readonly get: { parameters: readonly { readonly name: string }[] };
      readonly post: { readonly requestBody: { readonly content: { 'application/json': { examples?: unknown } } } };
    };
  };
  readonly components: {
    readonly schemas: { readonly 'limits.datastore_aggregate': { readonly properties: Record<string, unknown> } };
  };
}
