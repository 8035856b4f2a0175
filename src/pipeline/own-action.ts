import type { CallParameters } from '../accept/parameters.ts';
import type { SelectAction, SiteAction, TableAction } from '../actions/action.ts';
import type { UpstreamAnswer } from '../model/http.ts';
import { compressed } from '../reply/compress.ts';
import { plainSuccess } from '../reply/envelope.ts';
import { type ActionCall, sentBy } from './call.ts';
import { type CallAnswer, uncached } from './finish.ts';
import { listing } from './pages.ts';
import { answerSelect } from './select.ts';
import { shadowed } from './shadow.ts';
import { siteOf } from './site.ts';
import { succeeded } from './succeeded.ts';
import { answerTable } from './table.ts';

/** Answers a call of one of our actions. @param upstream the upstream's answer to the same call; null if the call was not sent to it */
export async function answerOwn(
  sent: ActionCall,
  action: TableAction | SiteAction | SelectAction,
  received: CallParameters,
  upstream: UpstreamAnswer | null,
): Promise<CallAnswer> {
  const call = received.anonymous ? sentBy(sent, 'callback') : sent;
  if (action.about === 'table') {
    const answering = answerTable(call, action, received, upstream);
    const isCompared = call.gateway.shadow !== null && action.name === 'datastore_search';
    return isCompared ? shadowed(call, received, answering) : answering;
  }
  if (action.about === 'select') return answerSelect(call, action, received);
  const body = plainSuccess(call.help, await action.answer(received.params, siteOf(call)));
  const reply = await succeeded(body, listing(call.gateway), received.callback);
  return uncached(await compressed(reply, call.conditional.acceptEncoding));
}
