/** The files that a forge, Docker Compose and editors read: the published schemas accept them, and the commands of the workflows do what they should. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/docs/fences.ts';

const run = promisify(execFile);
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => join(root, folder, name));
const forms = filesIn('.github/ISSUE_TEMPLATE').filter((file) => !file.endsWith('config.yml'));

test.each([
  ['vendor.github-workflows', filesIn('.github/workflows')],
  ['custom.github-workflows-require-timeout', filesIn('.github/workflows')],
  ['vendor.github-issue-forms', forms],
  ['vendor.github-issue-config', [join(root, '.github/ISSUE_TEMPLATE/config.yml')]],
  ['vendor.compose-spec', [join(root, 'config/compose/compose.yaml')]],
])('the schema %s accepts them', async (schema, files) => {
  expect(files.length).toBeGreaterThan(0);
  await run(join(inject('bin'), 'check-jsonschema'), ['--builtin-schema', schema, ...files]);
});

describe('release.yml', () => {
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lineOf = (job: string, word: string): string =>
    jobs[job].steps.flatMap((step: { run?: string }) => step.run ?? []).find((line: string) => line.includes(word));
  const shell = (line: string, env: Readonly<Record<string, string>>) =>
    run('bash', ['-e', '-c', line], { cwd: root, env: { ...process.env, ...env } }).then(
      ({ stdout }) => stdout,
      () => null,
    );

  test('takes only a tag that is the version of the package', async () => {
    const line = lineOf('version', 'GITHUB_REF_NAME');
    expect(await shell(line, { GITHUB_REF_NAME: `v${version}` })).toBe('');
    expect(await shell(line, { GITHUB_REF_NAME: 'v99.0.0' })).toBeNull();
  });

  test('names the repository in the package in the form that npm keeps', async () => {
    const line = lineOf('npm', 'npm pkg set').replace('npm pkg set', 'echo');
    const env = { GITHUB_SERVER_URL: 'https://forge.example', GITHUB_REPOSITORY: 'data/gateway' };
    expect(await shell(line, env)).toBe('repository=git+https://forge.example/data/gateway.git\n');
  });
});
