import { byUpstream, type SiteAction } from './action.ts';

/** Groups of datasets, which only CKAN has. */
export const group_list: SiteAction = {
  about: 'site',
  name: 'group_list',
  sideEffectFree: true,
  help: 'List the groups of datasets. There are none.',
  parameters: [],
  example: {},
  answeredBy: byUpstream,
  answer: () => [],
  resultSchema: { type: 'array', maxItems: 0 },
};
