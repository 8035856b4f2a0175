/** ckanapi, the Python client of CKAN: the library by POST and GET, and its command line, on every engine. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { names, serving, token } from './served.ts';

const site = serving();

test('ckanapi works unmodified', { timeout: 300_000 }, async () => {
  const env = {
    // The command line runs itself by name, so it must be in PATH.
    ...{ PATH: `${inject('bin')}:${process.env.PATH}`, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
    ...{ GATEWAY_URL: site(), GATEWAY_TOKEN: token, ENGINES: names().join(',') },
  };
  const args = ['-v', '-p', 'no:cacheprovider', join(import.meta.dirname, 'test_ckanapi.py')];
  const output = await new Promise<string>((done) => {
    execFile(join(inject('bin'), 'pytest'), args, { env }, (_, stdout, stderr) => done(stdout + stderr));
  });
  console.log(output);
  expect(output).toMatch(/^=+ \d+ passed in /m);
});
