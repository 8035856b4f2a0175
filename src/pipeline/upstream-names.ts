/** The names that CKAN lists in its own `_table_metadata`. */
import type { MetadataRow } from '../actions/table_metadata/table.ts';
import { Refusal } from '../model/errors.ts';
import type { UpstreamAnswer } from '../model/http.ts';
import type { Json } from '../model/value.ts';
import { isList, isObject, jsonIn } from '../values/json.ts';
import { scalarText } from '../values/show.ts';
import { inSlices } from '../values/slices.ts';

/** More JSON than these have is refused by its parser. CKAN itself answers with at most 32,000. */
const mostNames = 10_000;

/** The target of the search for the names: at the address of the client's own. */
export const namesTarget = (target: string): string =>
  `${target.replace(/[?#].*/s, '')}?resource_id=_table_metadata&sort=name&limit=${mostNames}`;

/** The names in CKAN's answer; none where it has no DataStore. Throws a 502 for anything but a successful search. */
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
