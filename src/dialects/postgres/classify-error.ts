import type { ErrorKind } from '../../model/catalog.ts';
import { member } from '../member.ts';

/** SQLSTATE → meaning (appendix A of PostgreSQL's manual). */
const codes: Record<
  string,
  Exclude<ErrorKind['kind'], 'duplicate' | 'null' | 'missing reference' | 'still referenced' | 'value' | 'unreadable'>
> = {
  '23514': 'check',
  '44000': 'check',
  P0001: 'trigger',
  P0004: 'trigger',
  // Inside a function: a CASE statement without ELSE had no matching WHEN.
  '20000': 'trigger',
  '42P01': 'schema',
  '42703': 'schema',
  '42704': 'schema',
  '42725': 'schema',
  '42P17': 'schema',
  '3F000': 'schema',
  '42883': 'schema',
  '42804': 'schema',
  '0A000': 'schema',
  '42501': 'permission',
  '25006': 'read-only',
  // A sequence is exhausted, usually the one of a key.
  '2200H': 'read-only',
  '55000': 'not writable',
  '42809': 'not writable',
  '40001': 'retry',
  '40P01': 'retry',
  '55P03': 'retry',
  '57014': 'timeout',
  '53100': 'busy',
  '53200': 'busy',
  '53300': 'busy',
  // A query exceeded `temp_file_limit`.
  '53400': 'timeout',
  '57P03': 'busy',
  '57P01': 'connection',
  '57P02': 'connection',
  '54000': 'too large',
  '54001': 'too large',
  '54023': 'too large',
  '28000': 'permission',
  '28P01': 'permission',
  '3D000': 'schema',
  HV00N: 'connection',
};

/**
 * Classifies a driver's error. The message may be in any language, so we use only names and bytes from it.
 * @param encoding the encoding of the database
 */
export function classifyError(error: unknown, encoding = 'UTF8'): ErrorKind {
  const code = member(error, 'code') ?? '';
  const constraint = member(error, 'constraint');
  // RAISE in a function can set any code. We only trust codes of constraints, values and conflicts.
  if (member(error, 'routine') === 'exec_stmt_raise' && !/^(2[23]|40)/.test(code)) return { kind: 'trigger' };
  if (code === '23505' || code === '23P01') return { kind: 'duplicate', constraint };
  if (code === '23502') return { kind: 'null', column: member(error, 'column') };
  // One code covers both: the referenced record is missing, or a deleted record is still referenced.
  if (code === '23503')
    return { kind: isStillReferenced(error) ? 'still referenced' : 'missing reference', constraint };
  // The code for "not supported" is also used for a view whose rows are computed, so that they cannot be written, or locked for a write.
  if (code === '0A000' && /^(rewriteTargetView|CheckSelectLocking|RewriteQuery)$/.test(member(error, 'routine') ?? ''))
    return { kind: 'not writable' };
  if (code === '55000' && member(error, 'routine') === 'ExecOpenScanRelation') return { kind: 'not populated' };
  const known = codes[code];
  if (known !== undefined) return { kind: isOfDefinitions(error, known) ? 'schema' : known };
  // 42601 (syntax error) without a position: a bad value for a text search type. 21000, P0002 and P0003: a subquery of a view, or a
  // function, finds no row or more than one.
  const isOfValue = code === '42601' && member(error, 'position') === null && member(error, 'internalQuery') === null;
  const isOfEncoding = /^22(021|P05)$/.test(code) && /^report_/.test(member(error, 'routine') ?? '');
  const lacks = isOfEncoding ? lacking(member(error, 'message') ?? '', encoding) : null;
  if (isOfEncoding && encoding !== 'UTF8' && lacks === null) return { kind: 'unreadable', encoding };
  if (isOfValue || code.startsWith('22') || code === '21000' || code === 'P0002' || code === 'P0003') {
    // Since PostgreSQL 13 the context ends with the parameter (`… $2`) in every language.
    const binding = /\$(\d+)[^\n]*$/.exec(member(error, 'where') ?? '')?.[1];
    return {
      kind: 'value',
      column: member(error, 'column'),
      ...(binding === undefined ? {} : { binding: Number(binding) }),
      ...(lacks === null ? {} : { lacks }),
      ...(code === '22003' ? { isOverflow: true } : {}),
    };
  }
  if (code.startsWith('08') || /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code))
    return { kind: 'connection' };
  if (
    code === '' &&
    /Connection terminated|not queryable|connection error|timeout expired/i.test(member(error, 'message') ?? '')
  )
    return { kind: 'connection' };
  return { kind: /^(2F|38|39|HV)/.test(code) || isOfFunction(error) ? 'schema' : 'unknown' };
}

/** The sent character that the database's encoding lacks. Null if a stored text failed: then the message names that encoding first. */
function lacking(message: string, encoding: string): string | null {
  if (message.indexOf('UTF8') > message.indexOf(encoding)) return null;
  const [character = null] = Buffer.from((message.match(/0x[\da-f]{2}/g) ?? []).map(Number)).toString();
  return character;
}

/** Whether a function or trigger of the database was running, according to the error's context. */
function isOfFunction(error: unknown): boolean {
  // The context may go on with the values of our own parameters, which could look like SQL.
  const [functions = ''] = (member(error, 'where') ?? '').split(/\$\d+ =/);
  return member(error, 'internalQuery') !== null || /SQL\b/.test(functions);
}

/** Whether the error comes from a function, such as endless recursion, and not from our statement. */
function isOfDefinitions(error: unknown, known: string): boolean {
  return (known === 'not writable' || known === 'too large') && isOfFunction(error);
}

/** Counts quotation marks of all languages: the message quotes two tables and a constraint; for a missing record it is one table less. */
function isStillReferenced(error: unknown): boolean {
  return (member(error, 'message')?.match(/["«»„“”]/g) ?? []).length > 4;
}
