import { hash } from 'node:crypto';
import type { Sealing } from '../model/http.ts';

/**
 * Until when a stream of change notices has sent every change: the number of its notices, and an epoch of one process's
 * generations. As the id of an event, the epoch is sealed. It would show how much is written to tables that the client may not
 * read.
 */
export interface EventId {
  readonly notices: number;
  /** '' where it is not known that anything was sent. */
  readonly sealed: string;
}

const purpose = 'event';
/** A text of another form is no id of ours. */
const form = /^(\d{1,15})\.([\w-]{0,200})(?:\.([\w-]{1,50}))?$/;

/** The start of a stream without an earlier one. */
export const unknown: EventId = { notices: 0, sealed: '' };

/** A short text that differs for other resources, by the names that a client has for them. */
export const subscribed = (names: Iterable<string>): string =>
  hash('sha256', JSON.stringify([...names].sort()), 'base64url').slice(0, 12);

/** @param to what the stream is subscribed to: its client was sent nothing about other resources */
export const eventId = ({ notices, sealed }: EventId, to: string): string =>
  `${notices}.${sealed === '' ? '' : `${sealed}.${to}`}`;

/**
 * Reads `Last-Event-ID`. What no gateway has sent is like none: every resource counts as changed. So it is where the id is of a stream
 * of other resources, but the counter goes on.
 */
export function readEventId(text: string | undefined, to: string): EventId {
  const [, notices, sealed = '', of] = form.exec(text ?? '') ?? [];
  return notices === undefined ? unknown : { notices: Number(notices), sealed: of === to ? sealed : '' };
}

/** @param process the id of the process whose generations have the epoch */
export function sealEpoch(sealing: Sealing, process: string, epoch: number): string {
  return sealing.seal(`${process} ${epoch}`, purpose);
}

/** The epoch; null where another process has sealed it, or another secret. */
export function openEpoch(sealing: Sealing, process: string, sealed: string): number | null {
  const [by, epoch] = sealing.open(sealed, purpose)?.split(' ') ?? [];
  return by === process && epoch !== undefined ? Number(epoch) : null;
}
