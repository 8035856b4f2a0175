import { licencesOf } from '../metadata/ckan.ts';
import { byUpstream, type SiteAction } from './action.ts';
import { list, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';

/** Lists the licences of datasets. */
export const license_list: SiteAction = {
  about: 'site',
  name: 'license_list',
  sideEffectFree: true,
  help: 'List the licences of the datasets of public tables.',
  parameters: [],
  example: {},
  answeredBy: byUpstream,
  answer: (_, { datasets }) => licencesOf(datasets),
  resultSchema: list(closed({ id: text, title: text, url: text, status: text, od_conformance: text })),
};
