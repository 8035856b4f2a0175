import { packageOf } from '../metadata/ckan.ts';
import { notFound } from '../model/errors.ts';
import { byUpstream, type SiteAction } from './action.ts';
import { packageSchema } from './packages/schemas.ts';
import { Params } from './params.ts';

/** Describes a dataset of public tables. */
export const package_show: SiteAction = {
  about: 'site',
  name: 'package_show',
  sideEffectFree: true,
  help: 'Describe a dataset of public tables.',
  parameters: [{ name: 'id', type: 'text', required: true, help: 'UUID or name.' }],
  example: { id: 'example' },
  exampleOn: ({ datasets: [first] }) => (first === undefined ? null : { id: first.name }),
  answeredBy: byUpstream,
  async answer(given, site) {
    const params = new Params(given);
    const id = params.text('id');
    params.check();
    const found = site.datasets.filter(({ name, uuid }) => name === id || uuid === id);
    const [dataset] = await site.dated(found.slice(0, 1));
    if (dataset === undefined) throw notFound();
    return packageOf(dataset, site.url);
  },
  resultSchema: packageSchema,
};
