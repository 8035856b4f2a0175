import type { Table } from '../model/table.ts';
import type { JsonObject } from '../model/value.ts';
import { show } from '../values/show.ts';
import type { Site, SiteAction, VisibleResource } from './action.ts';
import { count, flag, list, may, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { namesOf, Params, tooLong } from './params.ts';
import { field } from './query/columns.ts';

/** The default limit: more resources than most sites have, so that one call shows them all. */
const defaultLimit = 1000;

const extras = ['counts', 'columns', 'changed'];

/** Lists resources with their titles. CKAN only has `_table_metadata`, which lists bare names, ours and the upstream's together. */
export const resource_list: SiteAction = {
  about: 'site',
  name: 'resource_list',
  sideEffectFree: true,
  help: 'List the resources that the caller may read, and what else the caller may do with them.',
  parameters: [
    {
      name: 'q',
      type: 'text',
      extension: true,
      help: 'Words that must all occur in the id, an alias, the title or the description, whatever their case.',
    },
    {
      name: 'limit',
      type: 'count',
      default: defaultLimit,
      maxLimit: 'rowsMax',
      extension: true,
      help: 'At most so many resources; more than `limits.rowsMax` is taken as that.',
    },
    { name: 'offset', type: 'count', default: 0, extension: true, help: 'How many resources to leave out first.' },
    {
      name: 'include',
      type: { words: extras, many: true },
      extension: true,
      help: 'What to add: estimates of the database (`records`), `fields`, `last_change`.',
    },
  ],
  example: { q: 'permits', limit: 10 },
  answeredBy: () => 'gateway',
  async answer(given, site) {
    const { resources, limits } = site;
    const params = new Params(given);
    params.refuseUnknown(known);
    const words = wordsOf(params, limits);
    const limit = Math.min(params.natural('limit', defaultLimit), limits.rowsMax);
    const offset = params.natural('offset', 0);
    const include = extrasOf(params);
    params.check();
    const matching = await resources({
      matches({ id, aliases, title, description }) {
        // Joined by line ends, which no word contains, so that no word matches across two of these texts.
        const texts = words.length === 0 ? '' : [id, ...aliases, title, description].join('\n').toLowerCase();
        return words.every((word) => texts.includes(word));
      },
      enough: offset + limit,
    });
    const page = matching.resources.slice(offset, offset + limit);
    const added = await addedTo(page, include, site);
    return {
      caller: matching.caller,
      total: matching.resources.length,
      resources: page.map(({ id, title, description, aliases, metadata: { group }, may, table }) => ({
        ...{ id, title, description, aliases, may: { ...may } },
        available: table !== null,
        ...(group === null ? {} : { group }),
        ...added.get(id),
      })),
      ...(matching.isComplete ? {} : { incomplete: true }),
    };
  },
  resultSchema: closed(
    {
      caller: { type: ['string', 'null'] },
      total: count,
      resources: list(
        closed(
          {
            ...{ id: text, title: text, description: text, aliases: list(text), may, available: flag, group: text },
            ...{ records: count, records_estimated: { const: true }, last_change: text },
            fields: list(closed({ id: text, type: text, label: text }, ['id', 'type'])),
          },
          ['id', 'title', 'description', 'aliases', 'may', 'available'],
        ),
      ),
      incomplete: { const: true },
    },
    ['caller', 'total', 'resources'],
  ),
};
const known = namesOf(resource_list.parameters);

/** The words of `include`. Complains about others. */
function extrasOf(params: Params): readonly string[] {
  const include = (params.names('include') ?? []).map((name) => name.trim());
  const unknown = include.filter((name) => !extras.includes(name));
  if (unknown.length > 0) params.complain('include', `must be of ${extras.join(', ')}, got: ${show(unknown[0] ?? '')}`);
  return include;
}

/** What `include` adds to resources, by their ids. */
async function addedTo(
  resources: readonly VisibleResource[],
  include: readonly string[],
  { extremes, rowEstimates }: Site,
): Promise<ReadonlyMap<string, JsonObject>> {
  const ids = resources.map(({ id }) => id);
  const counts = include.includes('counts') ? await rowEstimates(ids) : null;
  const changes = include.includes('changed') ? await extremes(ids) : null;
  const added = resources.map(({ id, table }) => {
    const records = counts?.get(id);
    const lastChange = changes?.get(id)?.lastChange;
    const all: JsonObject = {
      ...(records === undefined ? {} : { records, records_estimated: true }),
      ...(include.includes('columns') && table !== null ? { fields: fieldsOf(table) } : {}),
      ...(typeof lastChange === 'string' ? { last_change: lastChange } : {}),
    };
    return [id, all] as const;
  });
  return new Map(added);
}

const fieldsOf = ({ columns }: Table): readonly JsonObject[] =>
  columns
    .filter(({ label }) => label !== '_id')
    .map((column) => {
      const { id, type } = field(column);
      const label = column.info?.label;
      return typeof label === 'string' ? { id, type, label } : { id, type };
    });

/** The words of `q` in lower case. Complains about other types, and about more than a search allows. */
function wordsOf(params: Params, { qBytes, qWords }: { readonly qBytes: number; readonly qWords: number }) {
  const q = params.raw('q') ?? '';
  if (typeof q !== 'string') params.complain('q', 'must be a text');
  const bytes = typeof q === 'string' ? Buffer.byteLength(q) : 0;
  if (bytes > qBytes) params.complain('q', tooLong(qBytes, bytes));
  if (typeof q !== 'string' || bytes > qBytes) return [];
  const words = q.toLowerCase().match(/\S+/g) ?? [];
  if (words.length > qWords) params.complain('q', `must have at most ${qWords} words, got: ${words.length}`);
  return words;
}
