import { kinds, type Refusal } from '../model/errors.ts';
import type { Result } from '../model/http.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, toJson } from '../values/json.ts';
import type { Steps } from '../values/slices.ts';
import { Pieces } from './pieces.ts';
import { records } from './records.ts';

/**
 * The body of a success with CKAN's keys in CKAN's order, written in steps.
 * @param help the URL of the action's help
 * @throws Refusal invalid if the records alone have more than `maxBytes`
 */
export function* success(help: string, result: Result, maxBytes: number): Steps<string | Uint8Array> {
  const { before, after } = envelope(help);
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

/** Writes a JSON value. Lists are written item by item, because with `server.compat: "2.11"` they may repeat many records. */
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
  const { before, after } = envelope(help);
  return before + toJson(result) + after;
}

/** The text before and after a result. */
const envelope = (help: string) => ({ before: `{"help":${JSON.stringify(help)},"success":true,"result":`, after: '}' });

/** The limit of characters for a message in a refusal, which may quote long names and values of the request. */
const maxCharacters = 2000;

const cut = <T extends Json>(text: T): T | string =>
  typeof text === 'string' && text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;

/**
 * The body of a refusal, as in CKAN: a bare JSON string for kinds without `__type`; else an object, in which `__type` comes last
 * in validation errors and first in all others.
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
