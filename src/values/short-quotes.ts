/** Pure. Shortens the texts from a call's parameters that a refusal quotes. */
import type { Json } from '../model/value.ts';
import { isList, isObject } from './json.ts';

/** How many characters of one parameter a refusal may quote. */
const maxQuoted = 50;
/** How many sentences about one parameter we keep, and for how many long texts we search them: a call may have thousands of either. */
const [maxSentences, maxTexts] = [10, 1000];

/** A refusal with at most 50 characters of each long text in the parameters: longer quotes could carry instructions to an AI model. */
export function shortQuotes(said: Json, params: Json): Json {
  const long = longTexts(params).slice(0, maxTexts);
  const shortened = (part: Json): Json => {
    if (typeof part === 'string') return long.reduce(withShort, part);
    if (isList(part)) return part.slice(0, maxSentences).map(shortened);
    return isObject(part) ? Object.fromEntries(Object.entries(part).map(([name, of]) => [name, shortened(of)])) : part;
  };
  return shortened(said);
}

/** Replaces each long quote of `long` in a text by its beginning. */
function withShort(text: string, long: string): string {
  const begin = long.slice(0, maxQuoted + 1);
  const quoted = `${long.slice(0, maxQuoted).replace(/[\uD800-\uDBFF]$/, '')}…`;
  let short = text;
  for (let at = short.indexOf(begin); at >= 0; at = short.indexOf(begin, at + quoted.length)) {
    let end = at + begin.length;
    while (end - at < long.length && short[end] === long[end - at]) end++;
    short = `${short.slice(0, at)}${quoted}${short.slice(end)}`;
  }
  return short;
}

/** The long texts and names in a value. A list with commas counts as a whole, and so does each part; both also in JSON's spelling. */
function longTexts(value: Json): readonly string[] {
  if (typeof value === 'string')
    return [value, ...value.split(',').map((part) => part.trim())]
      .filter(({ length }) => length > maxQuoted)
      .flatMap((part) => [JSON.stringify(part).slice(1, -1), part]);
  if (isList(value)) return value.flatMap(longTexts);
  return isObject(value) ? Object.entries(value).flatMap(([name, of]) => [...longTexts(name), ...longTexts(of)]) : [];
}
