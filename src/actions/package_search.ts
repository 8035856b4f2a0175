import { packageOf } from '../metadata/ckan.ts';
import type { Dataset, DatedDataset } from '../model/metadata.ts';
import { show } from '../values/show.ts';
import { byUpstream, type SiteAction } from './action.ts';
import { count, list, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { readFq } from './packages/fq.ts';
import { packageSchema } from './packages/schemas.ts';
import { Params } from './params.ts';
import { wordsOf } from './query/list-words.ts';

const maxRows = 1000;

type Order = { readonly needsChange: boolean; compare(a: Dataset, b: Dataset): number };

const by = (key: (dataset: Dataset) => string): Order => ({
  needsChange: false,
  compare: (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0),
});
const byId = by(({ uuid }) => uuid);
const byChange = by((dataset: Dataset | DatedDataset) => ('modified' in dataset ? dataset.modified : ''));
const latestFirst: Order = { needsChange: true, compare: (a, b) => byChange.compare(b, a) || byId.compare(a, b) };

/** The sort orders that CKAN's harvester and its pages use. */
const orders: ReadonlyMap<string, Order> = new Map([
  ['id asc', byId],
  ['name asc', by(({ name }) => name)],
  ['metadata_modified desc', latestFirst],
  ['score desc, metadata_modified desc', latestFirst],
]);

/** Searches the datasets of public tables, as a CKAN's harvester does. */
export const package_search: SiteAction = {
  about: 'site',
  name: 'package_search',
  sideEffectFree: true,
  help: 'Search the datasets of public tables.',
  parameters: [
    { name: 'q', type: 'text', help: 'Words of title, description or keywords.' },
    {
      name: 'fq',
      type: 'text',
      help: '`organization:NAME` or `groups:NAME`, maybe after `-`, joined by `OR`; `metadata_modified:[TIME TO *]`; `*:*`.',
    },
    { name: 'rows', type: 'count', default: 10, help: 'At most so many; more than 1000 is taken as that.' },
    { name: 'start', type: 'count', default: 0, help: 'How many to leave out first.' },
    { name: 'sort', type: { words: [...orders.keys()] }, default: 'id asc', help: 'The order.' },
  ],
  example: { q: 'permits', rows: 10 },
  answeredBy: byUpstream,
  async answer(given, site) {
    const params = new Params(given);
    const q = params.raw('q');
    const words = q === '*:*' ? [] : wordsOf(params, site.limits);
    const fq = readFq(params);
    const rows = Math.min(params.natural('rows', 10), maxRows);
    const start = params.natural('start', 0);
    const { sort, order } = orderOf(params);
    params.check();
    const matching = site.datasets.filter((dataset) => hasAll(dataset, words));
    const needsChange = fq.needsChange || order.needsChange;
    const known = needsChange ? await site.dated(matching) : matching;
    const found = known.filter(fq.matches).sort(order.compare);
    const page = await site.dated(found.slice(start, start + rows));
    return {
      count: found.length,
      facets: {},
      results: page.map((dataset) => packageOf(dataset, site.url)),
      sort,
      search_facets: {},
    };
  },
  resultSchema: closed(
    { count, facets: closed({}), results: list(packageSchema), sort: text, search_facets: closed({}) },
    ['count', 'facets', 'results', 'sort', 'search_facets'],
  ),
};

/** Reads `sort`. Complains about an unknown order: with another one, the harvester would miss packages. */
function orderOf(params: Params): { readonly sort: string; readonly order: Order } {
  const given = params.raw('sort') ?? '';
  const sort = typeof given === 'string' && given.trim() !== '' ? given.trim() : 'id asc';
  const order = orders.get(sort);
  if (order === undefined || typeof given !== 'string')
    params.complain('sort', `must be one of ${[...orders.keys()].join('; ')}, got: ${show(given)}`);
  return { sort, order: order ?? latestFirst };
}

function hasAll({ title, description, facts, name }: Dataset, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  // Joined by line ends, which no word contains, so that no word matches across two texts.
  const text = [name, title, description, ...(facts.keywords ?? [])].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
