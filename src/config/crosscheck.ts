/**
 * Checks that the settings agree with one another. It works on the raw tree, so that its complaints appear together with the schema's; it
 * skips parts of the wrong type.
 */

import { engineOf, isEmbedded } from '../model/engines.ts';
import { nearest } from '../values/nearest.ts';
import { type Finding, formatPath, type Path, show } from './complaints.ts';
import { grantsIn, ofCallerRows, ofResourceRows } from './crosscheck-rows.ts';
import { label, poolMax } from './readers.ts';
import { itemsAt, keysOf, valueAt } from './structure.ts';

/** The contradictions between settings. @param tree the file as plain values, valid or not */
export function crosscheck(tree: unknown): readonly Finding[] {
  const databases = keysOf(valueAt(tree, ['databases']));
  const resources = keysOf(valueAt(tree, ['resources']));
  const taken = new Map<string, Path>(resources.map((id) => [id, ['resources', id]]));
  return [
    ...databases.flatMap((name) => [...nameFindings(['databases', name], name), ...feed(tree, name)]),
    ...resources.flatMap((id) => [
      ...nameFindings(['resources', id], id),
      ...placeFindings(tree, id, databases),
      ...unique(texts(tree, ['resources', id, 'aliases']), taken),
      ...unique(texts(tree, ['resources', id, 'key'])),
      ...columns(tree, id, resources),
      ...ofResourceRows(tree, id),
      ...upstreamAccess(tree, id),
      ...shadow(tree, id),
      ...sqlAccess(tree, id),
      ...texts(tree, ['resources', id, 'invalidates']).flatMap((t) =>
        mustBeOneOf(t, 'the id of a resource', resources),
      ),
    ]),
    ...datasets(tree, resources),
    ...tokens(tree, resources),
    ...issuers(tree, resources),
    ...workers(tree, databases),
  ];
}

/**
 * Checks that there are not too many workers: each needs at least one of every database's `pool.max` connections, and an embedded database
 * allows only one process.
 */
function workers(tree: unknown, databases: readonly string[]): readonly Finding[] {
  const count = Number(valueAt(tree, ['server', 'workers']) ?? 1);
  return databases.flatMap((name): readonly Finding[] => {
    const max = ['databases', name, 'pool', 'max'];
    if (count > 1 && isEmbedded(valueAt(tree, ['databases', name, 'client'])))
      return [
        {
          path: ['server', 'workers'],
          must: `1 with an embedded database (${formatPath(['databases', name])})`,
          got: count,
        },
      ];
    if (count > Number(valueAt(tree, max) ?? poolMax))
      return [
        {
          path: max,
          must: 'at least server.workers, because each has connections of its own',
          got: valueAt(tree, max) ?? poolMax,
        },
      ];
    return [];
  });
}

/** Refuses `feedConnection` together with `feed: none`, because it would never be used. */
function feed(tree: unknown, name: string): readonly Finding[] {
  const kind = valueAt(tree, ['databases', name, 'feed']);
  const path = ['databases', name, 'feedConnection'];
  if (kind !== 'none' || valueAt(tree, path) === undefined) return [];
  return [{ path, says: 'must not be given with feed: none, which reads no log' }];
}

/** Checks that datasets list only resources that exist, that no resource is listed twice, and that CKAN could take the names. */
function datasets(tree: unknown, resources: readonly string[]): readonly Finding[] {
  const names = keysOf(valueAt(tree, ['datasets']));
  const listed = names.flatMap((name) => texts(tree, ['datasets', name, 'resources']));
  const must = 'named by 2 to 100 small letters, digits, - or _';
  return [
    ...names
      .filter((name) => !/^[a-z0-9_-]{2,100}$/.test(name))
      .map((name) => ({ path: ['datasets', name], must, got: name })),
    ...listed.flatMap((one) => mustBeOneOf(one, 'the id of a resource', resources)),
    ...unique(listed),
  ];
}

/** Refuses `access: upstream` without an upstream to ask. */
function upstreamAccess(tree: unknown, id: string): readonly Finding[] {
  if (valueAt(tree, ['upstream', 'url']) !== undefined) return [];
  return ['read', 'write']
    .map((right) => ['resources', id, 'access', right])
    .filter((path) => valueAt(tree, path) === 'upstream')
    .map((path) => ({ path, says: 'must not be upstream without `upstream.url`, whose application would decide' }));
}

/** Refuses `shadow` without an upstream to compare with. */
function shadow(tree: unknown, id: string): readonly Finding[] {
  const path = ['resources', id, 'shadow'];
  if ((valueAt(tree, path) ?? null) === null || valueAt(tree, ['upstream', 'url']) !== undefined) return [];
  return [{ path, says: 'must not be given without `upstream.url`, whose answers it compares' }];
}

/** Refuses SQL if nothing can end a long statement: a single JOIN would block all calls. */
function sqlAccess(tree: unknown, id: string): readonly Finding[] {
  const path = ['resources', id, 'access', 'sql'];
  const database = valueAt(tree, ['resources', id, 'database']);
  const client = typeof database === 'string' ? valueAt(tree, ['databases', database, 'client']) : undefined;
  if (valueAt(tree, path) !== true || !isEmbedded(client)) return [];
  return [
    {
      path,
      says: `must be false with an embedded database (${formatPath(['databases', String(database)])}), which cannot end a long statement`,
    },
  ];
}

