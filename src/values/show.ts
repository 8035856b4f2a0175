/** Pure. A JSON value as a refusal quotes it. */
import { isLosslessNumber } from 'lossless-json';
import type { Json } from '../model/value.ts';
import { isList, isObject, toJson } from './json.ts';
import { truncate } from './truncate.ts';

/** A JSON value for an error message: strings unchanged, anything else as JSON, never more than 200 characters. */
export function show(json: Json): string {
  return truncate(scalarText(json) ?? beginning(json, 200));
}

/** The beginning of a value's JSON text, a little more than `least` characters, because the whole text may have megabytes. */
function beginning(json: Json, least: number): string {
  if (typeof json === 'string') return toJson(json.slice(0, least + 1));
  if (!isList(json) && !isObject(json)) return toJson(json);
  const [open, close] = isList(json) ? '[]' : '{}';
  let text = `${open}`;
  const add = (part: string, value: Json) => {
    text += `${text.length > 1 ? ',' : ''}${part}${beginning(value, least - text.length)}`;
    return text.length <= least;
  };
  if (isList(json)) return json.every((item) => add('', item)) ? text + close : text;
  for (const name in json) if (!add(`${JSON.stringify(name.slice(0, least + 1))}:`, json[name] ?? null)) return text;
  return text + close;
}

/** A string, number or boolean as text, with the digits that the client sent; null for null, objects and arrays. */
export function scalarText(json: Json): string | null {
  if (typeof json === 'string') return json;
  if (typeof json === 'number' || typeof json === 'boolean') return Object.is(json, -0) ? '-0' : String(json);
  return isLosslessNumber(json) ? json.value : null;
}
