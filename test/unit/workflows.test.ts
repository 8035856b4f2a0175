/** The workflows of `.github` fit the repository and have few rights. `test/clients/forge.client.ts` compares their form with the published schemas. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../support/docs/pages.ts';

const rights = z.record(z.string(), z.enum(['read', 'write']));
const job = z.object({
  permissions: rights.optional(),
  container: z.string().optional(),
  strategy: z.object({ matrix: z.object({ node: z.array(z.number()) }) }).optional(),
  needs: z.string().optional(),
  uses: z.string().optional(),
  steps: z
    .array(z.object({ uses: z.string().optional(), run: z.string().optional(), with: z.unknown().optional() }))
    .default([]),
});
const workflow = z.object({ permissions: rights, jobs: z.record(z.string(), job) });
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  ...workflow.parse(parse(readFileSync(join(folder, name), 'utf8'))),
}));
const jobs = workflows.flatMap(({ name, permissions, jobs: all }) =>
  Object.entries(all).map(([id, one]) => ({
    name: `${name} ${id}`,
    ...one,
    permissions: one.permissions ?? permissions,
  })),
);
const steps = jobs.flatMap((one) => one.steps);
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('only the jobs that publish may write, and only what they publish', () => {
  const writes = jobs.flatMap(({ name, permissions }) => {
    const written = Object.keys(permissions).filter((right) => permissions[right] === 'write');
    return written.length === 0 ? [] : [`${name}: ${written.join(', ')}`];
  });
  expect(writes).toEqual([
    'docs.yml publish: pages, id-token',
    'release.yml npm: id-token',
    'release.yml image: packages, id-token',
  ]);
  expect(steps.filter((step) => JSON.stringify(step).includes('secrets.'))).toEqual([]);
});

test('every action is pinned', () => {
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@(?:v\d+(?:\.\d+\.\d+)?|[\da-f]{40})$/.test(action))).toEqual([]);
});

test('the scripts that they run are there', () => {
  const commands = steps.flatMap(({ run }) => run ?? []);
  const scripts = commands.flatMap((line) =>
    [...line.matchAll(/npm (?:run )?(test\S*|check|docs)/g)].map(([, name]) => name),
  );
  expect(new Set(scripts)).toEqual(new Set(['check', 'test', 'test:rest', 'test:clients', 'docs']));
  expect(scripts.filter((name) => !Object.hasOwn(packageJson.scripts, name ?? ''))).toEqual([]);
});

test('they test from the oldest Node that the package takes, which is also that of the types', () => {
  const tested = jobs.flatMap(({ strategy }) => strategy?.matrix.node ?? []);
  const [, oldest] = /^>=(\d+)/.exec(packageJson.engines.node) ?? [];
  expect(tested).toEqual([20, 22, 24, 26]);
  expect(String(tested[0])).toBe(oldest);
  expect(packageJson.devDependencies['@types/node']).toMatch(new RegExp(`^\\^${oldest}\\.`));
});

test('a release publishes only what all tests have passed, and the site is uploaded from where it is built', () => {
  const needs = workflows.find(({ name }) => name === 'release.yml')?.jobs ?? {};
  expect(Object.entries(needs).map(([id, one]) => [id, one.needs ?? one.uses ?? null])).toEqual([
    ['version', null],
    ['ci', 'version'],
    ['npm', 'ci'],
    ['image', 'ci'],
  ]);
  expect(needs.ci?.uses).toBe('./.github/workflows/ci.yml');
  const upload = steps.find(({ uses }) => uses?.startsWith('actions/upload-pages-artifact@'));
  expect(upload?.with).toEqual({ path: 'docs/site/.vitepress/dist' });
});
