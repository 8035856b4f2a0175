import { expect, test } from 'vitest';
import { TooLarge } from '../../../src/execute/connection/session.ts';
import { copyRows } from '../../../src/execute/dump/copy-rows.ts';

const rows = [
  ['1', 'plain', null],
  ['', '\\N', 'N'],
  ['a\tb', 'c\nd\r', '\\'],
  ['\b\f\v', '\\n is no line feed', '€ 😀'],
  [null, null, ''],
];
const escaped = (cell: string | null) =>
  cell === null
    ? '\\N'
    : cell.replace(/[\\\b\f\n\r\t\v]/g, (char) => {
        const letters: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v' };
        return `\\${letters[char] ?? char}`;
      });
const bytes = Buffer.from(rows.map((row) => `${row.map(escaped).join('\t')}\n`).join(''));

async function read(...pieces: readonly Uint8Array[]): Promise<unknown[]> {
  const found: unknown[] = [];
  async function* given() {
    for (const piece of pieces) yield { bytes: Buffer.concat([piece, Buffer.alloc(9)]), length: piece.length };
  }
  for await (const some of copyRows(given())) found.push(...some);
  return found;
}

test('rows come whole, wherever the bytes are cut, also inside a character or an escape', async () => {
  for (let at = 0; at <= bytes.length; at++) {
    expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(rows);
    expect(await read(bytes.subarray(0, at), bytes.subarray(at, at + 1), bytes.subarray(at + 1))).toEqual(rows);
  }
  expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(rows);
});

test('a value of thousands of pieces is not copied at each of them', { timeout: 5000 }, async () => {
  const piece = Buffer.alloc(1024, 'x');
  const pieces = Array.from({ length: 16_384 }, () => piece);
  const [row] = await read(...pieces, Buffer.from('\tnext\n'));
  expect(row).toEqual(['x'.repeat(16 * 1024 * 1024), 'next']);
});

test('no bytes are no rows', async () => expect(await read()).toEqual([]));

test('a very long value is unescaped in parts, and no escape is cut', async () => {
  const cells = ['\\', '\\\n', 'a\\', '\n\t', 'x'].map((unit) => unit.repeat(Math.ceil(200_000 / unit.length)));
  const line = Buffer.from(`${cells.map(escaped).join('\t')}\n`);
  expect(await read(line)).toEqual([cells]);
  expect(await read(line.subarray(0, 99_999), line.subarray(99_999))).toEqual([cells]);
});

test('a row that would not fit into memory is refused while it arrives', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const end = Buffer.from('\n');
  const rowOf = (pieces: number) => read(...Array<Buffer>(pieces).fill(piece), end);
  await expect(rowOf(65)).rejects.toThrow(TooLarge);
  expect(await rowOf(3)).toHaveLength(1);
  // The limit applies to each row.
  expect(await read(...Array<readonly Buffer[]>(30).fill([piece, piece, piece, end]).flat())).toHaveLength(30);
});
