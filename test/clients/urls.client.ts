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

const rscript = find('Rscript', thisMachine());
const office = find('soffice', thisMachine());
const php = find('php', thisMachine());
const hasR = rscript !== null;
const hasReadr = hasR && (await run(rscript, ['-e', 'cat(system.file(package = "readr"))'])).stdout !== '';
const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
const isDebian12 = /^ID=debian$/m.test(system) && /^VERSION_ID="12"$/m.test(system);

const versions = [
  ['R', rscript, ['-e', 'cat(format(getRversion()))']],
  ['PHP', php, ['-r', 'echo PHP_VERSION;']],
  ['LibreOffice', office, ['--version']],
] as const;

test.for(versions)('the page has the version of %s in Debian 12', async ([name, program, args], { skip }) => {
  if (program === null || !isDebian12) return skip('it is not installed, or this is another system');
  const { stdout } = await run(program, [...args]);
  expect(stdout.replace('LibreOffice ', '')).toMatch(new RegExp(`^${machinePrograms[name]}\\.`));
});

describe.each(names())('on %s', (engine) => {
  test.each(pythonPrograms)('%s', (program) => {
    expect(python.versions[program]).toBe(pythonVersion(program));
    expect(python.seen[urlOf(engine)]?.[program]).toEqual(rows);
  });

  const url = () => urlOf(engine);
  /** R has no integers of 64 bits: its users name such a column's class. */
  const readings = [
    [
      'read.csv',
      hasR,
      () =>
        `read.csv("${url()}", check.names = FALSE, colClasses = c("station no." = "character"), encoding = "UTF-8")`,
    ],
    ['readr', hasReadr, () => `readr::read_csv("${url()}", col_types = list("station no." = "c"))`],
  ] as const;

  test.for(readings)('R, by %s', async ([name, isInstalled, reading], { skip }) => {
    if (!isInstalled) return skip(`${name} is not installed`);
    const code = `d <- as.data.frame(${reading()})
      d <- d[c("survey_id", "title", "year", "depth", "day", "station no.")]
      text <- function(value) if (is.na(value) || value == "") NULL else value
      rows <- lapply(seq_len(nrow(d)), function(nth) lapply(lapply(d[nth, ], as.character), text))
      cat(jsonlite::toJSON(rows, null = "null", auto_unbox = TRUE))`;
    const { stdout } = await run(rscript ?? '', ['-e', code], { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    const seen: readonly Record<string, string | null>[] = JSON.parse(stdout);
    expect(seen.map(Object.values)).toEqual(rows.map((row) => row.map((value) => (value === '1E+1' ? '10' : value))));
  });

  test('PHP, by fgetcsv', async ({ skip }) => {
    if (php === null) return skip('php is not installed');
    const code = `$file = fopen($argv[1], 'r');
      $read = fn() => fgetcsv($file, null, ',', '"', '');
      for ($names = $read(), $rows = []; ($row = $read()) !== false; ) $rows[] = array_combine($names, $row);
      echo json_encode($rows);`;
    const { stdout } = await run(php, ['-d', 'allow_url_fopen=1', '-r', code, '--', url()]);
    const seen: readonly Record<string, string>[] = JSON.parse(stdout);
    const names = ['survey_id', 'title', 'year', 'day', 'station no.'];
    const others = rows.map((row) => row.toSpliced(3, 1).map((value) => value ?? ''));
    expect(seen.map((row) => names.map((name) => row[name]))).toEqual(others);
    expect(seen.map(({ depth }) => depth)).toEqual(['2.50', '', '10.00', '0.05']);
  });
});
