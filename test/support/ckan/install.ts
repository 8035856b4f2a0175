import { join } from 'node:path';
import { pythonEnvironment } from '../python-environment.ts';

const requirements = { '2.12': 'requirements.txt', '2.11': 'requirements-2.11.txt' } as const;
const isOffline = (error: unknown) => /NewConnectionError|NameResolutionError|timed out|ProxyError/.test(String(error));

/**
 * Installs CKAN into a folder of `.cache`, once; 2.12 with the extensions that are tested with.
 * @returns the folder of programs for `startCkan`; null if the packages cannot be downloaded, so that only the tests with CKAN are skipped
 */
export async function installCkan(python: string, version: keyof typeof requirements = '2.12'): Promise<string | null> {
  try {
    const file = join(import.meta.dirname, requirements[version]);
    return await pythonEnvironment(python, file, version === '2.12' ? 'ckan' : `ckan-${version}`, ['--no-deps']);
  } catch (error) {
    if (!isOffline(error)) throw error;
    console.log('\nSKIPPED: the tests with CKAN, because its packages cannot be downloaded');
    return null;
  }
}
