import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// npx makes a linked file executable only once; after a new build it would not be.
test('the built program can be run by its name', async () => {
  const main = resolve(import.meta.dirname, '../../dist/main.js');
  const { stdout } = await promisify(execFile)(main, ['token', 'create', 'etl']);
  expect(stdout).toContain('sha256');
});
