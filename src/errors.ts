/**
 * The catalogue of refusals: every answer that is not a success is made here. Status and `__type` are CKAN's
 * (ckan-contract 1.6); the texts are ours, in PostgreSQL's wording where CKAN shows PostgreSQL's.
 */
import type { Json, JsonObject } from './plan.ts';

/** kind → status and CKAN's `__type`. A kind without `__type` is answered as a bare JSON string (contract 1.6). */
export const kinds = {
  malformed: { status: 400, type: null },
  denied: { status: 403, type: 'Authorization Error' },
  notFound: { status: 404, type: 'Not Found Error' },
  method: { status: 405, type: null },
  invalid: { status: 409, type: 'Validation Error' },
  tooLarge: { status: 413, type: null },
  mediaType: { status: 415, type: null },
  internal: { status: 500, type: 'Internal Server Error' },
  unavailable: { status: 503, type: 'Service Unavailable' },
  unknownOutcome: { status: 503, type: 'Unknown Outcome' },
} as const satisfies Record<string, { status: number; type: string | null }>;

export type Kind = keyof typeof kinds;

/** Thrown by any station, caught once, at the edge. `cause` is for the log and never leaves the process. */
export class Refusal extends Error {
  readonly kind: Kind;
  /** Members of `error` beside `__type`; for a kind without `__type`, `message` is the whole body. */
  readonly details: JsonObject;

  constructor(kind: Kind, details: JsonObject, cause?: unknown) {
    super(typeof details['message'] === 'string' ? details['message'] : kind, { cause });
    this.kind = kind;
    this.details = details;
  }

  get status(): number {
    return kinds[this.kind].status;
  }
}

/** 409: one key per bad parameter, each a list of sentences (contract 1.6). */
export function invalid(details: Readonly<Record<string, Json>>, cause?: unknown): Refusal {
  return new Refusal('invalid', details, cause);
}

/** 403, never 401. `reason` must not depend on anything but the caller, the resource and the effect. */
export function denied(reason: string): Refusal {
  return new Refusal('denied', { message: `Access denied: ${reason}` });
}

export function notFound(reason?: string): Refusal {
  return new Refusal('notFound', { message: reason === undefined ? 'Not found' : `Not found: ${reason}` });
}

/** 400 as CKAN's bare JSON string. */
export function malformed(reason: string): Refusal {
  return new Refusal('malformed', { message: `Bad request: ${reason}` });
}

export function unavailable(message: string, cause?: unknown): Refusal {
  return new Refusal('unavailable', { message }, cause);
}

export function internal(cause: unknown): Refusal {
  return new Refusal('internal', { message: 'Internal Server Error' }, cause);
}
