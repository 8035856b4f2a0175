/** Clients of CKAN's API in npm, as published. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeEnvironment } from '../support/node-environment.ts';
import { nodePackages } from '../support/tried-clients.ts';
import { names, resources, serving, token } from './served.ts';

const site = serving();
let folder: string;
beforeAll(async () => {
  folder = await nodeEnvironment(nodePackages);
});

describe.each(names())('on %s', (engine) => {
  const { open, closed, scratch } = resources(engine);

  test('ckan and @portaljs/ckan-api-client-js work unmodified', async () => {
    const script = join(import.meta.dirname, 'node_clients.mjs');
    const args = ['--no-deprecation', script, folder, site(), token, open, closed, scratch];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual({
      ckan: {
        found: 2,
        total: 2,
        first: 'Jones Creek',
        listed: true,
        refused: expect.stringContaining('HTTP code 404'),
      },
      portalJs: { found: 2, written: 1, refused: expect.stringContaining('nope') },
    });
  });
});