/** A string in the configuration file, with its path. */
interface Text {
  readonly path: Path;
  readonly text: string;
}

function nameFindings(path: Path, name: string): readonly Finding[] {
  const result = label('named by text').safeParse(name);
  return result.success ? [] : result.error.issues.map((issue) => ({ path, must: issue.message, got: name }));
}

function placeFindings(tree: unknown, id: string, databases: readonly string[]): readonly Finding[] {
  const path = ['resources', id, 'database'];
  const database = valueAt(tree, path);
  if (typeof database !== 'string') return [];
  const wrong = mustBeOneOf({ path, text: database }, 'the name of a configured database', databases);
  const schema = ['resources', id, 'schema'];
  const client = valueAt(tree, ['databases', database, 'client']);
  const hasSchemas = engineOf(client)?.schema !== null;
  if (hasSchemas || valueAt(tree, schema) === undefined) return wrong;
  return [{ path: schema, says: `must not be given: what ${client} calls a schema is the database` }];
}

/** Checks that column names are unique in the API, that references name resources, and that hidden columns are not searched. */
function columns(tree: unknown, id: string, resources: readonly string[]): readonly Finding[] {
  const path = ['resources', id, 'columns'];
  const all = keysOf(valueAt(tree, path));
  const isHidden = (name: string) => String(valueAt(tree, [...path, name, 'hidden'])) === 'true';
  const labels = all.flatMap((name): readonly Text[] => {
    const as = valueAt(tree, [...path, name, 'as']);
    if (isHidden(name)) return [];
    return typeof as === 'string'
      ? [{ path: [...path, name, 'as'], text: as }]
      : [{ path: [...path, name], text: name }];
  });
  const searched = texts(tree, ['resources', id, 'search', 'columns']);
  return [
    ...unique(labels),
    ...unique(searched),
    ...all
      .flatMap((name) => textAt(tree, [...path, name, 'references', 'resource']))
      .flatMap((t) => mustBeOneOf(t, 'the id of a resource', resources)),
    ...searched
      .filter((t) => all.includes(t.text) && isHidden(t.text))
      .map((t) => ({ path: t.path, must: 'a column that is not hidden', got: t.text })),
  ];
}

function tokens(tree: unknown, resources: readonly string[]): readonly Finding[] {
  const all = itemsAt(tree, ['tokens']);
  return [
    ...unique(all.flatMap((path) => textAt(tree, [...path, 'name']))),
    ...unique(all.flatMap((path) => textAt(tree, [...path, 'sha256']))),
    ...all.flatMap((path) => rights(tree, path, resources)),
  ];
}

function issuers(tree: unknown, resources: readonly string[]): readonly Finding[] {
  const all = itemsAt(tree, ['auth', 'jwt']);
  return [
    ...unique(all.flatMap((path) => textAt(tree, [...path, 'name']))),
    ...unique(all.flatMap((path) => textAt(tree, [...path, 'issuer']))),
    ...grantsIn(tree).flatMap((path) => [...rights(tree, path, resources), ...unnamed(tree, path)]),
  ];
}

/** Checks which resources a token or a grant lists, and its row filters. */
function rights(tree: unknown, path: Path, resources: readonly string[]): readonly Finding[] {
  const listed = [...texts(tree, [...path, 'read']), ...texts(tree, [...path, 'write'])];
  return [
    ...listed.filter((t) => t.text !== '*').flatMap((t) => mustBeOneOf(t, 'the id of a resource or "*"', resources)),
    ...keysOf(valueAt(tree, [...path, 'where'])).flatMap((id) => {
      const at = [...path, 'where', id];
      const wrong = mustBeOneOf({ path: at, text: id }, 'the id of a resource', resources);
      return wrong.length > 0 ? wrong : ofCallerRows(tree, at, id);
    }),
  ];
}

/** Refuses a grant's filters for resources that the grant does not list: a later grant would decide about those, without the filter. */
function unnamed(tree: unknown, path: Path): readonly Finding[] {
  const named = [...texts(tree, [...path, 'read']), ...texts(tree, [...path, 'write'])].map(({ text }) => text);
  if (named.includes('*')) return [];
  return keysOf(valueAt(tree, [...path, 'where']))
    .filter((id) => !named.includes(id))
    .map((id) => ({
      path: [...path, 'where', id],
      says: 'must be for a resource that the grant names in read or write',
    }));
}

/** Complains about repeated strings. @param taken the strings already in use, to which the new ones are added */
function unique(candidates: readonly Text[], taken = new Map<string, Path>()): readonly Finding[] {
  return candidates.flatMap(({ path, text }) => {
    const first = taken.get(text);
    if (first === undefined) taken.set(text, path);
    return first === undefined ? [] : [{ path, must: `unique, but is that of ${formatPath(first)} too`, got: text }];
  });
}

function mustBeOneOf({ path, text }: Text, what: string, names: readonly string[]): readonly Finding[] {
  if (names.includes(text)) return [];
  const near = nearest(text, names);
  return [{ path, must: near === null ? what : `${what} (did you mean ${show(near)}?)`, got: text }];
}

const texts = (tree: unknown, path: Path): readonly Text[] => itemsAt(tree, path).flatMap((at) => textAt(tree, at));

function textAt(tree: unknown, path: Path): readonly Text[] {
  const text = valueAt(tree, path);
  return typeof text === 'string' ? [{ path, text }] : [];
}
