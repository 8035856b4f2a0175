/** Harmless calls, as large as the limits allow. */
import { dumpFormats, recordsFormats } from '../../src/model/http.ts';
import type { ServerEngine } from '../support/servers/engines.ts';
import { type Heavy, heavy } from './heavy.ts';
import { bigRecords, broadColumns, giants, wideColumns } from './heavy-world.ts';
import { filling, get, type Make, many, nearlyMaxBodyBytes, search, upsert } from './requests.ts';

const answered = [200];
/** Escaping makes some formats longer than others, so some answers exceed `limits.responseBytes` and are refused. */
const answeredOrTooLarge = [200, 409];
const zipped = { 'Accept-Encoding': 'gzip' };

/** Characters that are repeated as often as ten megabytes of JSON have room for. */
const units: readonly string[] = [
  'a',
  '"',
  '\\',
  "'",
  '%',
  '+',
  '_',
  '🦔',
  '\u0001',
  '\u202e',
  '7',
  ' ',
  ',',
  '{',
  '}',
  '\n',
  'é',
  '\\"',
  '{"',
];

/** A search or download with cells of tens of megabytes. Copying such a cell, or decoding it, is a single native call of up to 50 ms. */
const giant = (name: string, make: Make): Heavy => ({
  ...heavy(name, 'stranger', answeredOrTooLarge, make),
  bound: 150,
});

export function largeAnswers(engine: ServerEngine): readonly Heavy[] {
  const page = { resource_id: 'big', limit: bigRecords };
  const wide = { resource_id: 'wide', limit: bigRecords };
  return [
    ...recordsFormats.flatMap((records_format) => [
      heavy(`many records as ${records_format}`, 'stranger', answered, () => search({ ...page, records_format })),
      heavy(`records of many columns as ${records_format}`, 'stranger', answered, () =>
        search({ ...wide, records_format }),
      ),
      ...giants.map((size, id) =>
        giant(`a cell of up to ${size} bytes as ${records_format}`, () =>
          search({ resource_id: 'giant', fields: ['id', 'a'], filters: { id }, records_format }),
        ),
      ),
    ]),
    ...dumpFormats.flatMap((format) => [
      heavy(`a download as ${format}`, 'stranger', answered, () =>
        get(`/datastore/dump/big?format=${format}&geometry=id,id`),
      ),
      heavy(`a download, compressed, as ${format}`, 'stranger', answered, () =>
        get(`/datastore/dump/big?format=${format}&geometry=id,id`, zipped),
      ),
      heavy(`a download of many columns as ${format}`, 'stranger', answered, () =>
        get(`/datastore/dump/wide?format=${format}&geometry=id,id`),
      ),
      ...giants.map((size, id) =>
        giant(`a download of a cell of up to ${size} bytes as ${format}`, () =>
          get(
            `/datastore/dump/giant?format=${format}&geometry=id,id&fields=id,a&filters=${encodeURIComponent(JSON.stringify({ id }))}`,
          ),
        ),
      ),
    ]),
    heavy('many records, compressed', 'stranger', answered, () => search(page, zipped)),
    heavy('many records as a script', 'stranger', answered, () =>
      get(`/api/3/action/datastore_search?resource_id=big&limit=${bigRecords}&callback=f`),
    ),
    heavy('many records and how to go on', 'stranger', answered, () =>
      search({ ...page, limit: bigRecords - 1, include_next_page: true }),
    ),
    heavy('many records that differ', 'stranger', answered, () =>
      search({ ...page, distinct: true, fields: ['a', 'b', 'id'], sort: ['b', 'id'] }),
    ),
    heavy('all columns by name', 'stranger', answered, () =>
      search({ ...wide, fields: wideColumns(engine), sort: wideColumns(engine).slice(0, 60) }),
    ),
    heavy('words in many records', 'stranger', answered, () => search({ ...page, q: 'some other text' })),
    heavy('the columns of a wide table', 'stranger', answered, () => get('/api/3/action/datastore_info?id=wide')),
    heavy('a description of wide tables', 'reader', answered, () => get('/api/openapi.json', zipped)),
  ];
}

export function largeWrites(engine: ServerEngine): readonly Heavy[] {
  const record = (columns: readonly string[]) => (id: number) => ({
    id,
    ...Object.fromEntries(columns.map((name, nth) => [name, nth])),
  });
  const short = (id: number) => ({ id, a: 'x'.repeat(50) });
  return [
    ...['insert', 'upsert', 'update', 'upsert'].map((method, nth) =>
      heavy(`many records by ${method}, as number ${nth}`, 'writer', answered, () =>
        upsert('many', many(99_000, short), { method, dry_run: method === 'insert' }),
      ),
    ),
    ...[false, true].flatMap((include_records) => [
      heavy(`records of 151 columns${include_records ? ', shown' : ''}`, 'writer', answered, () =>
        upsert('broad', filling(record(broadColumns)), { include_records }),
      ),
      heavy(`records of a wide table${include_records ? ', shown' : ''}`, 'writer', answered, () =>
        upsert('wide', filling(record(wideColumns(engine))), { include_records }),
      ),
      heavy(`many records${include_records ? ', shown' : ''}`, 'writer', answered, () =>
        upsert('many', many(99_000, short), { include_records }),
      ),
    ]),
    ...units.map((unit) =>
      heavy(`a text of ${JSON.stringify(unit)}`, 'writer', [200, 409], () => {
        const bytes = Buffer.byteLength(JSON.stringify(unit)) - 2;
        return upsert('t', [{ id: 2, a: unit.repeat(Math.floor(nearlyMaxBodyBytes / bytes)) }]);
      }),
    ),
    ...units.slice(0, 6).map((unit) =>
      heavy(`texts of ${JSON.stringify(unit)}`, 'writer', answered, () => {
        const bytes = Buffer.byteLength(JSON.stringify(unit)) - 2;
        return upsert(
          't',
          many(90, (id) => ({ id: id + 10, a: unit.repeat(Math.floor(100_000 / bytes)) })),
          { include_records: true },
        );
      }),
    ),
  ];
}
