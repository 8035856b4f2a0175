/** What a reload makes visible. We log it, because it may be unintended: the file may have been half written. */
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'lossless-json';
import type { Settings, TokenSettings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import type { RowTemplate } from '../model/claim.ts';
import type { Resolved, Served } from '../tables/served.ts';
import { printable } from '../values/printable.ts';

type Shown = Pick<Served, 'resources'> & { readonly settings: Pick<Settings, 'auth' | 'tokens'> };

/** Resources, columns and rights that only the new configuration grants. The columns of a table that can't be read now are left out. */
export function widened(before: Shown, after: Shown): readonly Finding[] {
  const old = new Map(before.resources.map((resource) => [resource.id, resource]));
  return [
    ...after.resources.flatMap((resource) => {
      const was = old.get(resource.id);
      return was === undefined ? appeared(resource) : widenedIn(was, resource);
    }),
    ...issuersWidened(before.settings, after.settings),
    ...tokensWidened(before.settings, after.settings),
  ];
}

const readers = {
  public: 'everybody',
  token: 'holders of a token',
  upstream: 'everybody whom the upstream lets',
} as const;

const appeared = ({ id, access }: Resolved): readonly Finding[] => [
  {
    path: ['resources', id],
    says: `is new: ${readers[access.read]} may read it${access.write !== 'none' ? ', and write it' : ''}`,
  },
];

function widenedIn(was: Resolved, is: Resolved): readonly Finding[] {
  const says = (text: string): Finding => ({ path: ['resources', is.id], says: text });
  const isOther = (['database', 'schema', 'table'] as const).some((part) => was.settings[part] !== is.settings[part]);
  const seen = new Set(isOther ? [] : columnsOf(was));
  const columns = columnsOf(is).filter((name) => !seen.has(name));
  // If the same table could not be read before, we don't know which of its columns were visible: don't report them all as new.
  const isKnown = isOther || typeof was.table !== 'string';
  return [
    ...(isKnown && columns.length > 0
      ? [says(`now shows ${isOther ? 'another table, with ' : ''}${list(columns)}`)]
      : []),
    ...(was.access.read !== is.access.read && is.access.read !== 'token'
      ? [says(`may now be read by ${readers[is.access.read]}`)]
      : []),
    ...(was.settings.where !== null && isOtherFilter(was.settings.where, is.settings.where)
      ? [says(`now has ${is.settings.where === null ? 'all rows of its table' : 'other rows'}`)]
      : []),
    ...(was.access.write !== is.access.write && is.access.write !== 'none'
      ? [
          says(
            is.access.write === 'token'
              ? 'may now be written with a token'
              : 'may now be written by everybody whom the upstream lets',
          ),
        ]
      : []),
  ];
}

/** Whether a filter was changed. Only the database could tell whether it now allows more rows. */
const isOtherFilter = (was: RowTemplate, is: RowTemplate | null | undefined): boolean =>
  stringify(was) !== stringify(is ?? null);

/** The columns that calls see, by their names in the table. */
const columnsOf = ({ table }: Resolved): readonly string[] =>
  typeof table === 'string' ? [] : [...new Set(table.columns.map(({ name }) => name))];

const maxNames = 10;
function list(names: readonly string[]): string {
  const more = names.length > maxNames ? `, … and ${names.length - maxNames} more` : '';
  return `${names.slice(0, maxNames).map(printable).join(', ')}${more}`;
}

/** JWT issuers that are new, or have other grants than before: what callers may now do depends on their claims. */
function issuersWidened(before: Shown['settings'], after: Shown['settings']): readonly Finding[] {
  return after.auth.jwt.flatMap(({ issuer, grants }, nth) => {
    const was = before.auth.jwt.find((one) => one.issuer === issuer);
    if (was !== undefined && isDeepStrictEqual(was.grants, grants)) return [];
    const says =
      was === undefined ? 'is new: its tokens are logins' : 'has other grants, so its callers may see or write more';
    return [{ path: ['auth', 'jwt', nth], says }];
  });
}

/** Tokens that may read or write more than before. Old and new tokens are matched by their hash, because a token can be renamed. */
function tokensWidened(before: Shown['settings'], after: Shown['settings']): readonly Finding[] {
  return after.tokens.flatMap((token, nth) => {
    const was = before.tokens.find(({ sha256 }) => sha256 === token.sha256);
    const filtered = [...(was?.where ?? [])].filter(([id, filter]) => isOtherFilter(filter, token.where.get(id)));
    const hasClaims = Object.keys(token.claims).length > 0;
    const hasOtherClaims = hasClaims && was !== undefined && stringify(was.claims) !== stringify(token.claims);
    return [
      ...filtered.map(([id]) => ({ path: ['tokens', nth], says: `may now see other rows of ${printable(id)}` })),
      ...(hasOtherClaims ? [{ path: ['tokens', nth], says: 'has other claims, so it may see other rows' }] : []),
      ...rightsWidened(was, token, nth),
    ];
  });
}

function rightsWidened(was: TokenSettings | undefined, token: TokenSettings, nth: number): readonly Finding[] {
  return (['read', 'write'] as const).flatMap((right) => {
    const [had, has] = [was?.[right] ?? new Set(), token[right]];
    if (had === 'all' || (has !== 'all' && [...has].every((name) => had.has(name)))) return [];
    const more = has === 'all' ? 'all resources' : list([...has].filter((name) => !had.has(name)));
    return [{ path: ['tokens', nth], says: `may now ${right} ${more}` }];
  });
}
