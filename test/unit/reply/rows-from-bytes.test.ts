import fc from 'fast-check';
import { expect, test } from 'vitest';
import { text } from '../../../src/dialects/cells.ts';
import { readRow } from '../../../src/execute/drivers/mysql/row-packets.ts';
import type { Type } from '../../../src/model/table.ts';
import type { Cell } from '../../../src/model/value.ts';
import { records } from '../../../src/reply/envelope.ts';
import { objects } from '../../../src/reply/formats/objects.ts';
import { writtenObjects } from '../../../src/reply/formats/objects-bytes.ts';
import { Pieces } from '../../../src/reply/pieces.ts';
import { encoder } from '../../../src/values/encode.ts';
import { runSteps } from '../../support/drained.ts';
import { packet, sent } from '../../support/server-values.ts';

const varchar: Type = { kind: 'text', length: null, padded: false, nul: true };
const asBytes = (bytes: Uint8Array) => bytes;

function written(
  rows: readonly (readonly (Buffer | null)[])[],
  columns: readonly (readonly [string, Type])[],
  cellOf: (bytes: Uint8Array) => Cell = text,
): string {
  const fields = columns.map(([id]) => ({ id, type: 'text' }));
  const encoders = columns.map(([, type]) => encoder(type));
  const whole = writtenObjects(fields, encoders, cellOf);
  for (const row of rows) readRow(packet(row), whole);
  expect(whole.count).toBe(rows.length);
  const to = new Pieces();
  runSteps(records({ fields, encoders, cells: [], written: whole.take() }, 'objects', 1e9, to));
  return Buffer.from(runSteps(to.joined())).toString('latin1');
}

test.each([
  ['bytes', asBytes],
  ['text', text],
] as const)('records are what the format makes of their cells, whatever a server sends as %s', (_, cellOf) => {
  const columns = sent.map(([type], nth) => [`"${nth}" ü`, type] as const);
  const format = objects.format(
    columns.map(([id]) => ({ id, type: 'text' })),
    columns.map(([, type]) => encoder(type)),
  );
  const row = fc.tuple(...sent.map(([, text]) => fc.option(text, { freq: 8 })));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const bytes = rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell))));
      const expected = format.head + rows.map((row) => format.row(row)).join(format.between) + format.tail;
      expect(written(bytes, columns, cellOf)).toBe(Buffer.from(expected).toString('latin1'));
    }),
    { numRuns: 300, seed: 20_261_122 },
  );
});

test('bytes that are no text are what Node makes of them', () => {
  const broken = [Buffer.of(0x61, 0xff), Buffer.of(0xe2, 0x82), Buffer.of(0x22, 0xc3)];
  const columns = ['a', 'b', 'c'].map((id) => [id, varchar] as const);
  const expected = broken.map((bytes, nth) => `"${'abc'[nth]}":${JSON.stringify(bytes.toString())}`).join(',');
  expect(written([broken], columns)).toBe(Buffer.from(`[{${expected}}]`).toString('latin1'));
});

test('binary values are bytes where they come as such', () => {
  const bits: Type = { kind: 'bits', length: 5, varying: false };
  const row = [Buffer.of(0, 0xff), Buffer.of(0xff)];
  const columns = [['b', { kind: 'binary', length: null }] as const, ['n', bits] as const];
  expect(written([row], columns, asBytes)).toBe('[{"b":"\\\\x00ff","n":"11111"}]');
});

test('a column that is requested twice is shown once, one that is read for its type only not at all', () => {
  const columns = [['a', varchar] as const, ['a', varchar] as const, ['b', varchar] as const];
  const cells = ['1', '1', '2', 'type'].map((cell) => Buffer.from(cell));
  expect(written([cells, [null, null, null, null]], columns)).toBe('[{"a":"1","b":"2"},{"a":null,"b":null}]');
  expect(written([cells, cells], [])).toBe('[{},{}]');
});

test.each([250, 16_000, 100_000, 3_000_000])('a value of %i bytes has room, and so has one of escapes', (size) => {
  const [plain, quotes] = [Buffer.alloc(size, 'x'), Buffer.alloc(size, 1)];
  const shown = written([[plain, quotes]], [['a', varchar] as const, ['b', varchar] as const]);
  expect(shown === `[{"a":"${'x'.repeat(size)}","b":"${'\\u0001'.repeat(size)}"}]`).toBe(true);
});
