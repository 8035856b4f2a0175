/** Pure. The claims of a JWT → the rights and the name of its holder. */
import { LRUCache } from 'lru-cache';
import type { RowTemplate } from '../../model/claim.ts';
import type { Caller, Grant } from '../../model/http.ts';
import type { JsonObject } from '../../model/value.ts';
import { claimAt } from '../../values/claim-at.ts';
import { isList } from '../../values/json.ts';

type Granted = Pick<Caller, 'read' | 'write' | 'where'>;

/** The limit of remembered rights: one entry for each combination of grants that matches somebody. */
const maxCombinations = 1000;

/** What an issuer's grants give to the holders of its tokens. */
export class Grants {
  readonly #grants: readonly Grant[];
  readonly #resources: readonly string[];
  /** Rights by the numbers of the matching grants, so that thousands of callers share one list of resources. */
  readonly #combinations = new LRUCache<string, Granted>({ max: maxCombinations });

  /** @param resources the ids of all resources */
  constructor(grants: readonly Grant[], resources: readonly string[]) {
    this.#grants = grants;
    this.#resources = resources;
  }

  /**
   * The rights of a caller with these claims. The first grant that matches and names a resource decides about it alone: if grants added
   * up, one without a filter would widen another by accident.
   */
  of(claims: JsonObject): Granted {
    const matching = this.#grants.filter(({ when }) => [...when].every(([name, text]) => has(claims, name, text)));
    const key = matching.map((grant) => this.#grants.indexOf(grant)).join();
    const granted = this.#combinations.get(key) ?? grantedBy(matching, this.#resources);
    this.#combinations.set(key, granted);
    return granted;
  }
}

function grantedBy(matching: readonly Grant[], resources: readonly string[]): Granted {
  const [read, write, where] = [new Set<string>(), new Set<string>(), new Map<string, RowTemplate>()];
  for (const id of resources) {
    const grant = matching.find((one) => names(one.read, id) || names(one.write, id));
    if (grant === undefined) continue;
    if (names(grant.read, id)) read.add(id);
    if (names(grant.write, id)) write.add(id);
    const filter = grant.where.get(id);
    if (filter !== undefined) where.set(id, filter);
  }
  return { read, write, where };
}

const names = (rights: Grant['read'], id: string): boolean => rights === 'all' || rights.has(id);

/** Whether a claim equals the text, or is a list that contains it. `scope` and `scp` hold a list in one text (RFC 8693, Entra ID). */
function has(claims: JsonObject, name: string, text: string): boolean {
  const claim = claimAt(claims, name.split('.'));
  if (claim === undefined) return false;
  if (isList(claim)) return claim.includes(text);
  if ((name === 'scope' || name === 'scp') && typeof claim === 'string') return claim.split(/\s+/).includes(text);
  return claim === text;
}

/** Longer names of callers are cut off. */
const maxNameLength = 100;

/**
 * The name of a caller in the log and for limits: `staff/SUBJECT`. Names of `tokens` have no `/`, and everything unusual is
 * percent-encoded, so no subject can take the name of a token or forge a line of the log. Rights do not depend on it.
 */
export function nameOf(issuer: string, subject: string): string {
  const encoded = subject.replace(/[^\w.@-]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
  return `${issuer}/${encoded}`.slice(0, maxNameLength);
}
