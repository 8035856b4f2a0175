/** The clients that tests run against the gateway, with the versions of these runs: the table in docs/clients.md. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export interface TriedClient {
  readonly name: string;
  readonly version: string;
  /** How it reads or calls, in Markdown. */
  readonly use: string;
}

const requirements = readFileSync(resolve(import.meta.dirname, '../clients/requirements.txt'), 'utf8');

/** The version of a package of Python that the tests install. */
export function pythonVersion(name: string): string {
  const [, version] = new RegExp(`^${name}==(\\S+)$`, 'm').exec(requirements) ?? [];
  if (version === undefined) throw new Error(`${name} is not in requirements.txt`);
  return version;
}

/** Packages of npm that the tests install. */
export const nodePackages = { ckan: '0.2.3', '@portaljs/ckan-api-client-js': '1.4.0' } as const;

/** Programs of the machine, as Debian 12 has them. */
export const machinePrograms = { R: '4.2', PHP: '8.2', LibreOffice: '7.4' } as const;

const fromPython = (name: string, use: string, title = name): TriedClient => ({
  ...{ name: title, version: pythonVersion(name), use },
});

export const triedClients: readonly TriedClient[] = [
  fromPython('ckanapi', 'all actions'),
  { name: 'npm `ckan`', version: nodePackages.ckan, use: '`client.action(name, params)`' },
  {
    ...{ name: '`@portaljs/ckan-api-client-js`', version: nodePackages['@portaljs/ckan-api-client-js'] },
    use: '`CkanRequest.get` and `post`',
  },
  fromPython('pandas', '`read_csv(URL)`'),
  fromPython('polars', '`read_csv(urlopen(URL))`'),
  fromPython('frictionless', '`Resource(URL, format="csv")`'),
  fromPython('duckdb', 'csv, parquet, downloaded', 'DuckDB'),
  fromPython('pyarrow', 'csv, parquet, downloaded'),
  { name: 'R', version: machinePrograms.R, use: '`read.csv(URL)`, readr' },
  { name: 'PHP', version: machinePrograms.PHP, use: '`fgetcsv`' },
  fromPython('pyogrio', '`CSV:/vsicurl_streaming/URL`, geojson', 'GDAL, as QGIS reads, by pyogrio'),
  fromPython('openpyxl', 'xlsx'),
  fromPython('python-calamine', 'xlsx', 'calamine'),
  { name: 'LibreOffice', version: machinePrograms.LibreOffice, use: 'xlsx' },
];
