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
export function success(help: string, result: Result, maxBytes: number): string {
  // Added up and not joined: joined, all of it would be copied once more.
  let members = '';
  for (const member of result.members) {
    const value = member.length === 3 ? records(member[1], member[2], maxBytes) : toJson(member[1]);
    members += `${members === '' ? '' : ','}${JSON.stringify(member[0])}:${value}`;
  }
  return succeeded(help, `{${members}}`);
}

/** The body of a success without records. */
export function plainSuccess(help: string, result: Json): string {
  return succeeded(help, toJson(result));
}

function succeeded(help: string, result: string): string {
  return `{"help":${JSON.stringify(help)},"success":true,"result":${result}}`;
}

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
