import { sealing } from '../../src/app/seal.ts';
import type { May, Resource } from '../../src/model/http.ts';
import { noMetadata } from '../../src/model/metadata.ts';
import { byLabel, type Column, noRoles, type Table, type Type } from '../../src/model/table.ts';

export const int4: Type = { kind: 'int', wire: 'int4', min: -(2n ** 31n), max: 2n ** 31n - 1n };
export const text: Type = { kind: 'text', length: null, padded: false, nul: false };

export function column(name: string, type: Type, facts: Partial<Column> = {}): Column {
  return {
    ...{
      name,
      label: name,
      type,
      native: '',
      declared: '',
      resultType: '',
      nullable: true,
      readOnly: false,
    },
    ...{ collation: null, charset: null, equality: 'exact', info: null, ...facts },
  };
}

const id = column('film_id', int4, { nullable: false });
const columns: readonly Column[] = [
  { ...id, label: '_id' },
  id,
  column('title', text, { nullable: false }),
  column('Rück gabe', { kind: 'decimal', precision: 6, scale: 2, nan: false }),
  column('seen', { kind: 'timestamp', digits: 3, zoned: false, infinite: false }, { info: { label: 'Seen' } }),
  column('code', { kind: 'text', length: 4, padded: true, nul: false }),
  column('tags', { kind: 'json', binary: true, finds: 'numeric' }),
  column('place', { kind: 'opaque', wire: 'point', comparable: false }, { readOnly: true }),
  column('poster', { kind: 'binary', length: null }),
];

/** A table of films with a numeric key, which is also `_id`. The columns are those of the recorded exchanges in `test/wire`. */
export const films: Table = {
  ...{
    resource: 'films',
    database: 'db',
    schema: null,
    name: 'film',
    columns,
    all: columns.slice(1),
    labels: byLabel(columns),
    key: [id],
    keyIs: 'proved',
  },
  ...{
    order: { by: [id], isTotal: true },
    uniqueKeys: [],
    foreignKeys: [],
    sequence: { records: 'in any order', numbered: [], required: [] },
    mayDefer: false,
    definition: null,
    transactional: true,
    allowPartial: false,
  },
  search: { mode: 'like', columns: [], language: 'english', languages: null, index: null },
  about: { title: '', description: '', aliases: [], indexes: [], hides: false, metadata: noMetadata, roles: noRoles },
};
/** The table with other columns. */
export const withColumns = (table: Table, columns: readonly Column[]): Table => ({
  ...table,
  columns,
  labels: byLabel(columns),
});
/** A table with a two-column key, and so without `_id`. */
const key = [column('a', int4, { nullable: false }), column('b', text)];
export const parts: Table = {
  ...{ ...withColumns(films, [...key, column('n', int4)]), resource: 'parts' },
  ...{ key, order: { by: key, isTotal: true } },
};
/** A table without a key. */
export const keyless: Table = { ...parts, key: [], keyIs: 'none', order: { by: [], isTotal: false } };
/** A table that CKAN created: `_id` is its primary key, while the configuration names another key. */
export const ckanMade: Table = {
  ...withColumns(films, [column('_id', int4, { nullable: false }), column('code', text), column('title', text)]),
  ...{ resource: 'ckan', key: [column('code', text)] },
  order: { by: [column('_id', int4, { nullable: false })], isTotal: true },
};

/** The names of a resource in catalogues, where they do not matter. */
export const identity = { uuid: '', dataset: { name: '', uuid: '' } };

export const bounds = {
  ...{
    rowsDefault: 100,
    rowsMax: 32_000,
    maxOffset: null,
    inValues: 3,
    qWords: 2,
    qBytes: 100,
    recordsPerUpsert: 3,
    responseBytes: 1_000_000,
    depth: 32,
  },
  sealing: sealing('a secret of the tests'),
  older: null,
};

/** A caller who may only read. */
export const reads: May = { read: true, aggregate: true, write: false, deleteAll: false };

export function resource(table: Table, deleteAll = false): Resource {
  return {
    id: table.resource,
    access: { read: 'public', write: 'token', deleteAll, aggregate: true, sql: false },
    table,
  };
}
