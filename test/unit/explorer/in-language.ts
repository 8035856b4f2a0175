import { resolve } from 'node:path';
import { vi } from 'vitest';

/**
 * Loads a module of the explorer's page as a browser of this language would.
 * @param name its path in the page; not imported by its name, because the types of the page are those of browsers
 */
export async function inLanguage<Module>(language: string, name: string): Promise<Module> {
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('navigator', { languages: [language] });
  vi.stubGlobal('window', {});
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('top', globalThis);
  try {
    return await import(resolve(import.meta.dirname, '../../../src/explorer/page', name));
  } finally {
    vi.unstubAllGlobals();
  }
}
