import { invalid } from '../../model/errors.ts';
import { indexFor, type Rank, type Search, type Sort } from '../../model/plan.ts';
import type { Column, SearchSettings, Table } from '../../model/table.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { hasPattern, type Query, textsOf, wordsOf } from '../../model/words.ts';
import { isObject, objectIn } from '../../values/json.ts';
import { show } from '../../values/show.ts';
import type { Bounds, Limits, Parameter } from '../action.ts';
import { type Params, tooLong } from '../params.ts';
import { column } from './columns.ts';
import { hint } from './hint.ts';
import { isLong, maxBytesOnLongTexts, tooLongFor } from './long-texts.ts';
import { parseTsquery } from './tsquery.ts';

/** The full-text parameters of a call; a parameter that is absent or empty is null. */
export interface SearchTerms {
  readonly q: string | JsonObject | null;
  readonly fullText: string | null;
  readonly plain: boolean;
  readonly language: string | null;
}

export const wordParameters: readonly Parameter[] = [
  {
    name: 'q',
    type: 'search',
    help: 'Words that must all occur in some field, whatever their case; text in double quotes is one word. `{"field": "words"}` asks one field only.',
  },
  {
    name: 'full_text',
    type: 'text',
    help: 'Like a text `q`, which it replaces; beside an object `q` both must match.',
  },
  {
    name: 'plain',
    type: 'flag',
    default: true,
    help: 'False: the words are a tsquery of `word`, `word:*`, `&`, `|`, `!`, `<->` and parentheses; `_` in a word without quotes is any one character.',
  },
  {
    name: 'language',
    type: 'text',
    help: 'Another text search configuration than the resource’s; only where PostgreSQL’s full text answers.',
  },
];

/** Reads the full-text parameters. If `q` is a string with a JSON object, it is read as that object. */
export function readWords(params: Params, { depth, qBytes }: Limits): SearchTerms {
  const hasWords = params.raw('q') !== undefined || params.raw('full_text') !== undefined;
  const words = hasWords ? readQ(params, depth, qBytes) : { q: null, fullText: null };
  const plain = params.boolean('plain', true);
  return { ...words, plain, language: text(params, 'language', params.raw('language')) };
}

function readQ(params: Params, depth: number, qBytes: number): Pick<SearchTerms, 'q' | 'fullText'> {
  const raw = readWithin(params, 'q', qBytes);
  const parsed = typeof raw === 'string' ? (objectIn(raw, depth) ?? raw) : raw;
  return {
    q: isObject(parsed) ? (Object.keys(parsed).length === 0 ? null : parsed) : text(params, 'q', parsed),
    fullText: text(params, 'full_text', readWithin(params, 'full_text', qBytes)),
  };
}

/** The parameters, as the answer repeats them. */
export function echoWords(params: Params, { q, fullText, plain, language }: SearchTerms): JsonObject {
  const given: Record<string, Json> = {};
  if (q !== null) given.q = q;
  if (fullText !== null) given.full_text = fullText;
  if (params.raw('plain') !== undefined) given.plain = plain;
  if (language !== null) given.language = language;
  return given;
}

function text(params: Params, name: string, raw: Json | undefined): string | null {
  if (raw === undefined || raw === null) return null;
  if (isObject(raw) || Array.isArray(raw))
    params.complain(name, `must be ${name === 'q' ? 'a text or an object' : 'a text'}, got: ${show(raw)}`);
  const shown = typeof raw === 'string' ? raw : show(raw);
  return shown.trim() === '' ? null : shown;
}

/**
 * Reads a parameter, and complains if it is longer than `maxBytes`: the database compares every record with every word, so long
 * words are expensive, and not every engine can cancel a slow statement.
 */
function readWithin(params: Params, name: string, maxBytes: number): Json | undefined {
  const raw = params.raw(name);
  const bytes = isObject(raw)
    ? Object.entries(raw).reduce((sum, [of, words]) => sum + sizeOf(of) + sizeOf(words), 0)
    : sizeOf(raw);
  if (bytes <= maxBytes) return raw;
  params.complain(name, tooLong(maxBytes, bytes));
  return undefined;
}

const sizeOf = (value: Json | undefined): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/**
 * The parameters → the searches that must all match: one per member of an object `q`, then one over all searched columns.
 * Throws a 409 for an unknown column or language, for an invalid tsquery, and for more words than `qWords`.
 */
