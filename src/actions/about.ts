/** The metadata of a resource for its readers, as `datastore_info` and `resource_show` show it. Pure. */
import { type Extremes, type Metadata, periodOf } from '../model/metadata.ts';
import type { Ask, Output } from '../model/question.ts';
import type { Rows } from '../model/rows.ts';
import type { Column, Roles, Table } from '../model/table.ts';
import type { JsonObject } from '../model/value.ts';
import { parseJson } from '../values/json.ts';
import { list, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { typedMeasure, typedOutput } from './question/typed.ts';

/**
 * The metadata of a resource, without empty members.
 * @param roles null while the table cannot be served
 * @param extremes null if the caller may not see them, or they could not be read in time
 */
export function aboutOf(metadata: Metadata, roles: Roles | null, extremes: Extremes | null): JsonObject {
  const { dataset, group, publisher, contact, licence, keywords, theme, language, ...others } = metadata;
  const { source, updates, issued, area } = others;
  const { from, to } = periodOf(metadata, extremes);
  return withoutNulls({
    ...{
      dataset: dataset && withoutNulls({ ...dataset }),
      group,
      publisher: publisher && withoutNulls({ ...publisher }),
      contact: contact && withoutNulls({ ...contact }),
      licence: licence && withoutNulls({ ...licence }),
    },
    ...{
      keywords,
      theme,
      language,
      source: source && withoutNulls({ ...source }),
      updates,
      issued,
      area: area && withoutNulls({ ...area }),
    },
    period: from === null && to === null ? null : withoutNulls({ from, to }),
    label: roles?.label ?? null,
    coordinates: roles?.coordinates ?? null,
    last_change: extremes?.lastChange ?? null,
  });
}

function withoutNulls(all: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== ''));
}

/** Asks for the values that `last_change` and `period` show; null if the configuration names no column for them. */
export function extremesOf(table: Table): Ask | null {
  const { changed, period } = table.about.roles;
  const outputs = [
    ...(changed === null ? [] : [output('max', changed, 'last_change')]),
    ...(period === null ? [] : [output('min', period, 'from'), output('max', period, 'to')]),
  ];
  if (outputs.length === 0) return null;
  const from = { is: 'table', as: null, table, where: { op: 'all', of: [] }, searches: [] } as const;
  const all = { where: null, groups: [], having: null, sort: [], limit: null, offset: 0, queries: [] };
  return { effect: 'ask', table, question: { ...all, from, outputs }, counts: false };
}

const output = (fn: 'min' | 'max', column: Column, name: string): Output => {
  const measure = typedMeasure(fn, column, null, (why) => new TypeError(why));
  return typedOutput(measure, ['last_change', 'from', 'to'].indexOf(name), name);
};

/** The values in the answer to `extremesOf`. An infinity counts as none, because readers could do nothing with it. */
export function readExtremes({ fields, encoders, cells }: Rows): Extremes {
  const [row = []] = cells;
  const shownAs = (name: string): string | null => {
    const at = fields.findIndex(({ id }) => id === name);
    const value = at < 0 ? null : parseJson(encoders[at]?.json(row[at] ?? null) ?? 'null', 1);
    const shown = value === null ? '' : String(value);
    return /^\d{4}(-|$)/.test(shown) ? shown : null;
  };
  return { lastChange: shownAs('last_change'), from: shownAs('from'), to: shownAs('to') };
}

const agent = closed({ name: text, url: text, email: text }, ['name']);
const dates = { from: text, to: text };

/** The schema of `about`. */
export const aboutSchema: JsonObject = closed({
  dataset: closed({ name: text, title: text, description: text }, ['name', 'title']),
  ...{ group: text, publisher: agent, contact: agent },
  licence: closed({ id: text, title: text, url: text }, ['title', 'url']),
  ...{ keywords: list(text), theme: list(text), language: list(text) },
  source: closed({ title: text, url: text }, ['title']),
  ...{ updates: text, issued: text },
  area: closed({ bbox: list({ type: 'number' }), place: text }),
  period: closed(dates),
  ...{ label: text, coordinates: list(text), last_change: text },
});
