/** Pure. Caller + resource + effect → permitted, or 403. The check runs before any column name is read. */

import { denied, type Refusal } from '../model/errors.ts';
import type { Anonymous, Caller, May, Resource } from '../model/http.ts';

/** The parts of a resource that decide about permissions. */
type Guarded = Pick<Resource, 'id' | 'access'>;

declare const isGranted: unique symbol;

/** A sender whose permission was checked. Only `permit` makes one. */
export interface Granted {
  readonly [isGranted]: true;
  readonly sender: Caller | Anonymous;
}

/**
 * Checks a permission. `access` of the resource overrides the lists of the token, even `"*"`.
 * @throws Refusal denied (403, never 401) in CKAN's words. The text depends only on the caller, the resource's id and the
 * effect, so it reveals nothing about the table. CKAN prints an anonymous caller's empty name between two spaces, so we do, too;
 * we append why the caller is anonymous, to help with a misspelt token.
 */
export function permit(sender: Caller | Anonymous, resource: Guarded, effect: 'read' | 'write'): Granted {
  const caller = callerIn(sender);
  if (effect === 'read' ? canRead(caller, resource) : canWrite(caller, resource))
    return { sender } as unknown as Granted;
  throw notAuthorized(caller, resource, effect, typeof sender === 'string' ? reasons[sender] : null);
}

/** 403 for a caller whose claims do not say which rows it may see: one is missing, or does not fit its column. */
export const withoutRows = ({ sender }: Granted, resource: Guarded, effect: 'read' | 'write'): Refusal =>
  notAuthorized(callerIn(sender), resource, effect, 'this token does not say which rows');

function notAuthorized(
  caller: Caller | null,
  { id }: Guarded,
  effect: 'read' | 'write',
  reason: string | null,
): Refusal {
  const right = effect === 'read' ? 'resource_show' : 'resource_update';
  const why = reason === null ? '' : `: ${reason}`;
  return denied(`User ${caller?.name ?? ''} not authorized to perform ${right} on resource ${id}${why}`);
}

const reasons: Readonly<Record<Anonymous, string>> = {
  'no token': 'no token was sent',
  'unknown token': 'this token is not known',
  'expired token': 'this token has expired',
  callback: 'a call with a callback is anonymous',
};

/** @throws Refusal denied if the configuration lets nobody count this resource's records in groups (`access.aggregate`) */
export function permitAggregate({ id, access }: Guarded): void {
  if (!access.aggregate) throw denied(`records of resource ${id} cannot be counted in groups (access.aggregate)`);
}

/** @throws Refusal denied if the configuration lets nobody use SQL on this resource (`access.sql`) */
export function permitSql({ id, access }: Guarded): void {
  if (!access.sql) throw denied(`resource ${id} takes no SQL (access.sql)`);
}

/** @returns the caller; null if the sender is anonymous */
export function callerIn(sender: Caller | Anonymous): Caller | null {
  return typeof sender === 'string' ? null : sender;
}

/** Whether this caller may see the rows of a resource. If not, lists of resources do not show it, either. */
export function canRead(caller: Caller | null, resource: Guarded): boolean {
  return resource.access.read === 'public' || listed(caller?.read, resource.id);
}

/** The permissions of this caller on a resource. */
export function permissions(caller: Caller | null, resource: Guarded): May {
  const [read, write] = [canRead(caller, resource), canWrite(caller, resource)];
  const { aggregate, deleteAll } = resource.access;
  return { read, aggregate: read && aggregate, write, deleteAll: write && deleteAll };
}

/** Whether this caller may write any resource at all. */
export function writesAny(caller: Caller | null): boolean {
  return caller !== null && (caller.write === 'all' || caller.write.size > 0);
}

function canWrite(caller: Caller | null, resource: Guarded): boolean {
  return resource.access.write !== 'none' && listed(caller?.write, resource.id);
}

function listed(rights: Caller['read'] | undefined, id: string): boolean {
  return rights === 'all' || rights?.has(id) === true;
}
