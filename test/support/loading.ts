import { formatComplaint } from '../../src/config/complaints.ts';
import { type Environment, type LoadResult, loadSettings } from '../../src/config/load.ts';

/** Loads YAML as the file `/my.yaml`. Other files come from `files`, by absolute path. */
export function load(yaml: string, env: Environment = {}, files: Readonly<Record<string, string>> = {}): LoadResult {
  return loadSettings('/my.yaml', env, (path) => {
    const text = path === '/my.yaml' ? yaml : files[path];
    if (text === undefined) throw new Error(`ENOENT: ${path}`);
    return text;
  });
}

/** The complaints as lines; empty if there are none. */
export function complaints(yaml: string, env: Environment = {}, files: Readonly<Record<string, string>> = {}) {
  const loaded = load(yaml, env, files);
  return loaded.ok ? [] : loaded.complaints.map(formatComplaint);
}

/** The settings. Throws the complaints. */
export function settings(yaml: string, env: Environment = {}, files: Readonly<Record<string, string>> = {}) {
  const loaded = load(yaml, env, files);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  return loaded.settings;
}

/** The smallest valid configuration. */
export const minimalYaml = `
databases: { demo: { client: pglite } }
resources: { films: { database: demo, table: film } }
`;
