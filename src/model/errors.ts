/**
 * The catalogue of refusals: every answer that is not a success is made here. Status and `__type` are CKAN's (docs/ckan-compatibility.md).
 * The texts are ours; where CKAN passes on an error of PostgreSQL, we use PostgreSQL's wording.
 */
import type { ErrorKind } from './catalog.ts';
import { type Column, holdsText, isNamed, type Table } from './table.ts';
import type { Json, JsonObject } from './value.ts';

/** The status of each kind, and its `__type` in CKAN. A kind without `__type` is answered as a bare JSON string, as CKAN does. */
export const kinds = {
  malformed: { status: 400, type: null },
  parameters: { status: 400, type: 'Validation Error' },
  denied: { status: 403, type: 'Authorization Error' },
  notFound: { status: 404, type: 'Not Found Error' },
  method: { status: 405, type: null },
  invalid: { status: 409, type: 'Validation Error' },
  tooLarge: { status: 413, type: null },
  mediaType: { status: 415, type: null },
  internal: { status: 500, type: 'Internal Server Error' },
  tooMany: { status: 429, type: 'Too Many Requests' },
  badGateway: { status: 502, type: null },
  busy: { status: 503, type: null },
  unavailable: { status: 503, type: 'Service Unavailable' },
  unknownOutcome: { status: 503, type: 'Unknown Outcome' },
  gatewayTimeout: { status: 504, type: null },
} as const satisfies Record<string, { status: number; type: string | null }>;

/** `Retry-After` in seconds. A write with an unknown outcome gets none: it may have taken effect, so clients should not simply send it again. */
const retryAfterSeconds = 2;

export type RefusalKind = keyof typeof kinds;

/** The resource whose catalogue has to be read again, and the reason. */
export interface Stale {
  readonly resource: string;
  /** `refused`: the request does not match the catalogue. `failed`: a statement built from the catalogue failed. */
  readonly why: 'refused' | 'failed';
}

/** An error that becomes the answer of the call, wherever it is thrown. `cause` is for the log, and is never sent to the client. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  /** Members of `error` beside `__type`; for a kind without `__type`, `message` is the whole body. */
  readonly details: JsonObject;

  /** Set if the catalogue may be out of date: reading it again, and repeating the call once, may help. */
  readonly stale: Stale | null;

  /** Seconds until a retry makes sense; null if none does. */
  readonly retryAfter: number | null;

  constructor(
    kind: RefusalKind,
    details: JsonObject,
    about: { readonly cause?: unknown; readonly stale?: Stale | null; readonly retryAfter?: number | null } = {},
  ) {
    super(typeof details.message === 'string' ? details.message : kind, { cause: about.cause });
    this.stale = about.stale ?? null;
    this.retryAfter = about.retryAfter ?? (kind === 'busy' || kind === 'unavailable' ? retryAfterSeconds : null);
    this.kind = kind;
    this.details = details;
  }

  get status(): number {
    return kinds[this.kind].status;
  }
}

/** 409: `details` has a list of sentences for each bad parameter, as in CKAN. */
export function invalid(details: Readonly<Record<string, Json>>, cause?: unknown): Refusal {
  return new Refusal('invalid', details, { cause });
}

/**
 * 409: an integer column that is shown as true and false holds a number other than 0 and 1. `field` is the column's label, `record` the
 * record's key as JSON. Both are null at first, because the encoder that throws this error knows only the number.
 */
export class OutsideFlag extends Refusal {
  /** The problem, without the advice on what to do. */
  readonly text: string;

  constructor(number: string, field: string | null = null, record: string | null = null) {
    const column = field === null ? 'a field' : `the field "${field}"`;
    const text = `${column} is shown as true or false, but ${record === null ? 'a record' : `the record ${record}`} holds ${number}`;
    super('invalid', { fields: [`${text}: correct it, or leave the field out`] });
    this.text = text;
  }
}

/** The same refusal, marked as perhaps caused by an outdated catalogue. */
export function stale({ kind, details, cause }: Refusal, resource: string, why: Stale['why']): Refusal {
  return new Refusal(kind, details, { cause, stale: { resource, why } });
}

/** 409 for an answer above `limits.responseBytes`; it names the parameters to change. */
export function overResponseBytes(maxBytes: number, cause?: unknown): Refusal {
  const reason = `The answer is over ${maxBytes} bytes (limits.responseBytes)`;
  return invalid({ limit: [`${reason}: ask for fewer records`], fields: [`${reason}: ask for fewer fields`] }, cause);
}

/** 409 for groups whose answer is above `limits.responseBytes`. */
export function tooManyGroups(maxBytes: number, cause?: unknown): Refusal {
  const text = `The answer is over ${maxBytes} bytes (limits.responseBytes): ask for fewer groups, or with shorter filters`;
  return invalid({ limit: [text] }, cause);
}

/** 403, never 401. `reason` must depend only on caller, resource and effect: it must not reveal anything about the data. */
export function denied(reason: string, cause?: unknown): Refusal {
  return new Refusal('denied', { message: `Access denied: ${reason}` }, { cause });
}

export function notFound(reason?: string): Refusal {
  return new Refusal('notFound', { message: reason === undefined ? 'Not found' : `Not found: ${reason}` });
}

