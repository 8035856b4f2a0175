import { organizationsOf } from '../metadata/ckan.ts';
import { notFound } from '../model/errors.ts';
import { byUpstream, type SiteAction } from './action.ts';
import { organization } from './packages/schemas.ts';
import { Params } from './params.ts';

/** Describes a publisher. CKAN's harvester asks for it if it may create organizations. */
export const organization_show: SiteAction = {
  about: 'site',
  name: 'organization_show',
  sideEffectFree: true,
  help: 'Describe a publisher of datasets of public tables.',
  parameters: [{ name: 'id', type: 'text', required: true, help: 'UUID or name.' }],
  example: { id: 'example' },
  exampleOn({ datasets, url }) {
    const [first] = organizationsOf(datasets, url);
    return first === undefined ? null : { id: first.name ?? null };
  },
  answeredBy: byUpstream,
  answer(given, { datasets, url }) {
    const params = new Params(given);
    const wanted = params.text('id');
    params.check();
    const found = organizationsOf(datasets, url).find(({ id, name }) => id === wanted || name === wanted);
    if (found === undefined) throw notFound();
    return found;
  },
  resultSchema: organization,
};
