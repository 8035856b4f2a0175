import type { StreamAction } from './action.ts';
import { namesOf, Params } from './params.ts';

/** Streams change notices, so that a page can show new records without polling. CKAN lacks this action. */
export const datastore_changes: StreamAction = {
  about: 'stream',
  name: 'datastore_changes',
  sideEffectFree: true,
  unknown: (name) => `Resource "${name}" was not found.`,
  help: 'Tell when records of resources have changed: server-sent events, without the records, until the client leaves.',
  parameters: [
    {
      name: 'resource_id',
      also: 'id',
      type: 'resources',
      required: true,
      extension: true,
      help: 'The resources, at most 64. As `id` it wins where both are given.',
    },
  ],
  example: { resource_id: 'example' },
  parse(given) {
    const params = new Params(given);
    const names = params.resourceIds();
    params.refuseUnknown(known);
    params.check();
    return names;
  },
};
const known = namesOf(datastore_changes.parameters);
