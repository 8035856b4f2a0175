import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRow } from '../../../src/execute/drivers/mysql/row-packets.ts';
import type { Type } from '../../../src/model/table.ts';
import { delimited } from '../../../src/reply/formats/delimited.ts';
import { lines } from '../../../src/reply/formats/delimited-bytes.ts';
import { encoder } from '../../../src/values/encode.ts';
import { packet, sent } from '../../support/server-values.ts';

function written(rows: readonly (readonly (Buffer | null)[])[], types: readonly Type[], delimiter = ','): Buffer {
  const writer = lines(delimiter, types.map(encoder));
  const pieces: Uint8Array[] = [];
  for (const row of rows) {
    readRow(packet(row), writer);
    pieces.push(writer.take(1000) ?? Buffer.alloc(0));
  }
  return Buffer.concat([...pieces, writer.take(0) ?? Buffer.alloc(0)]);
}

describe('lines from bytes are those from texts', () => {
  test('whatever a server sends', () => {
    const types = sent.map(([type]) => type);
    const row = fc.tuple(...sent.map(([, text]) => fc.option(text, { freq: 8 })));
    const delimiter = fc.constantFrom(',', '\t');
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), delimiter, (rows, delimiter) => {
        const format = delimited(delimiter).format([], types.map(encoder));
        const bytes = rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell))));
        expect(written(bytes, types, delimiter).toString()).toBe(rows.map((row) => format.row(row)).join(''));
      }),
      { numRuns: 300, seed: 20_261_122 },
    );
  });

  const text: Type = { kind: 'text', length: null, padded: false, nul: true };

  test.each(['\\.', '', '.', ',\\.'])('%j alone on its line', (value) => {
    const format = delimited(',').format([], [encoder(text)]);
    expect(written([[Buffer.from(value)], [null]], [text]).toString()).toBe(format.row([value]) + format.row([null]));
  });

  test('binary values are bytes, not text', () => {
    const bytes = Buffer.of(0, 0xff, 0x22, 0x2c);
    expect(written([[bytes]], [{ kind: 'binary', length: null }]).toString()).toBe('\\x00ff222c\n');
    expect(written([[bytes.subarray(1, 2)]], [{ kind: 'bits', length: 5, varying: false }]).toString()).toBe('11111\n');
  });

  test('columns that are read for their type only are left out', () => {
    expect(written([[Buffer.from('a'), Buffer.from('b'), null]], [text]).toString()).toBe('a\n');
    expect(written([[null], [null]], []).toString()).toBe('\n\n');
  });

  test.each([250, 251, 65_535, 65_536, 100_000, 2 ** 24 - 1, 2 ** 24])('a value of %i bytes', (size) => {
    const [plain, quoted] = [Buffer.alloc(size, 'x'), Buffer.alloc(size, ',')];
    const all = written([[plain, null, quoted, plain]], [text, text, text, text]);
    const expected = [plain, ',,"', quoted, '",', plain, '\n'].map((part) => Buffer.from(part));
    expect(all.equals(Buffer.concat(expected))).toBe(true);
  });
});
