import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../../src/explorer/page/ask/columns.ts';
import { valueFrom } from '../../../src/explorer/page/edit/draft.ts';
import type { Field } from '../../../src/explorer/page/edit/fields.ts';
import { delimiterOf, rowsOf } from '../../../src/explorer/page/edit/pasted/lines.ts';
import { objectsOf } from '../../../src/explorer/page/edit/pasted/objects.ts';
import { inSlices, readPasted } from '../../../src/explorer/page/edit/pasted/read.ts';
import { mappingOf, type ReadCell, writtenRecords } from '../../../src/explorer/page/edit/pasted/records.ts';
import { Unreadable } from '../../../src/explorer/page/edit/pasted/unreadable.ts';

const faultOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error instanceof Unreadable ? error.fault : error;
  }
  return 'none';
};

describe('lines', () => {
  test.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\ufeffa\tb\r\n1\t2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r1;2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n,""\n',
      [
        ['a', 'b'],
        [null, ''],
      ],
    ],
    [
      'a,b\n1,\n,2',
      [
        ['a', 'b'],
        ['1', null],
        [null, '2'],
      ],
    ],
    [
      'a,b\n"x, ""y""\r\nz", 5" \n',
      [
        ['a', 'b'],
        ['x, "y"\r\nz', ' 5" '],
      ],
    ],
    [
      '\n\na,b\n\n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a\n1\n\n2\n', [['a'], ['1'], [null], ['2']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect([...rowsOf(text, delimiterOf(text))]).toEqual(rows);
  });

  test.each([
    ['a,b\n1,"2', { is: 'openQuote', line: 2 }],
    ['a,b\n"x\ny",2\n3,"4"5', { is: 'afterQuote', line: 4 }],
    ['a,b\n"1\n\n2",2\n1,2,3', { is: 'wrongCells', line: 5, has: 3, wants: 2 }],
    [','.repeat(6000), { is: 'tooManyCells', line: 1 }],
  ])('%j is refused by its line', (text, fault) => {
    expect(faultOf(() => [...rowsOf(text, delimiterOf(text))])).toEqual(fault);
  });

  test('whatever is written is read', () => {
    const cell = fc.option(fc.stringMatching(/^[ab,;"\t\r\n' ]{0,5}$/), { nil: null });
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1 });
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t'), fc.constantFrom('\n', '\r\n'), (rows, delimiter, end) => {
        const written = (one: string | null) => (one === null ? '' : `"${one.replaceAll('"', '""')}"`);
        const text = rows.map((row) => row.map(written).join(delimiter) + end).join('');
        expect([...rowsOf(text, delimiter)]).toEqual(rows);
      }),
    );
  });

  test.each([
    ['a,b\tc', '\t'],
    ['"a;b;c",d', ','],
    ['a;b,c;d', ';'],
    ['a', ','],
  ])('of %j the delimiter is %j', (text, delimiter) => expect(delimiterOf(text)).toBe(delimiter));
});

describe('objects', () => {
  const textsOf = (text: string) => [...objectsOf(text)].map((one) => one.text);

  test.each([
    ['[{"a": 1}, {"b": [{"c": "}\\"]"}]}]', ['{"a": 1}', '{"b": [{"c": "}\\"]"}]}']],
    ['\ufeff{"a": 1}\n{"b": "\\\\"}\n', ['{"a": 1}', '{"b": "\\\\"}']],
    [' [ ] ', []],
  ])('%j', (text, objects) => expect(textsOf(text)).toEqual(objects));

  test.each([
    ['[{"a": 1}', 1],
    ['[{"a": 1}] x', 1],
    ['[{"a": 1},\n\n"x"]', 3],
    ['{"a": "x}', 1],
    [`{"a": ${'['.repeat(100_000)}`, 1],
  ])('%.30j is refused by its line', (text, line) => {
    expect(faultOf(() => textsOf(text))).toEqual({ is: 'noObject', line });
  });

  test('whatever is written is read, however it is laid out', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(object), fc.constantFrom(undefined, 2), (objects, indent) => {
        const read = (text: string) => textsOf(text).map((one): unknown => JSON.parse(one));
        const plain: unknown = JSON.parse(JSON.stringify(objects));
        expect(read(JSON.stringify(objects, null, indent))).toEqual(plain);
        expect(read(objects.map((one) => JSON.stringify(one, null, indent)).join('\n'))).toEqual(plain);
      }),
    );
  });
});

