import type { Result } from '../call.ts';
import { kinds, type Refusal } from '../errors.ts';
import type { Json, JsonObject } from '../value.ts';
import { toJson } from './json.ts';
import { records } from './records.ts';

/**
 * The body of a success, keys in CKAN's order (contract 1.5).
 * @param help the address of the action's help, made from the site's own URL
 * @throws Refusal invalid when the records alone are over `maxBytes`
 */
export function success(help: string, result: Result, maxBytes: number): string | Uint8Array {
  const { before, after } = around(help);
  const written: Uint8Array[] = [];
  // Added up and not joined: joined, all of it would be copied once more.
  let text = before;
  let gap = '{';
  for (const member of result.members) {
    const value = member.length === 3 ? records(member[1], member[2], maxBytes) : toJson(member[1]);
    text += `${gap}${JSON.stringify(member[0])}:`;
    gap = ',';
    if (typeof value === 'string') text += value;
    else {
      written.push(Buffer.from(text), value);
      text = '';
    }
  }
  text += `${gap === ',' ? '' : gap}}${after}`;
  return written.length === 0 ? text : Buffer.concat([...written, Buffer.from(text)]);
}

/** The body of a success without records. */
export function plainSuccess(help: string, result: Json): string {
  const { before, after } = around(help);
  return before + toJson(result) + after;
}

/** What stands around a result. */
const around = (help: string) => ({ before: `{"help":${JSON.stringify(help)},"success":true,"result":`, after: '}' });

/**
 * The body of a refusal (contract 1.6): a bare JSON string for kinds without `__type`; else an envelope, `__type` last in
 * validation errors and first in all others.
 */
export function failure(help: string, refusal: Refusal): string {
  const { type } = kinds[refusal.kind];
  if (type === null) return JSON.stringify(refusal.message);
  const error: JsonObject =
    type === kinds.invalid.type ? { ...refusal.details, __type: type } : { __type: type, ...refusal.details };
  return `{"help":${JSON.stringify(help)},"error":${toJson(error)},"success":false}`;
}
