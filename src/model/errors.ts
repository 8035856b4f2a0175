/**
 * The catalogue of refusals: every answer that is not a success is made here. Status and `__type` are CKAN's (contract 1.6); the texts are ours, in PostgreSQL's wording where CKAN shows PostgreSQL's.
 */
import type { ErrorKind } from './catalog.ts';
import { type Column, holdsText, isNamed, type Table } from './table.ts';
import type { Json, JsonObject } from './value.ts';

/** kind → status and CKAN's `__type`. A kind without `__type` is answered as a bare JSON string (contract 1.6). */
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

/** Seconds. A write whose outcome is unknown may be done: whoever sends it again should have looked before. */
const usualWait = 2;

export type RefusalKind = keyof typeof kinds;

/** The resource whose database is to be read again, and the reason. */
export interface Stale {
  readonly resource: string;
  /** `refused`: the request does not fit the catalogue. `failed`: a statement made from it did not run. */
  readonly why: 'refused' | 'failed';
}

/** Thrown anywhere on the path of a call, which ends with it as the answer. `cause` is for the log and never leaves the process. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  /** Members of `error` beside `__type`; for a kind without `__type`, `message` is the whole body. */
  readonly details: JsonObject;

  /** Set where the underlying catalogue may be out of date: then it is worth reading again, once. */
  readonly stale: Stale | null;

  /** Seconds until a retry makes sense; null where it does not. */
  readonly retryAfter: number | null;

  constructor(
    kind: RefusalKind,
    details: JsonObject,
    about: { readonly cause?: unknown; readonly stale?: Stale | null; readonly retryAfter?: number | null } = {},
  ) {
    super(typeof details.message === 'string' ? details.message : kind, { cause: about.cause });
    this.stale = about.stale ?? null;
    this.retryAfter = about.retryAfter ?? (kind === 'busy' || kind === 'unavailable' ? usualWait : null);
    this.kind = kind;
    this.details = details;
  }

  get status(): number {
    return kinds[this.kind].status;
  }
}

/** 409: one key per bad parameter, each a list of sentences (contract 1.6). */
export function invalid(details: Readonly<Record<string, Json>>, cause?: unknown): Refusal {
  return new Refusal('invalid', details, { cause });
}

/**
 * 409: an integer column that is shown as true and false holds another number. Its encoder knows the number only. `field` is the label
 * of the column, `record` the key of the record as JSON, where they are known.
 */
export class OutsideFlag extends Refusal {
  /** What is wrong, without a remedy. */
  readonly text: string;

  constructor(number: string, field: string | null = null, record: string | null = null) {
    const column = field === null ? 'a field' : `the field "${field}"`;
    const text = `${column} is shown as true or false, but ${record === null ? 'a record' : `the record ${record}`} holds ${number}`;
    super('invalid', { fields: [`${text}: correct it, or leave the field out`] });
    this.text = text;
  }
}

/** The same refusal, marked for a catalogue that may be out of date. */
export function stale({ kind, details, cause }: Refusal, resource: string, why: Stale['why']): Refusal {
  return new Refusal(kind, details, { cause, stale: { resource, why } });
}

/** 409 for an answer over `limits.responseBytes`, wherever it is detected: it names the parameters to change. */
export function overResponseBytes(maxBytes: number, cause?: unknown): Refusal {
  const reason = `The answer is over ${maxBytes} bytes (limits.responseBytes)`;
  return invalid({ limit: [`${reason}: ask for fewer records`], fields: [`${reason}: ask for fewer fields`] }, cause);
}

/** The same for groups. */
export function tooManyGroups(maxBytes: number, cause?: unknown): Refusal {
  const text = `The answer is over ${maxBytes} bytes (limits.responseBytes): ask for fewer groups, or with shorter filters`;
  return invalid({ limit: [text] }, cause);
}

/** 403, never 401. `reason` must depend only on the caller, the resource and the effect. */
export function denied(reason: string, cause?: unknown): Refusal {
  return new Refusal('denied', { message: `Access denied: ${reason}` }, { cause });
}

export function notFound(reason?: string): Refusal {
  return new Refusal('notFound', { message: reason === undefined ? 'Not found' : `Not found: ${reason}` });
}

/** 400 as CKAN's bare JSON string. */
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

/** 429: `rateLimit` allows no more calls for so many seconds. */
export function tooMany(seconds: number): Refusal {
  const message = `too many calls, try again in ${seconds} s`;
  return new Refusal('tooMany', { message }, { retryAfter: seconds });
}

export function internal(cause: unknown): Refusal {
  return new Refusal('internal', { message: 'Internal Server Error' }, { cause });
}

/** 409: one of these columns has a text that cannot be shown. */
export function unreadable(columns: readonly Column[], encoding: string, cause: unknown): Refusal {
  const labels = columns.filter(({ type }) => holdsText(type)).map(({ label }) => `"${label}"`);
  const text = `a record has bytes in ${labels.join(' or ')} that are no character in the encoding of its database (${encoding}): leave the field out, or mend the record`;
  return invalid({ fields: [text] }, cause);
}

/**
 * The refusal for a driver error of a statement, made from its meaning, never from its text. It has PostgreSQL's wording and
 * the labels of columns. `row` is the record's index in the call; null where the call has no records.
 */
export function refusal(meaning: ErrorKind, table: Table, row: number | null, cause: unknown): Refusal {
  const wire = (name: string | null) => table.columns.findLast((column) => column.name === name)?.label;
  const at = row === null ? {} : { records_row: row };
  const records = (text: string, field?: Json) =>
    invalid({ records: [text], ...at, ...(field === undefined ? {} : { records_field: field }) }, cause);
  /** A refusal that names the columns of a constraint where all of them are visible. */
  const violates = (constraint: string, columns: readonly string[] = [], why = '') => {
    const labels = columns.map(wire).filter((label) => label !== undefined);
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
      const field = wire(meaning.column);
      return records(
        `null value in column${field === undefined ? '' : ` "${field}"`} violates not-null constraint`,
        field,
      );
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
    case 'value': {
      const field = wire(meaning.column);
      return records('invalid input: the database cannot store this value', field);
    }
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
      return invalid({ [row === null ? 'query' : 'records']: [text], ...at }, cause);
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
