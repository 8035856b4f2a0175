import { byUpstream, type SiteAction } from './action.ts';

/** Lists no groups of datasets: only CKAN has them. */
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
