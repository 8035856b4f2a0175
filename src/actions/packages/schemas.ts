/** Pure. The JSON Schemas of packages and organizations in results. */
import type { JsonObject } from '../../model/value.ts';
import { count, flag, list, text } from '../openapi/result-schemas.ts';
import { closed } from '../openapi/tables.ts';

const textOrNull: JsonObject = { type: ['string', 'null'] };

const inPackage = {
  ...{ id: text, name: text, title: text, type: { const: 'organization' }, description: text, image_url: text },
  ...{ is_organization: { const: true }, approval_status: { const: 'approved' }, state: { const: 'active' } },
};

const nothing: JsonObject = { type: 'array', maxItems: 0 };

/** The schema of an organization. */
export const organization: JsonObject = closed({
  ...inPackage,
  ...{ display_name: text, image_display_url: text, package_count: count },
  ...{ extras: nothing, groups: nothing, tags: nothing, users: nothing },
});

/** The schema of a package. */
export const packageSchema: JsonObject = closed({
  ...{ id: text, name: text, title: text, notes: text, type: { const: 'dataset' } },
  ...{ state: { const: 'active' }, private: { const: false }, url: textOrNull },
  ...{ author: textOrNull, author_email: textOrNull, maintainer: textOrNull, maintainer_email: textOrNull },
  ...{ license_id: textOrNull, license_title: textOrNull, license_url: textOrNull, isopen: flag },
  ...{ metadata_created: text, metadata_modified: text, owner_org: textOrNull },
  organization: { anyOf: [closed(inPackage), { type: 'null' }] },
  ...{ groups: nothing, tags: list(closed({ name: text, display_name: text, state: text })), num_tags: count },
  extras: list(closed({ key: text, value: text })),
  resources: list(
    closed({
      ...{ id: text, package_id: text, position: count, name: text, description: text, format: text, mimetype: text },
      ...{ url: text, url_type: text, datastore_active: flag, state: text, created: text, last_modified: text },
    }),
  ),
  num_resources: count,
});
