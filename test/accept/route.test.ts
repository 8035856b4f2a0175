import { expect, test } from 'vitest';
import { type Paths, type Route, route } from '../../src/accept/route.ts';

const root: Paths = { basePath: '', languages: 'any' };
const act = (name: string, language: string | null = null, query = ''): Route => ({
  to: 'action',
  name,
  language,
  query,
});
const version = (n: 1 | 2 | 3): Route => ({ to: 'version', version: n });
const nothing: Route = { to: 'nothing' };

const rows: readonly (readonly [target: string, expected: Route, paths?: Partial<Paths>])[] = [
  ['/api/action/datastore_search', act('datastore_search')],
  ['/api/3/action/datastore_search', act('datastore_search')],
  ['/api/action/datastore_search?a=b&c=/api/x?y', act('datastore_search', null, 'a=b&c=/api/x?y')],
  ['/api/action/datastore_search?', act('datastore_search')],
  ['/api/1/action/datastore_search', nothing],
  ['/api/2/action/datastore_search', nothing],
  ['/api/4/action/datastore_search', nothing],
  ['/api/3/action/datastore_search/', nothing],
  ['/api/action/datastore_search/x', nothing],
  ['/api/action/', nothing],
  ['/api/action', nothing],
  ['/api/3/action', nothing],
  ['/api/3/3/action/x', nothing],
  ['/api', version(1)],
  ['/api/', version(1)],
  ['/api?x=1', version(1)],
  ['/api//', nothing],
  ['/api/1', version(1)],
  ['/api/2/', version(2)],
  ['/api/3', version(3)],
  ['/api/3//', nothing],
  ['/api/4', nothing],
  ['/api/03', nothing],
  ['/api/constructor', nothing],
  ['/api/openapi.json', { to: 'openapi' }],
  ['/fr/api/openapi.json?x', { to: 'openapi' }],
  ['/api/3/openapi.json', nothing],
  ['/api/openapi.json/', nothing],
  ['/fr/api/action/x', act('x', 'fr')],
  ['/pt_BR/api/3/action/x', act('x', 'pt_BR')],
  ['/zh-Hans_CN/api/3/action/x', act('x', 'zh-Hans_CN')],
  ['/fr/api', version(1)],
  ['/fr', nothing],
  ['/fr/de/api/action/x', nothing],
  ['/french/api/action/x', nothing],
  ['/FR/api/action/x', nothing],
  // "api" looks like a language; only the second one can be the API then.
  ['/api/api/action/x', nothing],
  ['/api/api', nothing],
  ['/fr/api/action/x', nothing, { languages: 'none' }],
  ['/api/action/x', act('x'), { languages: 'none' }],
  ['/fr/api/action/x', act('x', 'fr'), { languages: ['fr', 'de'] }],
  ['/it/api/action/x', nothing, { languages: ['fr', 'de'] }],
  ['/data/api/action/x', act('x'), { basePath: '/data' }],
  ['/data/api/action/x', act('x'), { basePath: '/data/' }],
  ['/data/fr/api/action/x', act('x', 'fr'), { basePath: '/data' }],
  ['/fr/data/api/action/x', nothing, { basePath: '/data' }],
  ['/api/action/x', nothing, { basePath: '/data' }],
  ['/database/api/action/x', nothing, { basePath: '/data' }],
  ['/data', nothing, { basePath: '/data' }],
  ['http://other.example/api/action/x?q=1', act('x', null, 'q=1')],
  ['HTTPS://other.example/api/action/x', act('x')],
  ['http://api/action/x', nothing],
  ['http://other.example', nothing],
  ['//other.example/api/action/x', nothing],
  ['//api/action/x', nothing],
  ['/\\api/action/x', nothing],
  ['*', nothing],
  ['', nothing],
  ['/', nothing],
  ['api/action/x', nothing],
  ['other.example:443', nothing],
  ['/x/../api/action/x', nothing],
  ['/./api/action/x', nothing],
  ['/api/action/datastore%5Fsearch', act('datastore_search')],
  ['/%61pi/action/x', act('x')],
  ['/api/action/%C3%A9', act('é')],
  ['/api/action/__proto__', act('__proto__')],
  ['/api/action/a%2Fb', nothing],
  ['/api%2Faction%2Fx', nothing],
  ['/api/action/%', nothing],
  ['/api/action/%zz', nothing],
  ['/api/action/%FF', nothing],
  ['/%/api/action/x', nothing],
];

test.each(rows.map(([target, expected, paths]) => ({ target, expected, paths: { ...root, ...paths } })))(
  '$target',
  ({ target, expected, paths }) => expect(route(target, paths)).toEqual(expected),
);

test('a long target does not make the pattern go back and forth for ever', () => {
  expect(route(`/${'aa_'.repeat(20_000)}/api/action/x`, root)).toEqual(nothing);
  expect(route(`/aa${'_aa'.repeat(20_000)}!/api/action/x`, root)).toEqual(nothing);
});