export function searches(terms: SearchTerms, table: Table, bounds: Bounds): readonly Search[] {
  if (terms.q === null && terms.fullText === null && terms.language === null) return [];
  const settings = table.search;
  const language = languageOf(terms.language, settings);
  const search = (of: Column | null, query: Query): Search => {
    const one: Search = { column: of, query, by: 'native', language };
    return isNative(one, settings) ? one : { ...one, by: 'like' };
  };
  const named = terms.q === null || typeof terms.q === 'string' ? [] : Object.entries(terms.q);
  const list = named.map(([name, words]) => {
    const of = column(table, name);
    if (of === undefined || of.type.kind === 'binary' || typeof words !== 'string')
      throw invalid({ q: [`invalid value "${show(name)}"${of === undefined ? hint(name, table) : ''}`] });
    return search(of, queryOf(words, 'q', terms.plain, bounds));
  });
  const everywhere = terms.fullText ?? (typeof terms.q === 'string' ? terms.q : null);
  const parameter = terms.fullText !== null && named.length === 0 ? 'full_text' : 'q';
  const query = everywhere === null ? null : queryOf(everywhere, parameter, terms.plain, bounds);
  // A string without words does not restrict the search, but an object `q` with a wordless field matches no record.
  if (query !== null && !isEmpty(query)) list.push(search(null, query));
  const words = list.flatMap((one) => wordsOf(one.query));
  if (words.length > bounds.qWords) tooMany(parameter, bounds.qWords, words.length);
  mustBeShort(list, parameter, settings);
  return list;
}

/** Limits the words searched for in long texts. Full-text searches count, too: parts that an index cannot express use LIKE. */
function mustBeShort(list: readonly Search[], parameter: string, settings: SearchSettings): void {
  let bytes = 0;
  for (const { column: of, query } of list) {
    const long = (of === null ? settings.columns : [of]).find(isLong);
    if (long === undefined) continue;
    bytes += wordsOf(query)
      .flatMap(textsOf)
      .reduce((sum, word) => sum + Buffer.byteLength(word), 0);
    if (bytes > maxBytesOnLongTexts) throw invalid({ [parameter]: [tooLongFor(long, bytes)] });
  }
}

/** Whether a search uses the engine's full-text search: with mode `native` always, with `auto` if an index can find every word. */
function isNative(search: Search, settings: SearchSettings): boolean {
  if (settings.mode !== 'auto') return settings.mode === 'native';
  const index = indexFor(search, settings);
  return (
    index !== null &&
    wordsOf(search.query).every((words) => !hasPattern(words) && textsOf(words).every((word) => index.answers(word)))
  );
}

function languageOf(requested: string | null, { language, languages }: SearchSettings): string {
  if (requested === null || languages === null) return language;
  if (languages.includes(requested)) return requested;
  throw invalid({ language: [`must be one of ${[...languages].sort().join(', ')}, got: "${show(requested)}"`] });
}

/** Parses a search string: as a tsquery, or as words that must all match, where double quotes join several into one. */
function queryOf(text: string, parameter: string, plain: boolean, bounds: Bounds): Query {
  if (!plain && text.trim() !== '') return parseTsquery(text, parameter, bounds);
  const of: Query[] = [];
  let count = 0;
  for (const [, quoted, bare] of text.matchAll(/"([^"]*)"|(\S+)/g)) {
    const word = quoted ?? bare ?? '';
    if (word.trim() !== '' && ++count <= bounds.qWords) of.push({ op: 'word', text: word, prefix: false });
  }
  if (count > bounds.qWords) tooMany(parameter, bounds.qWords, count);
  return of.length === 0 ? { op: 'or', of } : { op: 'and', of };
}

function tooMany(parameter: string, maxWords: number, count: number): never {
  throw invalid({ [parameter]: [`must have at most ${maxWords} words, got: ${count}`] });
}

const isEmpty = (query: Query): boolean => query.op === 'or' && query.of.length === 0;

/**
 * The rank of each search, named as in CKAN: `rank`, or for a single field `rank FIELD`.
 * @returns `shown`: the ranks that an answer can show, so none with a column's name; `best`: the order of a search without `sort`, best
 *   rank first
 */
export function ranking(of: readonly Search[], table: Table): { shown: readonly Rank[]; best: readonly Sort[] } {
  if (of.length === 0) return { shown: [], best: [] };
  const ranks = of.map(
    (search): Rank => ({ label: search.column === null ? 'rank' : `rank ${search.column.label}`, search }),
  );
  const taken = new Set(table.columns.map(({ label }) => label));
  return {
    shown: ranks.filter(({ label }) => !taken.has(label) && taken.add(label)),
    best: ranks.map((by) => ({ by, direction: 'desc', nulls: 'first' })),
  };
}
