import type { Member } from '../model/http.ts';
import type { Describe } from '../model/plan.ts';
import type { Field } from '../model/rows.ts';
import type { Column, Table } from '../model/table.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { aboutOf, aboutSchema } from './about.ts';
import { type Action, action, type Outcome, type Parameter } from './action.ts';
import { count, flag, list, may as permissionsSchema, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { Params, resourceId } from './params.ts';
import { field, listedColumns, visibleKey } from './query/columns.ts';
import { select } from './query/page.ts';

interface InfoParameters {
  readonly id: string;
  readonly meta: boolean;
  readonly schema: boolean;
  /** The fields to describe; undefined for all. */
  readonly fields: readonly string[] | undefined;
}

const parameters: readonly Parameter[] = [
  resourceId,
  {
    name: 'include_meta',
    type: 'flag',
    default: true,
    help: 'Whether to tell how many records there are, and how large the table is.',
  },
  {
    name: 'include_fields_schema',
    type: 'flag',
    default: true,
    help: "Whether to tell each field's type in the database, and whether it is indexed.",
  },
  {
    name: 'fields',
    type: 'columns',
    extension: true,
    help: 'The fields to describe, as in `datastore_search`. Absent: all.',
  },
];

/** Describes a table (docs/ckan-compatibility.md, datastore_info). */
const datastoreInfo: Action<InfoParameters> = {
  name: 'datastore_info',
  effect: 'read',
  showsPermissions: true,
  sideEffectFree: true,
  unknown: (name) => `Resource/Alias "${name}" was not found.`,
  help: 'Describe the table of a resource: its title, its fields, its key, what the caller may do, the number of its records, its size.',
  parameters,
  example: { resource_id: 'example' },

  parse(given) {
    const params = new Params(given);
    const id = params.resourceId();
    const fields = params.names('fields');
    params.check();
    return {
      id,
      meta: params.boolean('include_meta', true),
      schema: params.boolean('include_fields_schema', true),
      fields,
    };
  },

  resource: (parsed) => parsed.id,

  plan(parsed, { table }) {
    select(parsed.fields ?? [], table, []);
    return { effect: 'describe', table, count: parsed.meta ? countOfAll(table) : null };
  },

  result(parsed, table, outcome, _, view) {
    const fields = describedColumns(parsed, table).map((column) =>
      parsed.schema ? { ...described(column), schema: schema(column, table) } : described(column),
    );
    const members: Member[] = [
      ['fields', fields],
      ['key', labels(table.keyIs === 'none' || !table.order.isTotal ? [] : visibleKey(table))],
      ['references', view?.references ?? []],
      ['referenced_by', view?.referencedBy ?? []],
      ['may', { ...view?.may }],
      ['access', { ...view?.access }],
      ['searched', labels(table.search.columns)],
      ['title', table.about.title],
      ['description', table.about.description],
      ['about', aboutOf(table.about.metadata, table.about.roles, view?.extremes ?? null)],
    ];
    if (parsed.meta) members.push(['meta', meta(table, outcome)]);
    return { members };
  },

  resultSchema({ id }) {
    const schema = closed({
      native_type: text,
      notnull: flag,
      index_name: { type: ['string', 'null'] },
      is_index: flag,
      uniquekey: flag,
      required: flag,
    });
    const bytes = { type: ['integer', 'null'], minimum: 0 };
    const meta = closed({
      id: { const: id },
      count,
      count_was_estimated: { const: true },
      count_at_least: { const: true },
      table_type: { enum: ['BASE TABLE', 'VIEW', 'MATERIALIZED VIEW', 'FOREIGN TABLE'] },
      size: bytes,
      db_size: bytes,
      idx_size: bytes,
      aliases: list(text),
    });
    const field = closed({ id: text, type: text, info: { type: 'object' }, schema }, ['id', 'type']);
    const reference = closed({ fields: list(text), resource_id: text, title: text, to: list(text) });
    const about = { title: text, description: text, about: aboutSchema };
    const members = {
      fields: list(field),
      key: list(text),
      references: list(reference),
      referenced_by: list(reference),
      may: permissionsSchema,
      access: closed({ write: { enum: ['token', 'upstream', 'none'] }, columns: { enum: ['all', 'some'] } }, [
        'write',
        'columns',
      ]),
      searched: list(text),
      ...about,
      meta,
    };
    const { meta: _, ...always } = members;
    return closed(members, Object.keys(always));
  },
};
export const datastore_info = action(datastoreInfo);

/** The columns that the call names, in the order of the table. */
function describedColumns({ fields }: InfoParameters, table: Table): readonly Column[] {
  if (fields === undefined || fields.length === 0) return listedColumns(table);
  const named = new Set(select(fields, table, []).map(({ label }) => label));
  return listedColumns(table).filter(({ label }) => named.has(label));
}

const labels = (columns: readonly Column[]): readonly string[] => columns.map(({ label }) => label);

/** A field as CKAN describes it: the type that a search calls `json` is `nested` in `datastore_info`. */
function described(column: Column): { readonly [name in keyof Field]: Field[name] & Json } {
  const shown = field(column);
  return shown.type === 'json' ? { ...shown, type: 'nested' } : { ...shown };
}

function schema(column: Column, { about: { indexes }, sequence }: Table): JsonObject {
  const indexesOfColumn = indexes.filter(({ columns }) => columns.includes(column.name));
  return {
    native_type: column.declared,
    notnull: !column.nullable,
    index_name: indexesOfColumn[0]?.name ?? null,
    is_index: indexesOfColumn.length > 0,
    uniquekey: indexesOfColumn.some(({ unique }) => unique),
    required: !column.readOnly && sequence.required.includes(column.name),
  };
}

function meta({ resource, about }: Table, { total, sizes }: Outcome): JsonObject {
  return {
    id: resource,
    count: total?.count ?? null,
    ...(total === null || total.is === 'exact' ? {} : { count_was_estimated: true }),
    ...(total?.is === 'at least' ? { count_at_least: true } : {}),
    table_type: sizes?.kind ?? null,
    // The size of a table would reveal the amount of data in hidden columns.
    size: about.hides ? null : (sizes?.table ?? null),
    db_size: sizes?.database ?? null,
    idx_size: about.hides ? null : (sizes?.indexes ?? null),
    aliases: about.aliases,
  };
}

function countOfAll(table: Table): Describe['count'] {
  const all = { op: 'all', of: [] } as const;
  const page = {
    format: 'objects',
    distinct: false,
    sort: [],
    after: null,
    withCursor: false,
    limit: 0,
    offset: 0,
    total: true,
  } as const;
  return { effect: 'read', table, columns: [], where: all, searches: [], ...page };
}
