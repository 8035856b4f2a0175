import { notFound } from '../model/errors.ts';
import type { SiteAction } from './action.ts';
import { manual } from './describe.ts';
import { text } from './openapi/result-schemas.ts';
import { Params } from './params.ts';

/** Explains an action. Clients call it to find out which actions exist. */
export const help_show: SiteAction = {
  about: 'site',
  name: 'help_show',
  sideEffectFree: true,
  help: 'Explain an action: what it does, what it takes, and a call that works.',
  parameters: [{ name: 'name', type: 'text', required: true, help: 'The name of the action.' }],
  example: { name: 'datastore_search' },
  answeredBy: ({ name }, _, isAction) => (typeof name !== 'string' || isAction(name) ? 'gateway' : 'upstream'),
  answer(given, site) {
    const params = new Params(given);
    const name = params.text('name');
    params.check();
    const found = site.actions.find((action) => action.name === name);
    if (found === undefined) throw notFound('Action function not found');
    return manual(found, site.url);
  },
  resultSchema: text,
};
