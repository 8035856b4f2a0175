import { PGlite } from '@electric-sql/pglite';
import { expect, inject, test } from 'vitest';
import { invalid } from '../../../src/model/errors.ts';
import { type RecordsFormat, recordsFormats } from '../../../src/model/http.ts';
import type { Rows } from '../../../src/model/rows.ts';
import type { Type } from '../../../src/model/table.ts';
import type { Cell } from '../../../src/model/value.ts';
import { line } from '../../../src/reply/formats/delimited.ts';
import { encoder } from '../../../src/values/encode.ts';
import { records } from '../../support/formatted.ts';
import { freshDatabase } from '../../support/servers/engines.ts';

const rows = (columns: readonly (readonly [string, Type])[], ...cells: (readonly Cell[])[]): Rows => ({
  fields: columns.map(([id]) => ({ id, type: 'text' })),
  encoders: columns.map(([, type]) => encoder(type)),
  cells,
});
const text: Type = { kind: 'text', length: null, padded: false, nul: false };
const timestamp = (zoned: boolean): Type => ({ kind: 'timestamp', digits: 6, zoned, infinite: true });
/** One column of every type whose CSV differs from its JSON, and a repeated column. */
const all = rows(
  [
    ['t', text],
    ['b', { kind: 'bool' }],
    ['j', { kind: 'json', binary: true, finds: 'numeric' }],
    ['a', { kind: 'array', of: { kind: 'bool' } }],
    ['s', timestamp(false)],
    ['z', timestamp(true)],
    ['t', text],
  ],
  ['a,b', 't', '{"x": [1, null]}', '{t,NULL}', '2020-01-02 03:04:05', '2020-01-02 03:04:05.5+00', 'a,b'],
  ['', 'f', 'null', '{}', '2020-01-02 03:04:05.123456', 'infinity', ''],
  [null, null, null, null, null, null, null],
);

test.each<[RecordsFormat, string]>([
  [
    'objects',
    '[{"t":"a,b","b":true,"j":{"x": [1, null]},"a":[true,null],"s":"2020-01-02T03:04:05.000","z":"2020-01-02T03:04:05.5+00:00"},' +
      '{"t":"","b":false,"j":null,"a":[],"s":"2020-01-02T03:04:05.123456","z":"infinity"},' +
      '{"t":null,"b":null,"j":null,"a":null,"s":null,"z":null}]',
  ],
  [
    'lists',
    '[["a,b",true,{"x": [1, null]},[true,null],"2020-01-02T03:04:05.000","2020-01-02T03:04:05.5+00:00","a,b"],' +
      '["",false,null,[],"2020-01-02T03:04:05.123456","infinity",""],[null,null,null,null,null,null,null]]',
  ],
  [
    'csv',
    JSON.stringify(
      '"a,b",t,"{""x"": [1, null]}","[true,null]",2020-01-02T03:04:05.000,2020-01-02 03:04:05.5+00,"a,b"\n' +
        '"",f,null,[],2020-01-02T03:04:05.123456,infinity,""\n,,null,null,,,\n',
    ),
  ],
  [
    'tsv',
    JSON.stringify(
      'a,b\tt\t"{""x"": [1, null]}"\t[true,null]\t2020-01-02T03:04:05.000\t2020-01-02 03:04:05.5+00\ta,b\n' +
        '""\tf\tnull\t[]\t2020-01-02T03:04:05.123456\tinfinity\t""\n\t\tnull\tnull\t\t\t\n',
    ),
  ],
])('%s', (format, expected) => {
  expect(records(all, format, 10_000)).toBe(expected);
  expect(() => JSON.parse(String(records(all, format, 10_000)))).not.toThrow();
});

test.each<[RecordsFormat, string, string]>([
  ['objects', '[]', '[{},{}]'],
  ['lists', '[]', '[[],[]]'],
  ['csv', '""', String.raw`"\n\n"`],
  ['tsv', '""', String.raw`"\n\n"`],
])('%s without rows, and without columns', (format, none, bare) => {
  expect(records(rows([['t', text]]), format, 100)).toBe(none);
  expect(records(rows([], [], []), format, 100)).toBe(bare);
});

test.each(recordsFormats)('%s too large is refused at the very byte, escapes counted', (format) => {
  const given = rows([['t', text]], ['x'.repeat(50)], ['é"\n'.repeat(20)]);
  const bytes = Buffer.byteLength(records(given, format, 1000));
  expect(() => records(given, format, bytes)).not.toThrow();
  expect(() => records(given, format, bytes - 1)).toThrow(invalid({}).constructor);
});

test('csv and tsv are not what COPY writes', async () => {
  const texts = [
    ...['', ' ', 'a', ' a ', 'a,b', 'a\tb', '"', 'a"b', '""', "'", 'a\nb', 'a\rb', '\r\n', '\\', '\\.', '\\N', 'NULL'],
    ...['null', '\\n', 'é', '漢字 😀', '\u00a0', '\u2028', '\u0001', '\u007f', ';', '{}', '-- x', null],
  ];
  // Creating a database takes seconds, copying an empty one does not. Without PGlite in the run there is none to copy.
  const pglite = inject('pglite');
  const database = pglite === null ? null : await freshDatabase(pglite);
  const engine = await PGlite.create(database === null ? {} : { dataDir: database.directory });
  for (const delimiter of [',', '\t']) {
    for (const width of [1, 2]) {
      // COPY takes no parameters. These values need no escaping other than quotes.
      const literal = (value: string | null) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`);
      const values = texts.map((value) => [value, ...(width === 2 ? [value] : [])]);
      const table = values.map((row, at) => `(${at}, ${row.map((value) => `${literal(value)}::text`).join(', ')})`);
      const chosen = width === 1 ? 'a' : 'a, b';
      const { blob } = await engine.query(
        `COPY (SELECT ${chosen} FROM (VALUES ${table.join(', ')}) v(at, ${chosen}) ORDER BY at) TO '/dev/blob' (FORMAT csv, DELIMITER '${delimiter}')`,
      );
      expect(values.map((row) => `${line(delimiter)(row)}\n`).join('')).toBe(await blob?.text());
    }
  }
  await engine.close();
  await database?.drop();
});
