import { byUpstream, type SiteAction } from './action.ts';
import { list, text } from './openapi/result-schemas.ts';
import { Params } from './params.ts';

/** Lists the names of all datasets of public tables. */
export const package_list: SiteAction = {
  about: 'site',
  name: 'package_list',
  sideEffectFree: true,
  help: 'List the names of the datasets of public tables.',
  parameters: [
    { name: 'limit', type: 'count', help: 'At most so many.' },
    { name: 'offset', type: 'count', default: 0, help: 'How many to leave out first.' },
  ],
  example: { limit: 10 },
  answeredBy: byUpstream,
  answer(given, { datasets }) {
    const params = new Params(given);
    const limit = params.natural('limit', datasets.length);
    const offset = params.natural('offset', 0);
    params.check();
    return datasets.slice(offset, offset + limit).map(({ name }) => name);
  },
  resultSchema: list(text),
};
