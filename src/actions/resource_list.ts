import type { Column, Table } from '../model/table.ts';
import type { JsonObject } from '../model/value.ts';
import { show } from '../values/show.ts';
import type { Described, Site, SiteAction, VisibleResource } from './action.ts';
import { count, flag, list, may, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { namesOf, Params } from './params.ts';
import { field, listedColumns } from './query/columns.ts';
import { wordsOf } from './query/list-words.ts';

/** The default limit: more resources than most sites have, so that one call shows them all. */
const defaultLimit = 1000;

const extras = ['counts', 'columns', 'changed', 'shape'];

/** The limit of `matching` for one resource: enough to see why it was found. */
const maxMatching = 5;

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
      help: 'Words that must all occur in the id, aliases, title, description, group, keywords, or names and labels of columns, whatever their case.',
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
      help: 'What to add: estimates of the database (`records`), `fields`, `last_change`; `columns` and `coordinates`.',
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
      matches(one) {
        const text = words.length === 0 ? '' : textOf(one);
        return words.every((word) => text.includes(word));
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
        ...matchingIn(table, words),
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
            ...{ columns: count, coordinates: list(text) },
            matching: list(closed({ id: text, label: text, unit: text, notes: text }, ['id'])),
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
  // Run both at the same time: each may take `limits.totalBudget`.
  const [counts, changes] = await Promise.all([
    include.includes('counts') ? rowEstimates(ids) : null,
    include.includes('changed') ? extremes(ids) : null,
  ]);
  const added = resources.map(({ id, table }) => {
    const records = counts?.get(id);
    const lastChange = changes?.get(id)?.lastChange;
    const all: JsonObject = {
      ...(records === undefined ? {} : { records, records_estimated: true }),
      ...(include.includes('columns') && table !== null ? { fields: fieldsOf(table) } : {}),
      ...(include.includes('shape') && table !== null ? shapeOf(table) : {}),
      ...(typeof lastChange === 'string' ? { last_change: lastChange } : {}),
    };
    return [id, all] as const;
  });
  return new Map(added);
}

/** The column's text in the data dictionary; null if it has none. */
const infoOf = ({ info }: Column, name: 'label' | 'unit' | 'notes'): string | null => {
  const value = info?.[name];
  return typeof value === 'string' ? value : null;
};

const fieldsOf = (table: Table): readonly JsonObject[] =>
  listedColumns(table).map((column) => {
    const { id, type } = field(column);
    const label = infoOf(column, 'label');
    return label === null ? { id, type } : { id, type, label };
  });

function shapeOf(table: Table): JsonObject {
  const { coordinates } = table.about.roles;
  return { columns: listedColumns(table).length, ...(coordinates === null ? {} : { coordinates }) };
}

/** The text that a search looks through, in lower case. Line ends join its parts: no word contains one, so no word matches across two parts. */
function textOf({ id, aliases, title, description, metadata: { group, keywords }, table }: Described): string {
  const columns = table === null ? [] : listedColumns(table).flatMap(namesOfColumn);
  return [id, ...aliases, title, description, group ?? '', ...(keywords ?? []), ...columns].join('\n').toLowerCase();
}

const namesOfColumn = (column: Column): readonly string[] => {
  const label = infoOf(column, 'label');
  return label === null ? [column.label] : [column.label, label];
};

/** The first columns that have one of the words in their name or label. */
function matchingIn(table: Table | null, words: readonly string[]): JsonObject {
  if (table === null || words.length === 0) return {};
  const matching = listedColumns(table).filter((column) => {
    const text = namesOfColumn(column).join('\n').toLowerCase();
    return words.some((word) => text.includes(word));
  });
  if (matching.length === 0) return {};
  return {
    matching: matching.slice(0, maxMatching).map((column) => {
      const texts = (['label', 'unit', 'notes'] as const).map((name) => [name, infoOf(column, name)] as const);
      return { id: column.label, ...Object.fromEntries(texts.filter(([, text]) => text !== null)) };
    }),
  };
}
