import type { Sealing } from '../model/http.ts';

/**
 * Until when a stream of change notices has told everything: the number of its notices, and an epoch of the generations of one
 * process. As the id of an event, the epoch is sealed: it would tell how much is written to tables that the client may not read.
 */
export interface EventId {
  readonly notices: number;
  /** '' where nothing is known to have been told. */
  readonly sealed: string;
}

const purpose = 'event';
/** Digits and characters; a text of another form is no id of ours. */
const form = /^(\d{1,15})\.([\w-]{0,200})$/;

/** The start of a stream without an earlier one. */
export const unknown: EventId = { notices: 0, sealed: '' };

export const eventId = ({ notices, sealed }: EventId): string => `${notices}.${sealed}`;

/** Reads `Last-Event-ID`. What no gateway has sent is like none: every resource counts as changed. */
export function readEventId(text: string | undefined): EventId {
  const [, notices, sealed] = form.exec(text ?? '') ?? [];
  return notices === undefined || sealed === undefined ? unknown : { notices: Number(notices), sealed };
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
