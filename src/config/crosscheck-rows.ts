/** Checks row filters against the other settings: which callers may have a filter, and where a filter may contain claims. */
import { Claim } from '../model/claim.ts';
import type { Finding, Path } from './complaints.ts';
import { itemsAt, keysOf, valueAt } from './structure.ts';

/** The contradictions about a resource's row filter and its caching. @param tree the file as plain values, valid or not */
export function ofResourceRows(tree: unknown, id: string): readonly Finding[] {
  const path = ['resources', id, 'where'];
  const claims = claimsIn(valueAt(tree, path), path, 'filter');
  const read = valueAt(tree, ['resources', id, 'access', 'read']);
  const says = `must not be a claim where access.read is ${read}: nobody has claims there`;
  return [
    ...claims.filter(({ fits }) => !fits).map(misplaced),
    ...(read === 'public' || read === 'upstream' ? claims.map(({ path }) => ({ path, says })) : []),
    ...ofMaxAge(tree, id, claims.length > 0),
  ];
}

/** The paths of all grants. */
export const grantsIn = (tree: unknown): readonly Path[] =>
  itemsAt(tree, ['auth', 'jwt']).flatMap((path) => itemsAt(tree, [...path, 'grants']));

/** The contradictions about the row filter that a token or a grant has for a resource. */
export function ofCallerRows(tree: unknown, path: Path, id: string): readonly Finding[] {
  if (isPublic(tree, id))
    return [{ path, says: 'must not be given, because access.read is public: without the token one sees more' }];
  const claims = claimsIn(valueAt(tree, path), path, 'filter');
  return claims.filter(({ fits }) => !fits).map(misplaced);
}

const isPublic = (tree: unknown, id: string): boolean =>
  valueAt(tree, ['resources', id, 'access', 'read']) === 'public';

/** Refuses `maxAge` for rows that differ by caller: browsers and proxies cache by URL, so one caller could get another's rows. */
function ofMaxAge(tree: unknown, id: string, hasClaims: boolean): readonly Finding[] {
  const own = ['resources', id, 'cache', 'maxAge'];
  const path = valueAt(tree, own) === undefined ? ['cache', 'maxAge'] : own;
  if (/^0*(\.0*)?\D*$/.test(String(valueAt(tree, path) ?? 0))) return [];
  if (valueAt(tree, ['resources', id, 'access', 'read']) === 'upstream')
    return [{ path, says: `must be 0 for the resource ${id}, because the upstream decides who may read it` }];
  const callers = [...itemsAt(tree, ['tokens']), ...grantsIn(tree)];
  const ofCallers = callers.some((caller) => valueAt(tree, [...caller, 'where', id]) !== undefined);
  if (!ofCallers && !hasClaims) return [];
  return [{ path, says: `must be 0 for the resource ${id}, because its rows differ from caller to caller` }];
}

interface PlacedClaim {
  readonly path: Path;
  readonly fits: boolean;
}

/** The operators that can take a claim as their value. In a pattern, a `%` from the claim would match everything. */
const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'];

const misplaced = ({ path }: PlacedClaim): Finding => ({
  path,
  says: `must not be a claim: one stands alone as the value of a column, or of ${operators.join(', ')}`,
});

/**
 * The claims in a part of a row filter.
 * @param at what the part is: a filter, a column's value, an operator's value, or an item of a list of values
 */
function claimsIn(value: unknown, path: Path, at: 'filter' | 'column' | 'operator' | 'item'): readonly PlacedClaim[] {
  if (value instanceof Claim) {
    const fits = at === 'column' || (at === 'operator' && operators.includes(String(path.at(-1))));
    return [{ path, fits }];
  }
  if (Array.isArray(value))
    return value.flatMap((one, nth) => claimsIn(one, [...path, nth], at === 'filter' ? 'filter' : 'item'));
  return keysOf(value).flatMap((name) => {
    const isLogic = at === 'filter' && /^\$(?!\$)/.test(name);
    const part = isLogic ? 'filter' : at === 'filter' ? 'column' : 'operator';
    return claimsIn(valueAt(value, [name]), [...path, name], part);
  });
}
