/** Pure. The result of an action → JSON Schema. */
import type { JsonObject } from '../../model/value.ts';
import type { Described } from '../action.ts';
import { echo, reference, type Shown } from './parameters.ts';
import { closed } from './tables.ts';

const text: JsonObject = { type: 'string' };
const bytes: JsonObject = { type: ['integer', 'null'], minimum: 0 };

const field = closed({ id: text, type: text, info: { type: 'object' } }, ['id', 'type']);
const page: JsonObject = {
  description: 'What to add to the call for the next page: `_id` to its `filters`, `after` as a parameter.',
  anyOf: [closed({ after: text }, ['after']), closed({ _id: { type: 'object' } }, ['_id'])],
};

/** The records of one resource, in any of the formats. */
function records({ key }: Shown): JsonObject {
  const rows = { type: 'array', items: { type: 'array' } };
  return { anyOf: [{ type: 'array', items: reference(`${key}.record`) }, rows, text] };
}

/** The echoed parameters and the result. */
function echoed({ parameters }: Described, { id }: Shown, more: JsonObject): JsonObject {
  const said = parameters.map((parameter) => [parameter.name, echo(parameter)] as const);
  return closed({ ...Object.fromEntries(said), resource_id: { const: id }, ...more }, ['resource_id']);
}

/** The result of an action on a table for one resource. */
const ofTable: Readonly<Record<string, (action: Described, resource: Shown) => JsonObject>> = {
  datastore_search: (action, resource) =>
    echoed(action, resource, {
      fields: { type: 'array', items: field },
      records: records(resource),
      total: { type: 'integer', minimum: 0 },
      total_was_estimated: { type: 'boolean' },
      next_page: page,
      _links: closed({ start: text, prev: text, next: text }),
    }),
  datastore_info: (_, { id }) => {
    const schema = closed({
      ...{ native_type: text, notnull: { type: 'boolean' }, index_name: { type: ['string', 'null'] } },
      ...{ is_index: { type: 'boolean' }, uniquekey: { type: 'boolean' } },
    });
    const meta = closed({
      ...{ id: { const: id }, count: { type: 'integer', minimum: 0 }, count_was_estimated: { const: true } },
      table_type: { enum: ['BASE TABLE', 'VIEW', 'MATERIALIZED VIEW', 'FOREIGN TABLE'] },
      ...{ size: bytes, db_size: bytes, idx_size: bytes, aliases: { type: 'array', items: text } },
    });
    const fields = closed({ id: text, type: text, info: { type: 'object' }, schema }, ['id', 'type']);
    return closed({ fields: { type: 'array', items: fields }, meta }, ['fields']);
  },
  datastore_upsert: (action, resource) =>
    echoed(action, resource, { records: records(resource), __extras: { type: 'object' } }),
  datastore_delete: (action, resource) => echoed(action, resource, { deleted_records: records(resource) }),
  datastore_records_delete: (action, resource) => echoed(action, resource, { deleted_records: records(resource) }),
};

/** The result of an action on the whole site. */
const ofSite: Readonly<Record<string, JsonObject>> = {
  help_show: text,
  status_show: closed({
    ...{ site_title: text, site_description: text, site_url: text, error_emails_to: { type: 'null' } },
    ...{ locale_default: text, extensions: { type: 'array', items: text }, ckan_version: text },
  }),
  resource_show: closed({
    ...{ id: text, package_id: text, name: text, description: text, format: text, mimetype: text, url: text },
    ...{ url_type: text, datastore_active: { const: true }, state: { const: 'active' } },
    ...{ created: { type: 'null' }, last_modified: { type: 'null' } },
  }),
};

/** The `result` of an action; null where it has no schema. */
export function result(action: Described, resources: readonly Shown[]): JsonObject | null {
  const ofEach = ofTable[action.name];
  if (ofEach === undefined) return ofSite[action.name] ?? null;
  return { anyOf: resources.map((resource) => ofEach(action, resource)) };
}
