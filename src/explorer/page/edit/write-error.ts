/** What is wrong with a write, in words. */
import { Refused } from '../ask/call.ts';
import { list, textOf, texts } from '../ask/json.ts';
import { inWords } from '../parts/trouble.tsx';
import { refusalInWords } from './refusals.ts';
import { words } from './texts/index.ts';

/** The message of a refusal, and which record and columns it is about. */
export interface WriteError {
  /** Index of the record, from 0; null if the refusal is about the whole call. */
  readonly row: number | null;
  /** The columns with an error; empty if the refusal is about the whole call. */
  readonly fields: readonly string[];
  readonly text: string;
  /** The gateway's own words, in English; '' if they say no more. */
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
  // After these the write may or may not have been committed.
  if (status === 0 || status === 502 || status === 504 || details.__type === 'Unknown Outcome') return words.isUnknown;
  return status === 403 ? words.mayNotWrite : status === 409 ? words.isRefused : inWords(error, '');
}

/** An error of the page itself, in the language of the page. */
class Complaint extends Refused {}

/** An error of the page itself, shaped like a refusal of the gateway. */
export const complaint = (text: string, fields: readonly string[] = [], row: number | null = null): Refused =>
  new Complaint(text, 409, null, { records: [text], records_field: fields, records_row: row });
