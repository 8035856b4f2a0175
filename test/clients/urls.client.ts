/** Programs for tables read downloads by URL, as the docs say, and see the values of the database. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { find, thisMachine } from '../support/servers/programs.ts';
import { machinePrograms, pythonVersion } from '../support/tried-clients.ts';
import { names, resources, serving } from './served.ts';

const run = promisify(execFile);
const site = serving();

const urlOf = (engine: string) => `${site()}/datastore/dump/${resources(engine).open}`;
const rows = [
  ['1', 'Jones Creek', '1999', '2.5', '1999-12-31', '9007199254740993'],
  ['2', 'Jones & Smith = 1+1', '2001', null, null, '2'],
  ['3', 'Größer als 50%', '2012', '1E+1', '2012-02-29', null],
  ['4', 'O\'Hara "quoted"', null, '0.05', '2020-01-01', '-1'],
];
const pythonPrograms = ['pandas', 'polars', 'duckdb', 'pyarrow', 'frictionless', 'pyogrio'];

let python: { readonly versions: Record<string, string>; readonly seen: Record<string, Record<string, unknown>> };
beforeAll(async () => {
  const script = join(import.meta.dirname, 'read_urls.py');
  const { stdout } = await run(join(inject('bin'), 'python'), [script, ...names().map(urlOf)]);
  python = JSON.parse(stdout);
});

const [rscript, office] = [find('Rscript', thisMachine()), find('soffice', thisMachine())];
const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
const isDebian12 = /^ID=debian$/m.test(system) && /^VERSION_ID="12"$/m.test(system);

test.skipIf(!isDebian12 || rscript === null || office === null)(
  'the page has the versions of R and LibreOffice in Debian 12',
  async () => {
    const { stdout: r } = await run(rscript ?? '', ['-e', 'cat(format(getRversion()))']);
    const { stdout: libreOffice } = await run(office ?? '', ['--version']);
    expect(r).toMatch(new RegExp(`^${machinePrograms.R}\\.`));
    expect(libreOffice).toMatch(new RegExp(`^LibreOffice ${machinePrograms.LibreOffice}\\.`));
  },
);

describe.each(names())('on %s', (engine) => {
  test.each(pythonPrograms)('%s', (program) => {
    expect(python.versions[program]).toBe(pythonVersion(program));
    expect(python.seen[urlOf(engine)]?.[program]).toEqual(rows);
  });

  test.skipIf(rscript === null)('R', async () => {
    // R has no integers of 64 bits: its users name such a column's class.
    const code = `d <- read.csv("${urlOf(engine)}", check.names = FALSE, colClasses = c("station no." = "character"), encoding = "UTF-8")
      d <- d[c("survey_id", "title", "year", "depth", "day", "station no.")]
      cat(jsonlite::toJSON(lapply(seq_len(nrow(d)), function(i) lapply(d[i, ], function(v) if (is.na(v) || v == "") NULL else as.character(v))), null = "null", auto_unbox = TRUE))`;
    const { stdout } = await run(rscript ?? '', ['-e', code], { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    const seen: readonly Record<string, string | null>[] = JSON.parse(stdout);
    expect(seen.map(Object.values)).toEqual(rows.map((row) => row.map((value) => (value === '1E+1' ? '10' : value))));
  });
});