const column = (name: string, more: Partial<Column> = {}): Column => ({
  ...{ name, label: name, notes: '', unit: '', type: 'text', kind: 'text', isRequired: false },
  ...more,
});
const field = (column: Column, more: Partial<Field> = {}): Field => ({
  ...{ column, isKey: false, isWritable: true, isNullable: true, choices: null },
  ...more,
});
const fields = [
  field(column('id', { type: 'int8', kind: 'number' }), { isKey: true }),
  field(column('permit_no', { label: 'Permit no.' })),
  field(column('done', { type: 'bool', kind: 'bool' })),
  field(column('doc', { label: 'Document', type: 'nested', kind: 'other' })),
  field(column('made'), { isWritable: false }),
];
const limits = { bytes: 1000, records: 5 };
const run = <T>(work: Generator<void, T>) => inSlices(work, new AbortController().signal);
const readCell: ReadCell = (text, of) => {
  const value = valueFrom(text, of);
  return value === undefined ? { why: 'no JSON' } : { value };
};
const recordsOf = async (text: string, empty: 'null' | 'default' = 'null') => {
  const pasted = await run(readPasted(text, limits));
  return run(writtenRecords(pasted, mappingOf(pasted.names, fields), empty, limits, readCell));
};

test('columns are found by name, by label, and whatever the case; others are told apart', () => {
  const { fields: found, unknown, readOnly } = mappingOf(['ID', 'Permit no.', 'made', '_id', 'x', '__proto__'], fields);
  expect(found.map((one) => one?.column.name ?? null)).toEqual(['id', 'permit_no', null, null, null, null]);
  expect([unknown, readOnly]).toEqual([
    ['x', '__proto__'],
    ['made', '_id'],
  ]);
  expect(faultOf(() => mappingOf(['permit_no', 'Permit no.'], fields))).toEqual({ is: 'twice', name: 'permit_no' });
});

test('a name that means two columns means none, and blanks around a name are its own where a column has them', () => {
  const amount = { label: 'Amount' };
  const alike = [
    field(column('net', amount)),
    field(column('gross', amount)),
    field(column(' a ')),
    field(column('Name')),
    field(column('name')),
  ];
  const { fields: found, unknown } = mappingOf(['Amount', ' net ', ' a ', 'Name', 'name', 'NAME'], alike);
  expect(found.map((one) => one?.column.name ?? null)).toEqual([null, 'net', ' a ', 'Name', 'name', null]);
  expect(unknown).toEqual(['Amount', 'NAME']);
});

test('cells mean what their column holds', async () => {
  expect(await recordsOf('id,permit_no,done,made\n12,"",true,z\nx,,t,z')).toEqual([
    '{"id":12,"permit_no":"","done":true}',
    '{"id":"x","permit_no":null,"done":"t"}',
  ]);
  await expect(recordsOf('id,doc\n1,\n2,{')).rejects.toMatchObject({
    fault: { is: 'wrongCell', row: 1, name: 'doc', why: 'no JSON' },
  });
  expect(await recordsOf('id,permit_no\n1,', 'default')).toEqual(['{"id":1}']);
});

test('too much is refused before it is read further', async () => {
  await expect(run(readPasted('x'.repeat(1001), limits))).rejects.toMatchObject({
    fault: { is: 'tooLarge', most: 1000 },
  });
  await expect(run(readPasted(`a\n${'1\n'.repeat(6)}`, limits))).rejects.toMatchObject({
    fault: { is: 'tooManyRows', most: 5 },
  });
  // A control character takes six characters in JSON.
  await expect(recordsOf(`permit_no\n${'\u0001'.repeat(400)}`)).rejects.toMatchObject({ fault: { is: 'tooLarge' } });
  await expect(run(readPasted('a,b', limits))).rejects.toMatchObject({ fault: { is: 'noRows' } });
});

test('work that was abandoned ends', async () => {
  const stop = new AbortController();
  const endless = (function* (): Generator<void, void> {
    for (;;) yield;
  })();
  const done = inSlices(endless, stop.signal);
  stop.abort();
  await expect(done).rejects.toMatchObject({ name: 'AbortError' });
});
