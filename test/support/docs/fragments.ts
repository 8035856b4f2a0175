/** Loads the YAML blocks of the pages. A block is a whole configuration, or a part of one. */
import { isMap, parseDocument } from 'yaml';
import { formatComplaint } from '../../../src/config/complaints.ts';
import { loadSettings } from '../../../src/config/load.ts';

const minimal = {
  databases: { erp: { client: 'mysql', connection: 'mysql://app@127.0.0.1/erp' } },
  resources: { film: { database: 'erp', table: 'film' } },
};

/** The file name in the first line of a block, such as `# my.yaml`; null if the block is a part of a configuration. */
export const fileOf = (yaml: string): string | null => /^# ([\w-]+\.yaml)\n/.exec(yaml)?.[1] ?? null;

/**
 * The complaints of the configuration loader. A part of a configuration is completed with the database `erp` and a resource. Each `${NAME}` and
 * `${file:PATH}` gets a value that is valid as a password, a secret and a hash.
 */
export function complaintsOf(yaml: string): readonly string[] {
  const text = fileOf(yaml) === null ? completed(yaml) : yaml;
  const value = '0'.repeat(64);
  const names = [...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, value]);
  const loaded = loadSettings('page.yaml', Object.fromEntries(names), (path) => (path === 'page.yaml' ? text : value));
  return loaded.ok ? [] : loaded.complaints.map(formatComplaint);
}

function completed(yaml: string): string {
  const document = parseDocument(yaml);
  const has = (name: string) => isMap(document.contents) && document.contents.has(name);
  const missing = Object.entries(minimal).filter(([name]) => !has(name));
  return [yaml, ...missing.map(([name, value]) => `${name}: ${JSON.stringify(value)}`), ''].join('\n');
}
