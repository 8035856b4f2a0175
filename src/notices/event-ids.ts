import { hash } from 'node:crypto';
import type { Sealing } from '../model/http.ts';

/**
 * How far a stream of change notices has come: the number of its notices, and the epoch up to which it has sent every change. The epoch
 * counts one process's generations. It is encrypted, because it would show how much is written to tables that the client may not read.
 */
export interface EventId {
  readonly notices: number;
  /** The encrypted epoch; '' if we don't know what was sent. */
  readonly sealed: string;
}

const purpose = 'event';
/** The form of our ids: the count, the encrypted epoch, and the resources' hash. */
const form = /^(\d{1,15})\.([\w-]{0,200})(?:\.([\w-]{1,50}))?$/;

/** Where a stream starts if its client has seen no event from an earlier one. */
export const noEventId: EventId = { notices: 0, sealed: '' };

/** A short hash of the names by which a client subscribes to resources. It differs for other resources. */
export const hashOfResources = (names: Iterable<string>): string =>
  hash('sha256', JSON.stringify([...names].sort()), 'base64url').slice(0, 12);

/** @param to the hash of the stream's resources (`hashOfResources`): the id is not valid for other resources */
export const eventId = ({ notices, sealed }: EventId, to: string): string =>
  `${notices}.${sealed === '' ? '' : `${sealed}.${to}`}`;

/**
 * Reads `Last-Event-ID`. If no gateway has sent this id, we ignore it, and every resource counts as changed. The same holds after a stream
 * about other resources, except that the count of notices goes on.
 */
export function readEventId(text: string | undefined, to: string): EventId {
  const [, notices, sealed = '', of] = form.exec(text ?? '') ?? [];
  return notices === undefined ? noEventId : { notices: Number(notices), sealed: of === to ? sealed : '' };
}

/** Encrypts an epoch for an event's id. @param process the id of the process that the epoch comes from */
export function sealEpoch(sealing: Sealing, process: string, epoch: number): string {
  return sealing.seal(`${process} ${epoch}`, purpose);
}

/** The epoch; null if it comes from another process, or was encrypted with another secret. */
export function openEpoch(sealing: Sealing, process: string, sealed: string): number | null {
  const [by, epoch] = sealing.open(sealed, purpose)?.split(' ') ?? [];
  return by === process && epoch !== undefined ? Number(epoch) : null;
}
