/** The first records are asked for together with the description of their table, so that one need not wait for the other. */
import { type Answer, call } from './call.ts';
import type { JsonObject } from './json.ts';
import { pageRequest } from './pages.ts';
import { paramsOf, viewOf } from './question.ts';

/** Returns the answer if it was asked for with exactly these parameters, and only once. The signal aborts its request, too. */
export type Early = (params: JsonObject, signal: AbortSignal) => Promise<Answer> | null;

/**
 * Asks for what the page of most tables will ask: the table has a key, which is not binary. For another one, and where the address chooses columns,
 * to which the key has to be added, the records are asked for once the table is known.
 */
export function askEarly(id: string, address: string, signal: AbortSignal): Early {
  const { question } = viewOf(address, []);
  if (question.fields !== null) return () => null;
  const params = pageRequest(paramsOf(id, question), true);
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort());
  let answer: Promise<Answer> | null = call('datastore_search', params, { signal: stop.signal });
  // An error is shown only if the answer is used.
  answer.catch(() => undefined);
  return (wanted, signal) => {
    const found = JSON.stringify(wanted) === JSON.stringify(params) ? answer : null;
    answer = null;
    if (found === null) stop.abort();
    else signal.addEventListener('abort', () => stop.abort());
    return found;
  };
}
