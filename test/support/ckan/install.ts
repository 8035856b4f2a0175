import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pythonEnvironment } from '../python-environment.ts';

const requirements = { '2.12': 'requirements.txt', '2.11': 'requirements-2.11.txt' } as const;
const isOffline = (error: unknown) => /NewConnectionError|NameResolutionError|timed out|ProxyError/.test(String(error));

/**
 * Installs CKAN into a folder of `.cache`, once, and our extension; 2.12 also with the extensions of others.
 * @returns the folder of programs for `startCkan`; null if the packages cannot be downloaded, so that only the tests with CKAN are skipped
 */
export async function installCkan(python: string, version: keyof typeof requirements = '2.12'): Promise<string | null> {
  try {
    const file = join(import.meta.dirname, requirements[version]);
    const bin = await pythonEnvironment(python, file, version === '2.12' ? 'ckan' : `ckan-${version}`, ['--no-deps']);
    await installExtension(bin);
    return bin;
  } catch (error) {
    if (!isOffline(error)) throw error;
    console.log(`\nSKIPPED: the tests with CKAN ${version}, because its packages cannot be downloaded`);
    return null;
  }
}

/** Installs `integrations/ckan` as users do, from a copy, because a build leaves files next to the source. */
async function installExtension(bin: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ckan-extension-'));
  try {
    cpSync(resolve(import.meta.dirname, '../../../integrations/ckan'), folder, { recursive: true });
    const offline = [
      '--no-deps',
      '--no-build-isolation',
      '--no-index',
      '--force-reinstall',
      '--disable-pip-version-check',
    ];
    await promisify(execFile)(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', ...offline, folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
