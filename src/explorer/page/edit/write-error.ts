/** What is wrong with a write, as a message for the user. */
import { Refused } from '../ask/call.ts';
import { list, textOf, texts } from '../ask/json.ts';
import { inWords } from '../parts/trouble.tsx';
import { refusalInWords } from './refusals.ts';
import { words } from './texts/index.ts';

/** A refusal's message, and which record and columns it is about. */
export interface WriteError {
  /** The record's index, from 0; null if the refusal is about the whole call. */
  readonly row: number | null;
  /** The columns with an error; empty if the refusal is about the whole call. */
  readonly fields: readonly string[];
  readonly text: string;
  /** The gateway's own message, in English; '' if it says no more. */
  readonly details: string;
}

export function writeErrorOf(error: Refused): WriteError {
  const { records, records_row, records_field } = error.details;
  const complaints = list(records).map((one) => textOf(one) ?? '');
  const said = complaints.join('; ');
  const isOwn = error instanceof Complaint;
  const details = said === '' ? error.message : said;
  return {
    row: typeof records_row === 'number' ? records_row : null,
    fields: typeof records_field === 'string' ? [records_field] : texts(records_field),
    text: isOwn ? said : (refusalInWords(complaints[0] ?? error.message) ?? messageOf(error)),
    details: isOwn ? '' : details,
  };
}

function messageOf(error: Refused): string {
  const { status, details } = error;
  // After one of these errors, the write may or may not have been committed.
  if (status === 0 || status === 502 || status === 504 || details.__type === 'Unknown Outcome') return words.isUnknown;
  return status === 403 ? words.mayNotWrite : status === 409 ? words.isRefused : inWords(error, '');
}

/** An error that the page itself found, in the page's language. */
class Complaint extends Refused {}

/** Makes an error that the page itself found look like a refusal by the gateway. */
export const complaint = (text: string, fields: readonly string[] = [], row: number | null = null): Refused =>
  new Complaint(text, 409, null, { records: [text], records_field: fields, records_row: row });
