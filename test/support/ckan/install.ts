import { join } from 'node:path';
import { pythonEnvironment } from '../python-environment.ts';

const requirements = join(import.meta.dirname, 'requirements.txt');
const isOffline = (error: unknown) => /NewConnectionError|NameResolutionError|timed out|ProxyError/.test(String(error));

/**
 * Installs CKAN into `.cache/ckan`, once.
 * @returns the folder of programs for `startCkan`; null if the packages cannot be downloaded, so that only the tests with CKAN are skipped
 */
export async function installCkan(python: string): Promise<string | null> {
  try {
    return await pythonEnvironment(python, requirements, 'ckan', ['--no-deps']);
  } catch (error) {
    if (!isOffline(error)) throw error;
    console.log('\nSKIPPED: the tests with CKAN, because its packages cannot be downloaded');
    return null;
  }
}
