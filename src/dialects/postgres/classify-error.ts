import type { ErrorKind } from '../../model/catalog.ts';
import { member } from '../member.ts';

/** SQLSTATE → meaning, PostgreSQL's appendix A. A class stands for all its codes that are not listed. */
const codes: Record<
  string,
  Exclude<ErrorKind['kind'], 'duplicate' | 'null' | 'missing reference' | 'still referenced' | 'value' | 'unreadable'>
> = {
  '23514': 'check',
  '44000': 'check',
  P0001: 'trigger',
  P0004: 'trigger',
  // CASE without ELSE, in a function.
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
  // A sequence has run out: that of a key, mostly.
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
  // More than `temp_file_limit`.
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
 * A driver error → what it means. From the message, which is in the language of the server, only the names and bytes are used.
 * @param encoding that of the database
 */
export function classifyError(error: unknown, encoding = 'UTF8'): ErrorKind {
  const code = member(error, 'code') ?? '';
  const constraint = member(error, 'constraint');
  // RAISE may have any code. Those of constraints, values and conflicts mean what they say.
  if (member(error, 'routine') === 'exec_stmt_raise' && !/^(2[23]|40)/.test(code)) return { kind: 'trigger' };
  if (code === '23505' || code === '23P01') return { kind: 'duplicate', constraint };
  if (code === '23502') return { kind: 'null', column: member(error, 'column') };
  // One code for both directions; only the routine that checks the referenced side sees both tables.
  if (code === '23503')
    return { kind: isStillReferenced(error) ? 'still referenced' : 'missing reference', constraint };
  // "Not supported" is also said of a view that computes: where it is written, and where it is locked for that.
  if (code === '0A000' && /^(rewriteTargetView|CheckSelectLocking|RewriteQuery)$/.test(member(error, 'routine') ?? ''))
    return { kind: 'not writable' };
  if (code === '55000' && member(error, 'routine') === 'ExecOpenScanRelation') return { kind: 'not populated' };
  const known = codes[code];
  if (known !== undefined) return { kind: isOfDefinitions(error, known) ? 'schema' : known };
  // A subquery of a view, or a function, that finds more rows than one, or none. A wrong value of a type of text search has the code
  // of a wrong statement, without a position in it.
  const isOfValue = code === '42601' && member(error, 'position') === null && member(error, 'internalQuery') === null;
  const isOfEncoding = /^22(021|P05)$/.test(code) && /^report_/.test(member(error, 'routine') ?? '');
  const lacks = isOfEncoding ? lacking(member(error, 'message') ?? '', encoding) : null;
  if (isOfEncoding && encoding !== 'UTF8' && lacks === null) return { kind: 'unreadable', encoding };
  if (isOfValue || code.startsWith('22') || code === '21000' || code === 'P0002' || code === 'P0003') {
    // The context ends with `… $2`, in any language, since PostgreSQL 13.
    const binding = /\$(\d+)[^\n]*$/.exec(member(error, 'where') ?? '')?.[1];
    return {
      kind: 'value',
      column: member(error, 'column'),
      ...(binding === undefined ? {} : { binding: Number(binding) }),
      ...(lacks === null ? {} : { lacks }),
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

/** The character of a sent value that the encoding lacks. Null where a stored text could not be converted: its encoding comes first. */
function lacking(message: string, encoding: string): string | null {
  if (message.indexOf('UTF8') > message.indexOf(encoding)) return null;
  const [character = null] = Buffer.from((message.match(/0x[\da-f]{2}/g) ?? []).map(Number)).toString();
  return character;
}

/** Whether a function or trigger of the operator was running. The context says so in the language of the server. */
function isOfFunction(error: unknown): boolean {
  // The values of the statement itself may come after that.
  const [functions = ''] = (member(error, 'where') ?? '').split(/\$\d+ =/);
  return member(error, 'internalQuery') !== null || /SQL\b/.test(functions);
}

/** Whether a function cannot be used as it is defined, where the code says so of the statement: recursion, for example. */
function isOfDefinitions(error: unknown, known: string): boolean {
  return (known === 'not writable' || known === 'too large') && isOfFunction(error);
}

/** The message names two tables and a constraint, or only the referencing table; each language has its own quotes. */
function isStillReferenced(error: unknown): boolean {
  return (member(error, 'message')?.match(/["«»„“”]/g) ?? []).length > 4;
}
