import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { text } from '../../../src/dialects/cells.ts';
import { readRow } from '../../../src/execute/drivers/mysql/row-packets.ts';
import type { Type } from '../../../src/model/table.ts';
import { records } from '../../../src/reply/envelope.ts';
import { csv } from '../../../src/reply/formats/csv.ts';
import { lines } from '../../../src/reply/formats/delimited-bytes.ts';
import { geojson } from '../../../src/reply/formats/geojson.ts';
import { json } from '../../../src/reply/formats/json.ts';
import { jsonl } from '../../../src/reply/formats/jsonl.ts';
import { lists } from '../../../src/reply/formats/lists.ts';
import { long, rowParts } from '../../../src/reply/formats/long-cells.ts';
import { objects } from '../../../src/reply/formats/objects.ts';
import { writtenObjects } from '../../../src/reply/formats/objects-bytes.ts';
import { tsv } from '../../../src/reply/formats/tsv.ts';
import { xml } from '../../../src/reply/formats/xml.ts';
import { Pieces } from '../../../src/reply/pieces.ts';
import { encoder } from '../../../src/values/encode.ts';
import { runSteps } from '../../support/drained.ts';
import { packet } from '../../support/server-values.ts';

const varchar: Type = { kind: 'text', length: null, padded: false, nul: true };
const types: readonly Type[] = [varchar, { kind: 'json', binary: true, finds: 'numeric' }, { kind: 'bool' }, varchar];
const encoders = types.map(encoder);
/** Column `a` occurs twice. */
const fields = ['a', 'j', 'b', 'a'].map((id, nth) => ({ id, type: nth === 1 ? 'jsonb' : 'text' }));
const formats = { objects, lists, json, jsonl, csv, tsv, xml, geojson };

/** Texts longer than `long`, and JSON that contains such texts, from characters that some format must escape. */
const piece = fc.string({
  unit: fc.constantFrom('a', '"', '\\', ',', '\t', '\n', '<', '&', '€', '😀', '\u0001'),
  maxLength: 12,
});
const longText = piece.map((some) => `x${some}é`.repeat(Math.ceil(long / (some.length + 2)) + 1));
const document = fc.jsonValue({ maxDepth: 2 }).map((value) => {
  const item = JSON.stringify(value);
  return `[${Array.from({ length: Math.ceil(long / (item.length + 1)) + 1 }, () => item).join(', ')}]`;
});

describe.each(Object.entries(formats))('%s', (_, made) => {
  const format = made.format(fields, encoders);
  test('a row with long cells is the same in parts', () => {
    const cell = fc.option(fc.oneof(longText, fc.constant('short,"')), { freq: 8 });
    fc.assert(
      fc.property(cell, fc.option(document), cell, (first, second, last) => {
        const cells = [first, second, 't', last];
        const parts = Array.from(rowParts(format, encoders, cells));
        expect(parts.join('') === format.row(cells)).toBe(true);
        if (parts.length > 1) expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(8 * long);
      }),
      { numRuns: 15, seed: 20_261_122 },
    );
  });
});

test.each(['x'.repeat(long + 1), '"'.repeat(long + 1), '€😀\u0001'.repeat(long), `${'é'.repeat(long)}"`])(
  'a long cell that comes as bytes is the same text, nth %#',
  (value) => {
    const cells = [Buffer.from(value), null, Buffer.from('t'), Buffer.from(value)];
    const row = [value, null, 't', value];
    const whole = writtenObjects(fields, encoders, text);
    for (let nth = 0; nth < 2; nth++) readRow(packet(cells), whole);
    const to = new Pieces();
    runSteps(records({ fields, encoders, cells: [], written: whole.take() }, 'objects', 1e9, to));
    const one = objects.format(fields, encoders).row(row);
    expect(Buffer.from(runSteps(to.joined())).toString() === `[${one},${one}]`).toBe(true);

    const writer = lines(',', encoders);
    readRow(packet(cells), writer);
    const written = Buffer.from(writer.take(0) ?? []).toString();
    expect(written === csv.format(fields, encoders).row(row)).toBe(true);
  },
);
