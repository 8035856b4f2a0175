/** Pure. Request target → route (docs/ckan-compatibility.md, Addresses), and the answers that depend on the method alone. */
import type { Reply } from '../model/http.ts';

/** No route redirects, because ckanapi does not follow redirects of a POST. */
export type Route =
  | { readonly to: 'action'; readonly name: string; readonly language: string | null; readonly query: string }
  | { readonly to: 'dump'; readonly id: string; readonly query: string }
  | { readonly to: 'openapi'; readonly query: string }
  /** The explorer: the list of tables, or one table. */
  | { readonly to: 'explorer'; readonly id: string | null; readonly language: string | null }
  /** The list of public tables for search engines. `isRoot`: at `/sitemap.xml`, which goes to the upstream if there is one. */
  | { readonly to: 'sitemap'; readonly isRoot: boolean }
  /** The catalogue for harvesters, in one of its formats. */
  | { readonly to: 'catalog'; readonly format: 'catalog.jsonld' | 'data.json'; readonly query: string }
  /** A dataset of the catalogue. */
  | { readonly to: 'dataset'; readonly name: string }
  /** A file of the explorer. */
  | { readonly to: 'asset'; readonly name: string }
  | { readonly to: 'version'; readonly version: 1 | 2 | 3 }
  /** The endpoint for agents. */
  | { readonly to: 'mcp' }
  /** The path where the gateway is mounted. */
  | { readonly to: 'front' }
  | { readonly to: 'nothing' };

export interface Paths {
  /** The path where the gateway is mounted: `''` or `/data`. */
  readonly basePath: string;
  readonly languages: 'any' | 'none' | readonly string[];
}

const nothing: Route = { to: 'nothing' };
const front: Route = { to: 'front' };
const mcp: Route = { to: 'mcp' };
const possible = /api|datastore|mcp|sitemap|%/;
/** Targets of the catalogue. They are not in `possible`, because they go to the upstream if there is one: CKAN has pages at `/dataset/…`. */
const ofCatalog = /\/(?:catalog\.jsonld|data\.json|dataset\/)/;
/** A quick test: false for targets that an upstream certainly gets, even if percent-encoded. Most forwarded requests are such targets. */
export const mayBeOurs = (target: string): boolean => target.startsWith('/api/') || possible.test(target);
const languageSegment = /^[a-z]{2,3}(?:[_-][A-Za-z]{2,8})*$/;
const versions: ReadonlyMap<string, 1 | 2 | 3> = new Map([
  ['1', 1],
  ['2', 2],
  ['3', 3],
]);

/**
 * Finds the route of a request target. Segments are decoded one by one, so `%2F` never makes a new segment; `.` and `..` have no
 * special meaning.
 * @param target as in the request line; of an absolute URL (RFC 9112 3.2.2) only the path counts
 * @returns `nothing` for targets of no route, and for badly encoded paths
 */
export function route(target: string, paths: Paths): Route {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  if (path === paths.basePath || path === `${paths.basePath}/`) return front;
  if (!mayBeOurs(target) && !ofCatalog.test(target)) return nothing;
  const query = mark < 0 ? '' : local.slice(mark + 1);
  const segments = path.startsWith('/') ? decoded(path.slice(1).split('/')) : null;
  const base = paths.basePath === '' ? [] : paths.basePath.slice(1).split('/');
  if (segments === null || base.some((segment, i) => segments[i] !== segment)) return nothing;

  const [first, ...rest] = segments.slice(base.length);
  if (first === 'api') return api(rest, null, query);
  if (first === 'datastore') return datastore(rest, null, query);
  if (first === 'mcp' && rest.length === 0) return mcp;
  if (first === 'sitemap.xml' && rest.length === 0) return { to: 'sitemap', isRoot: true };
  if ((first === 'catalog.jsonld' || first === 'data.json') && rest.length === 0)
    return { to: 'catalog', format: first, query };
  const [name] = rest;
  if (first === 'dataset' && rest.length === 1 && name !== undefined && name !== '') return { to: 'dataset', name };
  if (first === undefined || !isLanguage(first, paths.languages)) return nothing;
  const [second, ...others] = rest;
  if (second === 'api') return api(others, first, query);
  return second === 'datastore' ? datastore(others, first, query) : nothing;
}

/**
 * Whether a target looks like a misspelt download URL: a trailing slash, empty or dot segments, `%2F`, wrong case, or outside the
 * base path. A form posted there may carry one of our tokens, which must not reach the upstream.
 */
export function resemblesDownload(target: string): boolean {
  if (!/datastore|%/i.test(target)) return false;
  const segments = decodeLeniently(target.replace(/[?#].*/s, ''))
    .toLowerCase()
    .split(/[\\/]/);
  const first = segments.indexOf('datastore');
  return first >= 0 && segments.includes('dump', first);
}

/** Decodes percent-encoded UTF-8, and leaves malformed sequences as they are. */
export function decodeLeniently(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => decoded([bytes])?.[0] ?? bytes);
}

/** The segments after `/datastore`. */
function datastore(rest: readonly string[], language: string | null, query: string): Route {
  const [page, id, name] = rest;
  if (page === 'explore') {
    if (id === 'sitemap.xml' && rest.length === 2 && language === null) return { to: 'sitemap', isRoot: false };
    if (id === '-' && rest.length === 3 && name !== undefined) return { to: 'asset', name };
    return rest.length <= 2 ? { to: 'explorer', id: id === undefined || id === '' ? null : id, language } : nothing;
  }
  return page === 'dump' && rest.length === 2 && id !== undefined && id !== '' ? { to: 'dump', id, query } : nothing;
}

/** The segments after `/api`. Only the version paths may end in a slash. */
function api(rest: readonly string[], language: string | null, query: string): Route {
  const [first, second] = rest;
  const call = first === '3' ? rest.slice(1) : rest;
  const name = call[1];
  if (call.length === 2 && call[0] === 'action' && name !== undefined && name !== '' && !name.includes('/')) {
    return { to: 'action', name, language, query };
  }
  if (first === 'openapi.json' && rest.length === 1) return { to: 'openapi', query };
  if (rest.length > 2 || (second ?? '') !== '') return nothing;
  if (first === undefined || (first === '' && rest.length === 1)) return { to: 'version', version: 1 };
  const version = versions.get(first);
  return version === undefined ? nothing : { to: 'version', version };
}

function isLanguage(segment: string, languages: Paths['languages']): boolean {
  if (languages === 'none') return false;
  return languages === 'any' ? languageSegment.test(segment) : languages.includes(segment);
}

function decoded(segments: readonly string[]): readonly string[] | null {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return null;
  }
}

/**
 * Answers requests whose method is not a call: OPTIONS with an empty 200, as CKAN does, and PUT, PATCH, DELETE and others with 405.
 * @param reads whether the route is read-only; else POST is a call as well
 * @returns null for GET and HEAD, and for POST where it is a call
 */
export function withoutCall(method: string, reads: boolean): Reply | null {
  if (method === 'GET' || method === 'HEAD' || (method === 'POST' && !reads)) return null;
  const allow = reads ? 'GET, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS, POST';
  if (method === 'OPTIONS') return { status: 200, headers: { Allow: allow }, body: '' };
  return { status: 405, headers: { Allow: allow }, body: JSON.stringify(`Method Not Allowed: use ${allow}`) };
}
