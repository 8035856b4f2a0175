/** `_table_metadata`: a searchable table of all readable resources, as in CKAN. The R client ckanr needs it. */
import { noMetadata } from '../../model/metadata.ts';
import { byLabel, type Column, noRoles, type Table } from '../../model/table.ts';
import type { VisibleResource } from '../action.ts';

const column = (name: string, wire: string): Column => ({
  ...{
    name,
    label: name,
    type: { kind: 'opaque', wire, comparable: true },
    resultType: '',
    native: wire,
    declared: wire,
  },
  ...{
    nullable: name === 'alias_of',
    readOnly: true,
    collation: null,
    charset: null,
    equality: 'exact',
  },
  info: null,
});
const name = column('name', 'name');
const columns = [column('_id', 'int'), name, column('oid', 'oid'), column('alias_of', 'name')];

export const tableMetadata: Table = {
  ...{
    resource: '_table_metadata',
    database: '',
    schema: null,
    name: '_table_metadata',
    columns,
    all: columns,
    labels: byLabel(columns),
  },
  ...{ key: [name], keyIs: 'claimed', uniqueKeys: [], foreignKeys: [], order: { by: [name], isTotal: true } },
  ...{
    sequence: { records: 'in any order', numbered: [], required: [] },
    mayDefer: false,
    definition: null,
    transactional: true,
    allowPartial: false,
    about: {
      ...{ title: '', description: '', aliases: [], indexes: [], hides: false, metadata: noMetadata },
      roles: noRoles,
    },
  },
  search: { mode: 'like', columns, language: 'english', languages: null, index: null },
};

export type MetadataRow = Readonly<Record<'_id' | 'name' | 'oid' | 'alias_of', string | null>>;

/** A row for each resource and each alias. `_id` and `oid` are hashes of the name, so they survive a restart. */
export function tableRows(resources: readonly VisibleResource[]): readonly MetadataRow[] {
  return resources.flatMap(({ id, aliases }) => [row(id, null), ...aliases.map((alias) => row(alias, id))]);
}

function row(name: string, alias_of: string | null): MetadataRow {
  const number = fnv(name);
  return { _id: number.toString(16).padStart(16, '0'), name, oid: String(number & 0x7fff_ffffn), alias_of };
}

/** The 64-bit FNV-1a hash of the text's UTF-16 code units. */
function fnv(text: string): bigint {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (let at = 0; at < text.length; at++) {
    hash = ((hash ^ BigInt(text.charCodeAt(at))) * 0x0000_0100_0000_01b3n) & 0xffff_ffff_ffff_ffffn;
  }
  return hash;
}
