/** The front page's tables: read from `resource_list`, then filtered, ordered and grouped. Pure. */
import { count, type JsonObject, list, object, text, texts } from '../ask/json.ts';
import { isOn } from '../parts/moment.ts';
import { plainText } from '../parts/plain-text.ts';
import type { FrontView, Show, Sort } from './address.ts';

export interface ListedTable {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Its first sentence. */
  readonly summary: string;
  readonly aliases: readonly string[];
  /** The group's name; '' for none. */
  readonly group: string;
  readonly isAvailable: boolean;
  /** The database's estimate; null if it has none. */
  readonly records: number | null;
  /** The time of the last change, as the API writes it; '' if it is unknown. */
  readonly lastChange: string;
  /** The number of columns; null while the table is not available. */
  readonly columns: number | null;
  readonly shows: ReadonlySet<Show>;
  /** The columns that the search words match. */
  readonly matching: readonly { readonly name: string; readonly notes: string }[];
}

/** A response of `resource_list`. */
export interface Tables {
  /** The name of the caller, from the token or the login; '' without one. */
  readonly caller: string;
  /** How many tables there are; `tables` may be only the first of them. */
  readonly total: number;
  readonly tables: readonly ListedTable[];
}

/** @param language the descriptions' language, which decides where a sentence ends */
export function tablesOf({ caller, total, resources }: JsonObject, language: string, today: Date): Tables {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' });
  return {
    caller: text(caller),
    total: count(total),
    tables: list(resources).map((one) => listed(object(one), sentences, today)),
  };
}

function listed(one: JsonObject, sentences: Intl.Segmenter, today: Date): ListedTable {
  const { id, title, description, aliases, group, available, records, last_change, columns, coordinates, may } = one;
  const kinds: readonly (readonly [Show, boolean])[] = [
    ['map', coordinates !== undefined],
    ['changed', isOn(text(last_change), today)],
    ['edit', object(may).write === true],
  ];
  return {
    id: text(id),
    title: text(title) || text(id),
    description: text(description),
    summary: firstSentence(text(description), sentences),
    aliases: texts(aliases),
    group: text(group),
    isAvailable: available !== false,
    records: records === undefined ? null : count(records),
    lastChange: text(last_change),
    columns: columns === undefined ? null : count(columns),
    shows: new Set(kinds.flatMap(([kind, is]) => (is ? [kind] : []))),
    matching: list(one.matching).map(matchingColumn),
  };
}

function matchingColumn(one: Parameters<typeof object>[0]): ListedTable['matching'][number] {
  const { id, label, unit, notes } = object(one);
  const more = [text(unit), text(notes)].filter((part) => part !== '');
  return { name: text(label) || text(id), notes: more.join(', ') };
}

/** How many characters of a description are searched for the end of its first sentence. */
const maxSummary = 300;

function firstSentence(markdown: string, sentences: Intl.Segmenter): string {
  const withoutHeadings = markdown.slice(0, maxSummary * 4).replace(/^ {0,3}#{1,6}[ \t].*$/gm, '');
  const [paragraph = ''] = plainText(withoutHeadings).split(/\n\s*\n/);
  const [first] = sentences.segment(paragraph.replace(/\s+/g, ' ').slice(0, maxSummary));
  const { segment = '' } = first ?? {};
  return segment.length < maxSummary ? segment.trim() : `${segment.trim()}…`;
}

/** The tables of these kinds, and of this group if there is one. */
export const chosenFrom = (tables: readonly ListedTable[], { group, show }: FrontView): readonly ListedTable[] =>
  tables.filter((one) => (group === null || one.group === group) && show.every((kind) => one.shows.has(kind)));

const ways = ['name', 'description', 'column', 'topic'] as const;
/** What has a word of the search. */
export type Way = (typeof ways)[number];

/** By what the words, in lower case, find these tables; empty for keywords alone, which are not in the answer. */
export function waysOf(tables: readonly ListedTable[], words: readonly string[]): readonly Way[] {
  const isIn = (...texts: readonly string[]) =>
    texts.some((one) => words.some((word) => one.toLowerCase().includes(word)));
  const finds: Readonly<Record<Way, (one: ListedTable) => boolean>> = {
    name: ({ id, title, aliases }) => isIn(id, title, ...aliases),
    description: ({ description }) => isIn(description),
    column: ({ matching }) => matching.length > 0,
    topic: ({ group }) => isIn(group),
  };
  return ways.filter((way) => tables.some(finds[way]));
}

/** The same tables in an order. Those without a number or a time are last. */
export function ordered(tables: readonly ListedTable[], sort: Sort, language: string): readonly ListedTable[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const byName = (a: ListedTable, b: ListedTable) => compare(a.title, b.title);
  const orders: Readonly<Record<Sort, (a: ListedTable, b: ListedTable) => number>> = {
    name: byName,
    records: (a, b) => (b.records ?? -1) - (a.records ?? -1) || byName(a, b),
    changed: (a, b) => Number(a.lastChange < b.lastChange) - Number(a.lastChange > b.lastChange) || byName(a, b),
  };
  return [...tables].sort(orders[sort]);
}

export interface Group {
  readonly name: string;
  readonly tables: readonly ListedTable[];
}

/** The tables by group, with the groups in alphabetical order; the tables without a group are last. */
export function grouped(tables: readonly ListedTable[], language: string): readonly Group[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return [...new Set(tables.map(({ group }) => group))]
    .map((name) => ({ name, tables: tables.filter(({ group }) => group === name) }))
    .sort((a, b) => Number(a.name === '') - Number(b.name === '') || compare(a.name, b.name));
}
