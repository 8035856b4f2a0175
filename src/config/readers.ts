/**
 * Readers turn a value in the file into a setting. An error text continues "must be"; for unknown names in a mapping, it lists the valid
 * names. Pure.
 */
import { LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { Claim, type TemplateValue } from '../model/claim.ts';
import type { Json } from '../model/value.ts';

/** The default of `databases.X.pool.max`, against which `server.workers` is checked. */
export const poolMax = 10;

/** A text that matches the pattern; by default any text that is not blank. */
export const text = (expected: string, pattern = /\S/) => z.string(expected).regex(pattern, expected);

/** A display name: no control characters, no blanks around it. */
export const label = (what: string) =>
  text(`${what} without control characters and without blanks around it`, /^(?!\s)\P{Cc}+(?<!\s)$/u);

/** A setting that must be one of a few words. */
export const choice = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, words.join(' or '));

/** A list of names. */
export const names = (what: string) => z.array(text(what), `a list, each ${what}`);

/** A boolean, also as a string, because environment variables are strings. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], 'true or false')
  .transform((v) => String(v) === 'true');

/** A whole number within bounds, also as a string, because environment variables are strings. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const expected = `a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`;
  const number = z.int(expected).min(min, expected).max(max, expected);
  return z
    .union([number, text(expected, /^\d{1,16}$/)], expected)
    .transform(Number)
    .pipe(number);
}

const aShare = 'a number above 0, at most 1, such as 0.01';
const share = z.number(aShare).gt(0, aShare).max(1, aShare);

/** A fraction from 0 to 1, also as a string, because environment variables are strings. */
export const shareOfAll = z
  .union([share, text(aShare, /^\d*\.?\d+$/)], aShare)
  .transform(Number)
  .pipe(share);

const timeUnits: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A duration, in milliseconds. More than 2^31-1 ms is refused, because Node's timers would fire at once. */
export function duration(min: 0 | 1) {
  const expected = `${min === 0 ? '0 or a duration' : 'a duration above 0'} such as 500ms, 10s, 2m or 1h, at most 596h`;
  const milliseconds = z.int(expected).min(min, expected);
  return z
    .union([z.literal(0), text(expected, /^(0|\d+(\.\d+)?(ms|s|m|h))$/)], expected)
    .transform((v) => scaled(String(v), timeUnits))
    .pipe(milliseconds.max(2 ** 31 - 1, expected));
}

/** A duration in milliseconds; null for `none`. */
export const durationOrNone = z.union([z.literal('none').transform(() => null), duration(0)], {
  error: '`none`, 0 or a duration such as 500ms, 10s, 2m or 1h, at most 596h',
});

const aPointInTime = 'a point in time such as 2026-11-28T12:00:00Z';

/** A point in time, in milliseconds since 1970. */
export const pointInTime = z.iso.datetime({ offset: true, error: aPointInTime }).transform((text) => Date.parse(text));

const sizeUnits: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['kB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
]);
/** The largest body or answer, in bytes. It may become one JavaScript string, and V8's limit for those is 2^29 characters. */
export const maxStringBytes = 512e6;

/** A size, in bytes. kB, MB and GB count in thousands; KiB, MiB and GiB in 1024s. */
export function size(max = Number.MAX_SAFE_INTEGER) {
  const expected = `a size such as 64kB, 10MB or 1GB${max === Number.MAX_SAFE_INTEGER ? '' : `, at most ${max / 1e6}MB`}`;
  const bytes = z.int(expected).min(1, expected).max(max, expected);
  return z
    .union([bytes, text(expected, /^\d+(\.\d+)?([kMG]?B|[KMG]iB)?$/)], expected)
    .transform((v) => scaled(String(v), sizeUnits))
    .pipe(bytes);
}

/** The value of a text such as `10s`: 10 times the unit `s`. NaN for an unknown unit. */
function scaled(written: string, units: ReadonlyMap<string, number>): number {
  const digits = Number.parseFloat(written);
  const unit = written.replace(/^[\d.]+/, '');
  return Math.round(unit === '' ? digits : digits * (units.get(unit) ?? Number.NaN));
}

/** A mapping of settings, in which unknown names are errors. */
export const mapping = <T extends z.ZodRawShape>(shape: T, expected = 'a mapping') =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : expected),
  });

/** A mapping that may be absent or empty, such as `cors:` with all its lines commented out. */
export const section = <T extends z.ZodRawShape>(shape: T) => z.preprocess((v) => v ?? {}, mapping(shape)).prefault({});

/** A setting with its default, as it would be written in the file. */
export const setting = <T extends z.ZodType>(reader: T, byDefault: z.input<T>, help: string) =>
  z.prefault(reader, byDefault).meta({ description: help });

/** A setting without a fixed default: null if it is absent; `unset` says in the docs what that means. */
export const maybe = <T extends z.ZodType>(reader: T, unset: string, help: string) =>
  reader
    .optional()
    .transform((v) => v ?? null)
    .meta({ description: help, 'x-default': unset });

/** A setting that takes effect only at a restart, because objects that depend on it live as long as the process. */
export const atStart = <T extends z.ZodType>(reader: T) => reader.meta({ 'x-restart': true });

/** A required setting. */
export const needed = <T extends z.ZodType>(reader: T, help: string) => reader.meta({ description: help });

/** Any JSON value. Numbers keep all their digits. */
export const jsonValue = z.unknown().transform((v, context): Json => (isJson(v) ? v : noJson(context)));

/** A value in a row filter: JSON, or a claim. */
export const rowValue = z.unknown().transform((v, context): TemplateValue => (isTemplate(v) ? v : noJson(context)));

function noJson(context: z.core.$RefinementCtx): never {
  context.issues.push({ code: 'custom', message: 'a value', input: context.value });
  return z.NEVER;
}

const isJson = (value: unknown): value is Json => isMadeOf(value, (leaf) => leaf instanceof LosslessNumber);
const isTemplate = (value: unknown): value is TemplateValue =>
  isMadeOf(value, (leaf) => leaf instanceof LosslessNumber || leaf instanceof Claim);

function isMadeOf(value: unknown, isLeaf: (value: object) => boolean): boolean {
  if (typeof value !== 'object' || value === null)
    return value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isLeaf(value) || Object.values(value).every((part) => isMadeOf(part, isLeaf));
}

/** An origin. It also becomes part of a Content-Security-Policy, where `;` would end the directive. */
export const origin = text('an origin such as https://data.example.org', /^https?:\/\/[^\s/?#@;,'"]+$/);
