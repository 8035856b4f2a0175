import { notFound } from '../model/errors.ts';
import { aboutOf, aboutSchema } from './about.ts';
import type { SiteAction } from './action.ts';
import { nothing, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { Params } from './params.ts';

/** Describes a resource: clients call it before they request data. */
export const resource_show: SiteAction = {
  about: 'site',
  name: 'resource_show',
  sideEffectFree: true,
  help: 'Describe a resource: its title, and where its data can be downloaded.',
  parameters: [{ name: 'id', type: 'resource', required: true, help: 'The resource.' }],
  example: { id: 'example' },
  // Prefer the upstream's answer: a client may edit it and send it back by resource_update, which needs all its members.
  answeredBy: ({ id }, isResource) => (typeof id === 'string' && isResource(id) ? 'upstream unless 404' : 'upstream'),
  async answer(given, site) {
    const params = new Params(given);
    const id = params.text('id');
    params.check();
    const resource = await site.resource(id);
    if (resource === undefined) throw notFound();
    const extremes = (await site.extremes([resource.id])).get(resource.id) ?? null;
    return {
      id: resource.id,
      package_id: resource.identity.dataset.uuid,
      name: resource.title,
      description: resource.description,
      format: 'CSV',
      mimetype: 'text/csv',
      url: `${site.url}/datastore/dump/${encodeURIComponent(resource.id)}`,
      url_type: 'datastore',
      datastore_active: true,
      state: 'active',
      created: null,
      last_modified: extremes?.lastChange ?? null,
      about: aboutOf(resource.metadata, resource.table?.about.roles ?? null, extremes),
    };
  },
  resultSchema: closed({
    id: text,
    package_id: text,
    name: text,
    description: text,
    format: text,
    mimetype: text,
    url: text,
    url_type: text,
    datastore_active: { const: true },
    state: { const: 'active' },
    created: nothing,
    last_modified: { type: ['string', 'null'] },
    about: aboutSchema,
  }),
};
