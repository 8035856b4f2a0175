import { expect, test } from 'vitest';
import type { Cell } from '../../../src/model/value.ts';
import { workbook, xlsx } from '../../../src/reply/formats/xlsx/xlsx.ts';
import { type Batches, bytesOf, content } from '../../support/binary-file.ts';
import { int4, text } from '../../support/table.ts';
import { cellsOf, unzip } from '../../support/unzip.ts';

const columns = [
  ['n', int4],
  ['t & u', text],
] as const;
const read = async (rows: Batches, limits = { rows: 1_048_576, bytes: 3.5e9 }, of: typeof columns | [] = columns) => {
  const parts = unzip(await bytesOf(workbook(limits), content(of, rows)));
  const names = Array.from(parts.get('xl/workbook.xml')?.matchAll(/sheet name="(.*?)"/g) ?? [], ([, name]) => name);
  const sheets = names.map((_, nth) => parts.get(`xl/worksheets/sheet${nth + 1}.xml`) ?? '');
  return { names, sheets, cells: sheets.map(cellsOf), parts };
};
const numbered = (count: number): Cell[][] => Array.from({ length: count }, (_, n) => [n, `t${n}`]);

test('the records are a sheet with a frozen header and a filter, and the last sheet tells about the file', async () => {
  const { names, sheets, cells, parts } = await read([
    [[1, 'a']],
    [],
    [
      [2, null],
      [null, '12345678901234567'],
    ],
  ]);
  expect(names).toEqual(['Data', 'About']);
  expect(cells[0]).toEqual([
    ['n', 't &amp; u'],
    ['1', 'a'],
    ['2', null],
    [null, '12345678901234567'],
  ]);
  expect(sheets[0]).toContain('<autoFilter ref="A1:B4"/></worksheet>');
  expect(sheets[0]).toContain('state="frozen"');
  expect(cells[1]).toEqual([
    ['Title', 'A &lt;title&gt;'],
    ['Resource', 'r'],
    ['Address', 'https://data.example/datastore/dump/r?format=xlsx'],
    ['Time', '2026-01-02T03:04:05.678Z'],
    ['Licence', 'Free (https://free.example)'],
    ['Records', '3'],
  ]);
  const paths = [...(parts.get('[Content_Types].xml')?.matchAll(/PartName="\/(.*?)"/g) ?? [])].map(([, path]) => path);
  expect(paths.filter((path) => !parts.has(path ?? ''))).toEqual([]);
});

test('exceptions are counted on the last sheet', async () => {
  const { cells } = await read([
    [
      [1, 'x'.repeat(40_000)],
      [2, 'y'.repeat(32_768)],
    ],
  ]);
  expect(cells[1]?.slice(5)).toEqual([
    ['Records', '2'],
    ['Texts cut at 32,767 characters', '2'],
  ]);
});

test.each([0, 1, 2, 3, 4, 5, 7])('%i records are on sheets of three rows, each with a header', async (count) => {
  const all = numbered(count);
  const { names, cells } = await read([all.slice(0, 4), all.slice(4)], { rows: 3, bytes: 1e9 });
  const sheets = Math.max(1, Math.ceil(count / 2));
  expect(names).toEqual([...Array.from({ length: sheets }, (_, n) => (n === 0 ? 'Data' : `Data ${n + 1}`)), 'About']);
  expect(cells.slice(0, -1).every(([header]) => header?.[0] === 'n')).toBe(true);
  expect(cells.slice(0, -1).flatMap((rows) => rows.slice(1))).toEqual(all.map(([n, t]) => [String(n), t]));
  expect(cells.at(-1)?.at(-1)).toEqual(['Records', String(count)]);
});

test('a sheet ends when it is as large as a zip can hold', async () => {
  const { names, cells } = await read([numbered(5000)], { rows: 1_048_576, bytes: 200_000 });
  expect(names.length).toBeGreaterThan(2);
  expect(cells.slice(0, -1).flatMap((rows) => rows.slice(1))).toHaveLength(5000);
});

test('a table without columns is still a workbook', async () => {
  const { sheets, cells } = await read([[[], []]], undefined, []);
  expect(sheets[0]).not.toMatch(/<cols>|<autoFilter/);
  expect(cells[1]?.at(-1)).toEqual(['Records', '2']);
});

test('columns beyond Z have two letters', async () => {
  const wide = Array.from({ length: 703 }, (_, n) => [`c${n}`, int4] as const);
  const parts = unzip(await bytesOf(xlsx, content(wide, [[wide.map((_, n) => n)]])));
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain('<autoFilter ref="A1:AAA2"/>');
});

test('an error of the source is thrown, before the first byte if there was no row', async () => {
  async function* failing(rows: number) {
    for (let n = 0; n < rows; n++) yield numbered(1000);
    throw new RangeError('the source has failed');
  }
  for (const rows of [0, 1, 500]) {
    const pieces: Uint8Array[] = [];
    const reading = async () => {
      for await (const piece of xlsx.write(content(columns, failing(rows)))) pieces.push(piece);
    };
    await expect(reading()).rejects.toThrow(new RangeError('the source has failed'));
    expect(pieces.length > 0).toBe(rows > 0);
  }
});

test('a reader that stops early ends the source', async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield numbered(1000);
    } finally {
      isEnded = true;
    }
  }
  for await (const piece of xlsx.write(content(columns, endless()))) if (piece.length > 10_000) break;
  expect(isEnded).toBe(true);
});
