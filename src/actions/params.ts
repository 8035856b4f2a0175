/** Reads parameters with CKAN's coercions and error texts (docs/ckan-compatibility.md, Values of parameters). */
import { isLosslessNumber } from 'lossless-json';
import { invalid } from '../model/errors.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, toJson } from '../values/json.ts';
import { didYouMean } from '../values/nearest.ts';
import { show } from '../values/show.ts';
import { truncate } from '../values/truncate.ts';
import type { Parameter } from './action.ts';

/** The parameter of every action that is about one resource. */
export const resourceId: Parameter = {
  name: 'resource_id',
  also: 'id',
  type: 'resource',
  required: true,
  help: 'The resource. As `id` it wins where both are given.',
};

/** The names by which a call may give these parameters. */
export const namesOf = (parameters: readonly Parameter[]): ReadonlySet<string> =>
  new Set(parameters.flatMap(({ name, also }) => (also === undefined ? [name] : [name, also])));

/** The parameters of one call. Readers collect complaints, so that one refusal names all bad parameters. */
export class Params {
  readonly #given: JsonObject;
  readonly #complaints: Record<string, Json> = {};

  constructor(given: JsonObject) {
    this.#given = given;
  }

  /** The value as sent; undefined if absent or null, which are the same to CKAN. */
  raw(name: string): Exclude<Json, null> | undefined {
    return Object.hasOwn(this.#given, name) ? (this.#given[name] ?? undefined) : undefined;
  }

  complain(name: string, ...texts: readonly string[]): void {
    this.#complaints[name] = texts;
  }

  /** Reads `id` or, if it is absent, `resource_id`. A value that is not a string is replaced by its JSON text, as in CKAN. */
  resourceId(): string {
    const id = this.raw('id') ?? this.raw('resource_id');
    if (id === undefined || id === '') this.complain('resource_id', 'Missing value');
    return typeof id === 'string' ? id : toJson(id ?? null);
  }

  /** Reads one or several names of resources from `id` or, if it is absent, `resource_id`. Each is returned once. */
  resourceIds(): readonly string[] {
    const given = this.raw('id') ?? this.raw('resource_id') ?? '';
    const names = new Set(isList(given) ? given : [given]);
    if (names.size > maxResources)
      this.complain('resource_id', `must be at most ${maxResources} resources, got: ${names.size}`);
    if (names.has('')) this.complain('resource_id', 'Missing value');
    return [...names].map((name) => (typeof name === 'string' ? name : toJson(name)));
  }

  /** Reads a required string. Any other value is replaced by its JSON text, as in CKAN. */
  text(name: string): string {
    const value = this.raw(name);
    if (value === undefined || value === '') this.complain(name, 'Missing value');
    return typeof value === 'string' ? value : toJson(value ?? null);
  }

  /** Reads a boolean as CKAN does: a few words are true, and every other string is false, without a complaint. */
  boolean(name: string, preset: boolean): boolean {
    const value = this.raw(name);
    if (value === undefined) return preset;
    if (typeof value === 'string') return /^(true|yes|t|y|1)$/i.test(value);
    return typeof value === 'object' && !isLosslessNumber(value)
      ? true
      : Boolean(Number(isLosslessNumber(value) ? value.value : value));
  }

  /** Reads a boolean strictly, for `dry_run`: if a typo were read as false, the write would really happen. */
  strictBoolean(name: string): boolean {
    const value = this.raw(name);
    if (value === undefined) return false;
    const text = typeof value !== 'object' || isLosslessNumber(value) ? String(value) : '';
    const isTrue = /^(true|yes|t|y|1)$/i.test(text);
    if (!isTrue && !/^(false|no|f|n|0)$/i.test(text)) this.complain(name, `must be true or false, got: ${show(value)}`);
    return isTrue;
  }

  /** Reads a whole number, 0 or greater. `null`, `""` and blanks mean the default, `preset`. */
  natural(name: string, preset: number): number {
    const value = this.raw(name);
    if (value === undefined || (typeof value === 'string' && value.trim() === '')) return preset;
    const text =
      typeof value === 'boolean'
        ? String(Number(value))
        : isLosslessNumber(value)
          ? plainDigits(value.value)
          : typeof value === 'string'
            ? value
            : show(value);
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

  /** Reads a boolean or one of a few words, as CKAN validates `calculate_record_count`. */
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
   * Reads a list of names, or one comma-separated string, in which double quotes protect commas. Undefined if absent. The caller
   * trims and unquotes the names.
   */
  names(name: string): readonly string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string') {
      const names = value === '' ? [] : Array.from(`,${value}`.matchAll(itemPattern), ([, name = '']) => name);
      if (names.length > maxNames) this.#tooMany(name, names.length);
      return names;
    }
    if (!Array.isArray(value)) {
      this.complain(name, 'Not a list');
      return undefined;
    }
    const items: readonly Json[] = value;
    if (items.length > maxNames) this.#tooMany(name, items.length);
    const names = items.filter((item) => typeof item === 'string');
    const bad = items.find((item) => typeof item !== 'string');
    if (bad !== undefined) this.complain(name, `Neither a string nor a list: ${truncate(toJson(bad))}`);
    return names;
  }

  #tooMany(name: string, count: number): void {
    this.complain(name, `must have at most ${maxNames} names, got: ${count}`);
  }

  /** Reads one of a few words. If it is absent or `""`, returns the default, `preset`. */
  word<Word extends string>(name: string, words: readonly Word[], preset: Word): Word {
    const value = this.raw(name);
    if (value === undefined || value === '') return preset;
    const match = words.find((word) => word === value);
    if (match === undefined)
      this.complain(name, `Value must be one of [${words.map((word) => `'${word}'`).join(', ')}]`);
    return match ?? preset;
  }

  /** Complains about an unknown parameter: CKAN refuses them in searches and deletes. */
  refuseUnknown(known: ReadonlySet<string>): void {
    for (const name of Object.keys(this.#given)) {
      if (known.has(name)) continue;
      this.complain('__extras', `invalid value "${truncate(name)}"${didYouMean(name, [...known])}`);
      return;
    }
  }

  /** @returns the unknown parameters; null if there are none. An upsert repeats them in its answer, as CKAN does */
  unknownParameters(known: ReadonlySet<string>): JsonObject | null {
    const extras = Object.entries(this.#given).filter(([name]) => !known.has(name));
    return extras.length === 0 ? null : Object.fromEntries(extras);
  }

  /** Throws a 409 with all complaints, if there are any. */
  check(): void {
    if (Object.keys(this.#complaints).length > 0) throw invalid(this.#complaints);
  }
}

/** The most resources that one call may name. */
export const maxResources = 64;

/**
 * A comma and the item after it: a name quoted as in CSV, maybe with a sort direction (`"a, b" desc`), or else everything up to the
 * next comma. A quote inside an unquoted name has no meaning. The expression takes linear time.
 */
const itemPattern = /,(\s*"[^"]*(?:""[^"]*)*"(?:\s[^",]*)?(?=,|$)|[^,]*)/g;

/** The limit of names in a list. Database servers refuse statements with more than about 1600 columns, even repeated ones. */
const maxNames = 1600;

/** The complaint about a text that is too long. */
export const tooLong = (most: number, bytes: number) => `must have at most ${most} bytes, got: ${bytes}`;

/** Writes a whole number without exponent or fraction: `1e3` and `1000.0` become `1000`. */
function plainDigits(text: string): string {
  const number = Number(text);
  return Number.isSafeInteger(number) && text.length < 16 ? String(number) : text;
}