/** 400, with a bare JSON string as the body, as in CKAN. */
export function malformed(reason: string): Refusal {
  return new Refusal('malformed', { message: `Bad request: ${reason}` });
}

export function unavailable(message: string, cause?: unknown): Refusal {
  return new Refusal('unavailable', { message }, { cause });
}

export const brokenView = (cause?: unknown): Refusal =>
  unavailable(
    'broken in the database: a table, column, function or definer that the view or a trigger needs is gone',
    cause,
  );

/** 429: `rateLimit` allows no more calls for this many seconds. */
export function tooMany(seconds: number): Refusal {
  const message = `too many calls, try again in ${seconds} s`;
  return new Refusal('tooMany', { message }, { retryAfter: seconds });
}

export function internal(cause: unknown): Refusal {
  return new Refusal('internal', { message: 'Internal Server Error' }, { cause });
}

/** 409: one of these columns holds bytes that are not valid text in the database's encoding. */
export function unreadable(columns: readonly Column[], encoding: string, cause: unknown): Refusal {
  const labels = columns.filter(({ type }) => holdsText(type)).map(({ label }) => `"${label}"`);
  const text = `a record has bytes in ${labels.join(' or ')} that are no character in the encoding of its database (${encoding}): leave the field out, or mend the record`;
  return invalid({ fields: [text] }, cause);
}

/**
 * The refusal for a driver error, made from its classified meaning. The driver's own text may contain data or names of hidden columns,
 * so it is never used. `row` is the record's index in the call; null if the call has no records.
 */
export function refusal(meaning: ErrorKind, table: Table, row: number | null, cause: unknown): Refusal {
  switch (meaning.kind) {
    case 'duplicate':
    case 'null':
    case 'missing reference':
    case 'still referenced':
    case 'check':
    case 'trigger':
    case 'value':
      return refusalOfRecord(meaning, table, row, cause);
    case 'unreadable':
      return unreadable(table.columns, meaning.encoding, cause);
    case 'not writable':
      return invalid({ table: ['the database cannot write to this table or view'] }, cause);
    case 'read-only':
      return unavailable('the database takes no writes now, try again', cause);
    case 'permission':
      return denied(`the gateway has no right to do this to resource ${table.resource}`, cause);
    case 'timeout':
      return invalid({ query: [row === null ? 'Search took too long' : 'Query took too long'] }, cause);
    case 'too large': {
      const text = 'must be smaller: the database takes no statement of this size';
      return invalid({ [row === null ? 'query' : 'records']: [text], ...recordAt(row) }, cause);
    }
    case 'schema':
      return stale(unavailable('the table has changed, try again', cause), table.resource, 'failed');
    case 'broken view':
      return stale(brokenView(cause), table.resource, 'failed');
    case 'not populated':
      return unavailable('a materialized view is not populated: its owner has to REFRESH MATERIALIZED VIEW', cause);
    case 'busy':
    case 'retry':
      return unavailable('the database is busy, try again', cause);
    case 'connection':
      return unavailable('the database cannot be reached, try again', cause);
    default:
      return internal(cause);
  }
}

/** The database refuses the content of a record. */
type RecordError = Extract<
  ErrorKind,
  { kind: 'duplicate' | 'null' | 'missing reference' | 'still referenced' | 'check' | 'trigger' | 'value' }
>;

function refusalOfRecord(meaning: RecordError, table: Table, row: number | null, cause: unknown): Refusal {
  const labelOf = (name: string | null) => table.columns.findLast((column) => column.name === name)?.label;
  const records = (text: string, field?: Json) =>
    invalid({ records: [text], ...recordAt(row), ...(field === undefined ? {} : { records_field: field }) }, cause);
  /** Refuses a violated constraint; names its columns if all of them are visible. */
  const violates = (constraint: string, columns: readonly string[] = [], why = '') => {
    const labels = columns.map(labelOf).filter((label) => label !== undefined);
    if (labels.length === 0 || labels.length < columns.length) return records(`${constraint}${why}`);
    const [only, ...others] = labels;
    return records(`${constraint} on "${labels.join(', ')}"${why}`, others.length === 0 ? only : labels);
  };
  switch (meaning.kind) {
    case 'duplicate': {
      const key = table.uniqueKeys.find((unique) => meaning.constraint !== null && isNamed(unique, meaning.constraint));
      return violates('duplicate key value violates unique constraint', key?.columns);
    }
    case 'null': {
      const label = labelOf(meaning.column);
      const column = label === undefined ? '' : ` "${label}"`;
      return records(`null value in column${column} violates not-null constraint`, label);
    }
    case 'missing reference': {
      const key = table.foreignKeys.find((foreign) => foreign.name === meaning.constraint);
      const why = ': the record it refers to does not exist';
      return violates('insert or update violates foreign key constraint', key?.columns, why);
    }
    case 'still referenced':
      return records('update or delete violates foreign key constraint: another record still refers to this one');
    case 'check':
      return records('new row violates check constraint');
    case 'trigger':
      return records('refused by a trigger of the table');
    case 'value':
      return records('invalid input: the database cannot store this value', labelOf(meaning.column));
  }
}

const recordAt = (row: number | null) => (row === null ? {} : { records_row: row });
