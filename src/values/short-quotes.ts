/** Pure. Cuts what a refusal quotes of a call's parameters. */
import type { Json } from '../model/value.ts';
import { isList, isObject } from './json.ts';

/** The most characters of one parameter. */
const maxQuoted = 50;
/** The most sentences about one parameter, and the most texts to look for in each: a call may have thousands of either. */
const [maxSentences, maxTexts] = [10, 1000];

/** What a refusal says, with at most 50 characters of each long text in the parameters: it must not carry instructions to a model. */
export function shortQuotes(said: Json, params: Json): Json {
  const long = longTexts(params).slice(0, maxTexts);
  const shortened = (part: Json): Json => {
    if (typeof part === 'string') return long.reduce(withShort, part);
    if (isList(part)) return part.slice(0, maxSentences).map(shortened);
    return isObject(part) ? Object.fromEntries(Object.entries(part).map(([name, of]) => [name, shortened(of)])) : part;
  };
  return shortened(said);
}

/** The text with the beginning of a long one wherever it quotes more of it. */
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

/** The long texts and names in a value, whole and between commas, each also as JSON writes it. */
function longTexts(value: Json): readonly string[] {
  if (typeof value === 'string')
    return [value, ...value.split(',').map((part) => part.trim())]
      .filter(({ length }) => length > maxQuoted)
      .flatMap((part) => [JSON.stringify(part).slice(1, -1), part]);
  if (isList(value)) return value.flatMap(longTexts);
  return isObject(value) ? Object.entries(value).flatMap(([name, of]) => [...longTexts(name), ...longTexts(of)]) : [];
}
