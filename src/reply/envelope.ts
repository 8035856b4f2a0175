import { kinds, type Refusal } from '../model/errors.ts';
import type { Result } from '../model/http.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, toJson } from '../values/json.ts';
import type { Steps } from '../values/slices.ts';
import { Pieces } from './pieces.ts';
import { records } from './records.ts';

/**
 * The body of a success, keys in CKAN's order (contract 1.5), in steps.
 * @param help the URL of the action's help, made from the site's own URL
 * @throws Refusal invalid when the records alone are over `maxBytes`
 */
export function* success(help: string, result: Result, maxBytes: number): Steps<string | Uint8Array> {
  const { before, after } = around(help);
  const body = new Pieces();
  body.add(before);
  let gap = '{';
  for (const member of result.members) {
    body.add(`${gap}${JSON.stringify(member[0])}:`);
    gap = ',';
    if (member.length === 3) yield* records(member[1], member[2], maxBytes, body);
    else yield* value(member[1], body);
  }
  body.add(`${gap === ',' ? '' : gap}}${after}`);
  return yield* body.joined();
}

/** Writes a list item by item: answers like those of CKAN 2.11 repeat the records that were sent. */
function* value(json: Json, body: Pieces): Steps<void> {
  if (!isList(json)) {
    body.add(toJson(json));
    return;
  }
  body.add('[');
  for (const [nth, item] of json.entries()) {
    body.add(`${nth === 0 ? '' : ','}${toJson(item)}`);
    yield;
  }
  body.add(']');
}

/** The body of a success without records. */
export function plainSuccess(help: string, result: Json): string {
  const { before, after } = around(help);
  return before + toJson(result) + after;
}

/** The envelope before and after a result. */
const around = (help: string) => ({ before: `{"help":${JSON.stringify(help)},"success":true,"result":`, after: '}' });

/** Limit of characters for one text of a refusal, which quotes names and values of the request of any length. */
const mostCharacters = 2000;

const cut = <T extends Json>(text: T): T | string =>
  typeof text === 'string' && text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;

/**
 * The body of a refusal (contract 1.6). Kinds without `__type` are a bare JSON string. Others are an envelope, with `__type`
 * last in validation errors and first in all others.
 */
export function failure(help: string, refusal: Refusal): string {
  const { type } = kinds[refusal.kind];
  if (type === null) return JSON.stringify(cut(refusal.message));
  const details = Object.fromEntries(
    Object.entries(refusal.details).map(([name, texts]) => [cut(name), isList(texts) ? texts.map(cut) : cut(texts)]),
  );
  const error: JsonObject = type === kinds.invalid.type ? { ...details, __type: type } : { __type: type, ...details };
  return `{"help":${JSON.stringify(help)},"error":${toJson(error)},"success":false}`;
}
