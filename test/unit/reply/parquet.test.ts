import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Type } from '../../../src/model/table.ts';
import { ParquetFile } from '../../../src/reply/formats/parquet/file.ts';
import { parquet } from '../../../src/reply/formats/parquet/parquet.ts';
import { bytesOf, content } from '../../support/binary-file.ts';
import { int4, text } from '../../support/table.ts';

const date: Type = { kind: 'date', infinite: true, zero: true };
const columns = [
  ['n', int4],
  ['t', text],
  ['n', int4],
  ['d', date],
] as const;
const rows = (count: number) => Array.from({ length: count }, (_, n) => [n, `t${n}`, n, '2020-01-02']);
const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

test('a file begins and ends as Parquet, and its footer tells about it', async () => {
  const file = await bytesOf(
    parquet,
    content(columns, [
      rows(3),
      [],
      [
        [3, null, 3, 'infinity'],
        [4, null, 4, '0000-00-00'],
        [5, null, 5, '2020-00-00'],
      ],
    ]),
  );
  expect([file.toString('latin1', 0, 4), file.toString('latin1', file.length - 4)]).toEqual(['PAR1', 'PAR1']);
  const footer = file.toString('utf8', file.length - 8 - file.readUInt32LE(file.length - 8));
  expect(footer).toContain('{"d":{"infinity":1,"0000-00-00":1,"other":1}}');
  for (const part of ['datastore:null_for', 'A <title>', 'https://data.example/', '2026-01-02T03:04:05.678Z'])
    expect(footer).toContain(part);
});

test('row groups end after 20,000 records or 16 MB of text', () => {
  const sizes: number[] = [];
  const { about } = content(columns, []);
  const facts = { about, columns: [{ name: 't', type: text, label: null }] };
  const file = new ParquetFile(facts, (bytes) => sizes.push(bytes.length));
  file.add(Array.from({ length: 45_000 }, (_, n) => [String(n)]));
  expect(sizes).toHaveLength(2);
  file.add(Array.from({ length: 17 }, () => ['x'.repeat(1_000_000)]));
  expect(sizes).toHaveLength(3);
  file.finish();
  expect(sizes).toHaveLength(5);
});

test('an error of the source is thrown, and ends the thread', async () => {
  async function* failing() {
    yield rows(1000);
    throw new RangeError('the source has failed');
  }
  await expect(bytesOf(parquet, content(columns, failing()))).rejects.toThrow(new RangeError('the source has failed'));
  expect(threads()).toBe(0);
});

test('a reader that stops early ends the source and the thread', async () => {
  let [isEnded, batches] = [false, 0];
  async function* endless() {
    try {
      for (; ; batches++) yield rows(5000);
    } finally {
      isEnded = true;
    }
  }
  for await (const _ of parquet.write(content(columns, endless()))) {
    // A reader that is slower than the source must hold it up.
    await sleep(200);
    expect(threads()).toBeGreaterThan(0);
    break;
  }
  expect([isEnded, batches < 30, threads()]).toEqual([true, true, 0]);
});
