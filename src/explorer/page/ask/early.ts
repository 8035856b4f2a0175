/** Requests the first records together with the table's description, so that neither has to wait for the other. */
import { type Answer, call } from './call.ts';
import type { JsonObject } from './json.ts';
import { pageRequest } from './pages.ts';
import { paramsOf, viewOf } from './question.ts';

/** Returns the answer if the early request had exactly these parameters, and only once. The signal aborts that request, too. */
export type Early = (params: JsonObject, signal: AbortSignal) => Promise<Answer> | null;

/**
 * Sends the request that the page will need for most tables: those with a key that is not binary. For any other table, and if the address
 * chooses columns (the key has to be added to them), the records are requested once the table is known.
 */
export function askEarly(id: string, address: string, signal: AbortSignal): Early {
  const { question } = viewOf(address, []);
  if (question.fields !== null) return () => null;
  const params = pageRequest(paramsOf(id, question), true);
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort());
  let answer: Promise<Answer> | null = call('datastore_search', params, { signal: stop.signal });
  // An error only matters if the answer is used.
  answer.catch(() => undefined);
  return (wanted, signal) => {
    const found = JSON.stringify(wanted) === JSON.stringify(params) ? answer : null;
    answer = null;
    if (found === null) stop.abort();
    else signal.addEventListener('abort', () => stop.abort());
    return found;
  };
}
