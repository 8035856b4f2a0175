/** Downloads for people, read back by programs that know nothing of us: each value equals that of the database. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { entry } from '../support/gateway.ts';
import { programAt, type Running } from '../support/program.ts';
import { engines, type FreshDatabase, freshDatabase } from '../support/servers/engines.ts';
import { find, thisMachine } from '../support/servers/programs.ts';
import { columnsFor, longTexts, printed, rowCount, script } from './nasty-table.ts';

const run = promisify(execFile);
/** LibreOffice, if it is installed. */
const office = find('soffice', thisMachine());
const places = `CREATE TABLE place (id bigint PRIMARY KEY, name varchar(40), lon numeric(12, 8), lat numeric(12, 8), opened date);
  INSERT INTO place VALUES (9007199254740993, 'Zürich', 8.54169400, 47.37688700, '1899-12-31'), (2, 'nowhere', NULL, NULL, NULL),
    (3, 'off the map', 200, 10, '2024-02-29');`;
const main = resolve(import.meta.dirname, '../../dist/main.js');

/** MySQL 5.6 has no JSON. */
const withJson = engines().filter(({ name }) => name !== 'mysql56');

describe.each(withJson.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-files-'));
  const isMysql = engine.client === 'mysql';
  const columns = columnsFor(isMysql);
  const count = rowCount(columns);
  let database: FreshDatabase;
  let served: Running;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(script(isMysql));
    await database.exec(longTexts(isMysql));
    await database.exec(places);
    const resources = ['nasty', 'long', 'place'].map((table) => [
      table,
      { database: 'db', table, access: { read: 'public' } },
    ]);
    const file = join(folder, 'gateway.yaml');
    writeFileSync(
      file,
      JSON.stringify({
        server: { port: 0 },
        databases: { db: entry(database) },
        resources: Object.fromEntries(resources),
      }),
    );
    const started = await programAt(main, folder).serve(['serve', file]);
    if ('code' in started) throw new Error(started.stderr);
    served = started;
  });
  afterAll(async () => {
    await served?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const names = columns.map(({ name }) => name).join(',');
  /** What the readers of `read_files.py` see in a download. */
  async function read(format: string, query = `fields=id,${names}&sort=id`, table = 'nasty') {
    const answer = await fetch(`${served.url}/datastore/dump/${table}?format=${format}&${query}`);
    expect(answer.status).toBe(200);
    const file = join(folder, `${table}.${format}`);
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    return readFile(format, file);
  }

  async function readFile(format: string, file: string) {
    const reader = join(import.meta.dirname, 'read_files.py');
    const { stdout } = await run(join(inject('bin'), 'python'), [reader, format, file], { maxBuffer: 1e8 });
    return JSON.parse(stdout);
  }

  test('openpyxl and calamine read every value of a workbook, and no formula', async () => {
    const { formulas, ...readers } = await read('xlsx');
    expect(formulas).toEqual([]);
    for (const [reader, { Data: rows, About: about }] of Object.entries<Record<string, unknown[][]>>(readers)) {
      expect(rows?.[0], reader).toEqual(['id', ...columns.map(({ name }) => name)]);
      for (const [nth, { name, values }] of columns.entries()) {
        const seen = rows?.slice(1).map((row) => row[nth + 1]);
        expect(seen, `${name} by ${reader}`).toEqual(
          Array.from({ length: count }, (_, row) => values[row]?.[1] ?? null),
        );
      }
      expect(Object.fromEntries(about ?? [])).toMatchObject({ Resource: 'nasty', Records: count });
    }
  });

  test.skipIf(office === null)('LibreOffice reads every value of a workbook', async () => {
    await read('xlsx');
    const profile = `-env:UserInstallation=file://${join(folder, 'office')}`;
    const workbook = join(folder, 'nasty.xlsx');
    const copies = join(folder, 'copies');
    await run(office ?? '', [profile, '--headless', '--convert-to', 'xlsx', '--outdir', copies, workbook]);
    const { calamine } = await readFile('xlsx', join(copies, 'nasty.xlsx'));
    // LibreOffice keeps one kind of line ends.
    const withLines = (value: unknown) => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value);
    for (const [nth, { name, values }] of columns.entries())
      expect(
        calamine.Data.slice(1).map((row: unknown[]) => withLines(row[nth + 1])),
        name,
      ).toEqual(Array.from({ length: count }, (_, row) => withLines(values[row]?.[1] ?? null)));
  });

  test('GDAL reads every point and property of a GeoJSON file', async () => {
    const { crs, points, fields } = await read('geojson', 'sort=id desc', 'place');
    expect(crs).toBe('EPSG:4326');
    expect(points).toEqual([[8.541694, 47.376887], null, null]);
    expect(fields).toMatchObject({
      id: ['9007199254740993', '3', '2'],
      name: ['Zürich', 'off the map', 'nowhere'],
      opened: ['1899-12-31', '2024-02-29', 'NaT'],
    });
  });

  test('DuckDB and pyarrow read every value of a Parquet file, with its type', async () => {
    const { types, footer, duckdb, pyarrow } = await read('parquet');
    expect(types).toEqual(['INTEGER', ...columns.map((column) => column.duckdb)]);
    for (const [reader, rows] of Object.entries<string[][]>({ duckdb, pyarrow }))
      for (const [nth, column] of columns.entries())
        expect(
          rows.map((row) => row[nth + 1]),
          `${column.name} by ${reader}`,
        ).toEqual(Array.from({ length: count }, (_, row) => printed(column, row)));
    expect(footer).toMatchObject({ 'datastore:resource': 'nasty' });
    expect(JSON.parse(footer['datastore:null_for'])).toEqual(
      isMysql
        ? { gone: { '0000-00-00': 1, other: 1 }, seen: { '0000-00-00': 1 } }
        : { until: { infinity: 1 }, clock: { other: 1 }, seen: { '-infinity': 1 } },
    );
  });

  test('a Parquet file of no records, and one of one column, can be read', async () => {
    expect(await read('parquet', 'limit=0')).toMatchObject({ duckdb: [], pyarrow: [] });
    expect(await read('parquet', 'limit=2&fields=id,id&sort=id')).toMatchObject({
      duckdb: [['1'], ['2']],
      types: ['INTEGER'],
    });
  });

  test('long texts are whole in a Parquet file, and as long as Excel allows in a workbook', async () => {
    const texts = ['é'.repeat(32_767), 'x'.repeat(32_768), '€'.repeat(1_500_000), 'after'];
    const { duckdb, pyarrow } = await read('parquet', 'fields=t&sort=id', 'long');
    // Compared by `===`, because the difference of such texts is too long to print.
    const isWhole = (rows: string[][]) => rows.length === texts.length && rows.every(([t], nth) => t === texts[nth]);
    expect([isWhole(duckdb), isWhole(pyarrow)]).toEqual([true, true]);
    const { openpyxl, calamine } = await read('xlsx', 'fields=t&sort=id', 'long');
    const cut = texts.map((t) => [t.slice(0, 32_767)]);
    expect([openpyxl, calamine].map(({ Data: [, ...rows] }) => JSON.stringify(rows) === JSON.stringify(cut))).toEqual([
      true,
      true,
    ]);
    expect(calamine.About).toContainEqual(['Texts cut at 32,767 characters', 2]);
  });

  test('a workbook of no records, and one of one column, can be read', async () => {
    const none = await read('xlsx', 'limit=0&fields=id');
    for (const reader of ['openpyxl', 'calamine']) expect(none[reader].Data).toEqual([['id']]);
    const one = await read('xlsx', 'limit=2&fields=id&sort=id');
    for (const reader of ['openpyxl', 'calamine']) expect(one[reader].Data).toEqual([['id'], [1], [2]]);
  });
});
