/** The names that CKAN lists in its own `_table_metadata`. */
import type { MetadataRow } from '../actions/table_metadata/table.ts';
import { Refusal } from '../model/errors.ts';
import type { UpstreamAnswer } from '../model/http.ts';
import type { Json } from '../model/value.ts';
import { isList, isObject, jsonIn } from '../values/json.ts';
import { scalarText } from '../values/show.ts';
import { inSlices } from '../values/slices.ts';

/** Limit of names to request: our JSON parser refuses an answer with many more. CKAN itself sends at most 32,000. */
const maxNames = 10_000;

/** The target of our request for the names: the path of the client's call, with a query of our own. */
export const targetOfNames = (target: string): string =>
  `${target.replace(/[?#].*/s, '')}?resource_id=_table_metadata&sort=name&limit=${maxNames}`;

/** The names in CKAN's answer; none if there is no answer. Throws a 502 if CKAN's search failed. */
export async function upstreamNames(answer: UpstreamAnswer | null): Promise<readonly MetadataRow[]> {
  if (answer === null || answer.body === null) return [];
  const read = await inSlices(jsonIn(answer.body.toString(), 20)).catch(() => null);
  const result = read !== null && 'value' in read && isObject(read.value) ? read.value.result : null;
  const records = isObject(result) ? (result.records ?? null) : null;
  if (!isList(records))
    throw new Refusal('badGateway', { message: 'Bad Gateway: the application behind the gateway lists no tables' });
  const text = (value: Json | undefined) => (value === undefined ? null : scalarText(value));
  return records.filter(isObject).map(({ _id, name, oid, alias_of }) => ({
    _id: text(_id),
    name: text(name),
    oid: text(oid),
    alias_of: text(alias_of),
  }));
}
