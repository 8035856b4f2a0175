/** Pure. What the gateway asks a CKAN about a caller, and what its answers mean. */
import type { ShortAnswer, UpstreamQuestion } from '../../model/upstream-question.ts';
import type { JsonObject } from '../../model/value.ts';
import { isObject } from '../../values/json.ts';

/** What a caller may want to do with a resource. */
export type Right = 'read' | 'write';

/** Asks whether the sender of these headers has a right on a resource of the upstream. */
export function questionOf(right: Right, id: string, headers: UpstreamQuestion['headers']): UpstreamQuestion {
  if (right === 'read') return { ...get(`resource_show?id=${encodeURIComponent(id)}`), headers };
  // CKAN checks the right to update before it looks for the table. `method: insert` needs no key, `dry_run` writes nothing, and
  // without `calculate_record_count: false` each question would make CKAN count the records.
  const params = {
    resource_id: id,
    method: 'insert',
    records: [],
    force: true,
    dry_run: true,
    calculate_record_count: false,
  };
  return { method: 'POST', target: '/api/3/action/datastore_upsert', headers, body: JSON.stringify(params) };
}

/** Asks for the account of the sender of these headers. */
export const questionOfName = (headers: UpstreamQuestion['headers']): UpstreamQuestion => ({
  ...get('user_show'),
  headers,
});

const get = (query: string) => ({ method: 'GET', target: `/api/3/action/${query}`, body: null }) as const;

/**
 * What the upstream decides. Only CKAN's own words count as a yes: a login page is a 200, too, and a proxy's missing page is a 404.
 * @throws Error with a text for the log if the answer decides nothing
 */
export function decisionIn(answer: ShortAnswer, right: Right, id: string): 'yes' | 'no' {
  const { status, body } = answer;
  if (right === 'read') {
    if (status === 403 || status === 404) return 'no';
    if (status === 200 && resultOf(body)?.id === id) return 'yes';
  } else {
    if (status === 403) return 'no';
    if (status === 200 && resultOf(body) !== null) return 'yes';
    // The sender has the right; only the table is missing.
    if (status === 404 && errorType(body) === 'Not Found Error') return 'yes';
  }
  throw new Error(`${right === 'read' ? 'resource_show' : 'datastore_upsert'} of the upstream ${answeredBy(answer)}`);
}

/** Whether the answer about the right to write shows that the upstream has a table of its own for the resource. */
export const hasOwnTable = ({ status }: ShortAnswer): boolean => status === 200;

/** The name of the account in an answer; null if there is none. */
export function nameIn({ status, body }: ShortAnswer): string | null {
  const name = status === 200 ? resultOf(body)?.name : null;
  return typeof name === 'string' && name !== '' ? name : null;
}

function resultOf(body: JsonObject | null): JsonObject | null {
  return body?.success === true && isObject(body.result) ? body.result : null;
}

const errorType = (body: JsonObject | null) =>
  body?.success === false && isObject(body.error) ? body.error.__type : null;

/** @returns the end of a sentence */
function answeredBy({ status, location, body }: ShortAnswer): string {
  if (location !== null) return `redirects to ${location}`;
  return `answered ${status}, ${body === null ? 'not in JSON' : 'not as CKAN does'}`;
}
