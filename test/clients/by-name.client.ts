import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// npx gives what it links the right to be run the first time only: a folder that was built anew would have none.
test('what was built can be run by its name', async () => {
  const main = resolve(import.meta.dirname, '../../dist/main.js');
  const { stdout } = await promisify(execFile)(main, ['token', 'create', 'etl']);
  expect(stdout).toContain('sha256');
});
