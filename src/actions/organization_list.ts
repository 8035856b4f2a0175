import { organizationsOf } from '../metadata/ckan.ts';
import { byUpstream, type SiteAction } from './action.ts';
import { list, text } from './openapi/result-schemas.ts';
import { organization } from './packages/schemas.ts';
import { Params } from './params.ts';

/** Lists the publishers of datasets, which CKAN calls organizations. */
export const organization_list: SiteAction = {
  about: 'site',
  name: 'organization_list',
  sideEffectFree: true,
  help: 'List the publishers of the datasets of public tables.',
  parameters: [{ name: 'all_fields', type: 'flag', default: false, help: 'Whether to describe each.' }],
  example: { all_fields: true },
  answeredBy: byUpstream,
  answer(given, { datasets, url }) {
    const isWhole = new Params(given).boolean('all_fields', false);
    const all = organizationsOf(datasets, url);
    return isWhole ? all : all.map(({ name = null }) => name);
  },
  resultSchema: { anyOf: [list(text), list(organization)] },
};
