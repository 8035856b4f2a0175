import { expect, test } from 'vitest';
import { rewriteCsv } from '../../../src/execute/dump/csv-rewrite.ts';
import type { Type } from '../../../src/model/table.ts';
import { delimited } from '../../../src/reply/formats/delimited.ts';
import { encoder } from '../../../src/values/encode.ts';

const text: Type = { kind: 'text', length: null, padded: false, nul: true };
const timestamp: Type = { kind: 'timestamp', digits: 6, zoned: false, infinite: true };
const stamps = [
  ...['2020-01-02 03:04:05', '2020-01-02 03:04:05.1', '2020-01-02 03:04:05.12', '2020-01-02 03:04:05.123', null],
  ...['2020-01-02 03:04:05.123456', '2020-01-02 03:04:05.12345', 'infinity', '-infinity', '12345-01-02 03:04:05'],
  ...['0044-03-15 12:00:00 BC', '0044-03-15 12:00:00.5 BC', '294276-12-31 23:59:59.999999', '0001-01-01 00:00:00'],
];
const texts = ['plain', '', null, 'a,b', '"', '2020-01-02 03:04:05', 'a\nb,"c",\r\n', ',"\n"', '\t', 'é😀'];

/** The same rows as COPY writes them, and as our encoders do. */
function both(types: readonly Type[], delimiter: string, count: number) {
  const as = (types: readonly Type[]) => delimited(delimiter).format([], types.map(encoder));
  const cell = (type: Type, nth: number) =>
    type === timestamp ? (stamps[nth % stamps.length] ?? null) : (texts[nth % texts.length] ?? null);
  const rows = Array.from({ length: count }, (_, row) => types.map((type, nth) => cell(type, row + 3 * nth)));
  const written = (types: readonly Type[]) => rows.map((row) => as(types).row(row)).join('');
  return { copied: Buffer.from(written(types.map(() => text))), expected: written(types) };
}

/** @param room additional bytes after each piece */
async function mend(
  types: readonly Type[],
  delimiter: string,
  pieces: readonly Uint8Array[],
  room = 0,
): Promise<string> {
  const all: Uint8Array[] = [];
  const encoders = types.map((type) => (type === timestamp ? encoder(type) : null));
  async function* given() {
    for (const piece of pieces) yield { bytes: Buffer.concat([piece, Buffer.alloc(room, 'x')]), length: piece.length };
  }
  for await (const some of rewriteCsv(given(), delimiter, encoders)) all.push(some);
  return Buffer.concat(all).toString();
}

test.each([
  ['in the middle', [text, timestamp, text, timestamp, text]],
  ['at both ends', [timestamp, text, timestamp]],
  ['alone', [timestamp]],
] as const)('timestamps %s are those of the encoders, wherever the bytes are cut', async (_, types) => {
  for (const delimiter of [',', '\t']) {
    // Every stamp beside every text.
    const all = both(types, delimiter, 70);
    const bytes = Array.from(all.copied, (byte) => Uint8Array.of(byte));
    expect(await mend(types, delimiter, bytes)).toBe(all.expected);
    // Every stamp, and every text.
    const { copied, expected } = both(types, delimiter, 14);
    for (let at = 0; at <= copied.length; at++) {
      const pieces = [copied.subarray(0, at), copied.subarray(at)];
      expect(await mend(types, delimiter, pieces, (at * 7) % 500)).toBe(expected);
    }
  }
});

test('all of them becoming longer still has room', async () => {
  const line = `${'2020-01-02 03:04:05\t'.repeat(5)}2020-01-02 03:04:05\n`;
  const types = Array.from({ length: 6 }, () => timestamp);
  const longer = line.replaceAll(' ', 'T').replaceAll(/[\t\n]/g, '.000$&');
  for (const room of [0, 1, 100, 10_000, 100_000])
    expect(await mend(types, '\t', [Buffer.from(line.repeat(1000))], room)).toBe(longer.repeat(1000));
});

test('no bytes are no lines', async () => expect(await mend([timestamp], ',', [])).toBe(''));
