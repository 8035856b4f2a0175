/** Readers of parameters with CKAN's coercions and wording (contract 2). A reader returns its value or records a complaint. */
import { isLosslessNumber } from 'lossless-json';
import { invalid } from '../model/errors.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, toJson } from '../values/json.ts';
import { didYouMean } from '../values/nearest.ts';
import { show } from '../values/show.ts';
import { short } from '../values/truncate.ts';
import type { Parameter } from './action.ts';

/** The parameter of every action that is about one resource. */
export const resourceId: Parameter = {
  name: 'resource_id',
  also: 'id',
  type: 'resource',
  required: true,
  help: 'The resource. As `id` it wins where both are given.',
};

/** Collects the complaints of one call, so that all bad parameters are refused at once. */
export class Params {
  readonly #given: JsonObject;
  readonly #complaints: Record<string, Json> = {};

  constructor(given: JsonObject) {
    this.#given = given;
  }

  /** The value as sent; undefined where absent or null, which CKAN treats alike. */
  raw(name: string): Exclude<Json, null> | undefined {
    return Object.hasOwn(this.#given, name) ? (this.#given[name] ?? undefined) : undefined;
  }

  complain(name: string, ...texts: readonly string[]): void {
    this.#complaints[name] = texts;
  }

  /** `resource_id`, or `id`, which takes precedence. Any value that is no text is read as its JSON, as in CKAN. */
  resourceId(): string {
    const id = this.raw('id') ?? this.raw('resource_id');
    if (id === undefined || id === '') this.complain('resource_id', 'Missing value');
    return typeof id === 'string' ? id : toJson(id ?? null);
  }

  /** The names of one or several resources, each once: `resource_id`, or `id`, which takes precedence. */
  resourceIds(): readonly string[] {
    const given = this.raw('id') ?? this.raw('resource_id') ?? '';
    const names = new Set(isList(given) ? given : [given]);
    if (names.size > mostResources)
      this.complain('resource_id', `must be at most ${mostResources} resources, got: ${names.size}`);
    if (names.has('')) this.complain('resource_id', 'Missing value');
    return [...names].map((name) => (typeof name === 'string' ? name : toJson(name)));
  }

  /** A required text; any other value is read as its JSON, as in CKAN. */
  text(name: string): string {
    const value = this.raw(name);
    if (value === undefined || value === '') this.complain(name, 'Missing value');
    return typeof value === 'string' ? value : toJson(value ?? null);
  }

  /** Only a few words are true; every other string is false, without complaint (contract 2). */
  boolean(name: string, preset: boolean): boolean {
    const value = this.raw(name);
    if (value === undefined) return preset;
    if (typeof value === 'string') return /^(true|yes|t|y|1)$/i.test(value);
    return typeof value === 'object' && !isLosslessNumber(value)
      ? true
      : Boolean(Number(isLosslessNumber(value) ? value.value : value));
  }

  /** A boolean, false where absent. Other values are a complaint: a misread one would do what cannot be undone. */
  certainBoolean(name: string): boolean {
    const value = this.raw(name);
    if (value === undefined) return false;
    const text = typeof value !== 'object' || isLosslessNumber(value) ? String(value) : '';
    const isTrue = /^(true|yes|t|y|1)$/i.test(text);
    if (!isTrue && !/^(false|no|f|n|0)$/i.test(text)) this.complain(name, `must be true or false, got: ${show(value)}`);
    return isTrue;
  }

  /** A whole number from 0; `null`, `""` and blanks mean the preset. */
  natural(name: string, preset: number): number {
    const value = this.raw(name);
    if (value === undefined || (typeof value === 'string' && value.trim() === '')) return preset;
    const text =
      typeof value === 'boolean' ? String(Number(value)) : isLosslessNumber(value) ? whole(value.value) : show(value);
    if (!/^\s*[+-]?\d+(\.0+)?\s*$/.test(text) || (typeof value === 'string' && text.includes('.'))) {
      if (name === 'limit' && Number.isNaN(Number(text)))
        this.complain(name, 'Invalid integer', 'Please enter an integer value');
      else this.complain(name, 'Invalid integer');
      return preset;
    }
    const number = Number(text);
    if (number < 0) this.complain(name, 'Must be a natural number');
    return Math.min(number, Number.MAX_SAFE_INTEGER);
  }

  /** A validated boolean, or one of a few words (contract 2: `calculate_record_count`). */
  flagOr(name: string, words: readonly string[], preset: string): Json {
    const value = this.raw(name);
    if (value === undefined) return preset;
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    if (typeof text === 'string') {
      if (/^(true|yes|t|y|1)$/i.test(text)) return true;
      if (/^(false|no|f|n|0)$/i.test(text)) return false;
      if (text === '' || words.includes(text)) return text;
    }
    this.complain(name, `Value must be boolean or one of: ${words.join(', ')}`);
    return preset;
  }

  /**
   * A list of names, or one comma-separated string; undefined where absent. A comma in double quotes does not separate. The
   * caller trims and unquotes the items.
   */
  names(name: string): readonly string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string') {
      const names = value === '' ? [] : Array.from(`,${value}`.matchAll(item), ([, name = '']) => name);
      if (names.length > mostNames) this.#tooMany(name, names.length);
      return names;
    }
    if (!Array.isArray(value)) {
      this.complain(name, 'Not a list');
      return undefined;
    }
    const items: readonly Json[] = value;
    if (items.length > mostNames) this.#tooMany(name, items.length);
    const names = items.filter((item) => typeof item === 'string');
    const bad = items.find((item) => typeof item !== 'string');
    if (bad !== undefined) this.complain(name, `Neither a string nor a list: ${short(toJson(bad))}`);
    return names;
  }

  #tooMany(name: string, count: number): void {
    this.complain(name, `must have at most ${mostNames} names, got: ${count}`);
  }

  /** One of a few words; absent and `""` mean the preset. */
  word<Word extends string>(name: string, words: readonly Word[], preset: Word): Word {
    const value = this.raw(name);
    if (value === undefined || value === '') return preset;
    const known = words.find((word) => word === value);
    if (known === undefined)
      this.complain(name, `Value must be one of [${words.map((word) => `'${word}'`).join(', ')}]`);
    return known ?? preset;
  }

  /** Complains about the first undescribed parameter (contract 2: search and delete refuse unknown parameters). */
  noOthers(described: readonly Parameter[]): void {
    const [extra] = Object.keys(this.others(described) ?? {});
    if (extra === undefined) return;
    const names = described.map(({ name }) => name);
    this.complain('__extras', `invalid value "${short(extra)}"${didYouMean(extra, names)}`);
  }

  /** The undescribed parameters, which some actions echo (contract 2); null where there is none. */
  others(described: readonly Parameter[]): JsonObject | null {
    const isKnown = (given: string) => described.some(({ name, also }) => name === given || also === given);
    const extras = Object.entries(this.#given).filter(([name]) => !isKnown(name));
    return extras.length === 0 ? null : Object.fromEntries(extras);
  }

  /** Throws the 409 with all complaints; does nothing where there are none. */
  check(): void {
    if (Object.keys(this.#complaints).length > 0) throw invalid(this.#complaints);
  }
}

/** The maximum number of resources of a call that takes several. */
export const mostResources = 64;

/**
 * An item of a list in a text, with its comma: a name in quotes as in CSV and what follows it, else all up to the next comma.
 * So a quote within a name means nothing. It takes linear time.
 */
const item = /,(\s*"[^"]*(?:""[^"]*)*"(?:\s[^",]*)?(?=,|$)|[^,]*)/g;

/** More than a table has columns. Above some 1600 columns, repeated ones included, servers refuse a statement. */
const mostNames = 1600;

/** The complaint about a text that is too long. */
export const tooLong = (most: number, bytes: number) => `must have at most ${most} bytes, got: ${bytes}`;

/** The digits of a whole number written with an exponent or a fraction: `1e3` is 1000. */
function whole(text: string): string {
  const number = Number(text);
  return Number.isSafeInteger(number) && text.length < 16 ? String(number) : text;
}
