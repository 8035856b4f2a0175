import type { ErrorKind } from '../../model/catalog.ts';
import { member } from '../member.ts';

/** SQLSTATE → meaning, PostgreSQL's appendix A. A class stands for all its codes that are not listed. */
const codes: Record<
  string,
  Exclude<ErrorKind['kind'], 'duplicate' | 'null' | 'missing reference' | 'still referenced' | 'value'>
> = {
  '23514': 'check',
  '44000': 'check',
  P0001: 'trigger',
  '42P01': 'schema',
  '42703': 'schema',
  '42883': 'schema',
  '42804': 'schema',
  '0A000': 'schema',
  '42501': 'permission',
  '25006': 'read-only',
  '55000': 'not writable',
  '42809': 'not writable',
  '40001': 'retry',
  '40P01': 'retry',
  '57014': 'timeout',
  '53300': 'busy',
  '57P03': 'busy',
  '57P01': 'connection',
  '57P02': 'connection',
  '54000': 'too large',
  '54001': 'too large',
  '54023': 'too large',
  '28000': 'permission',
  '28P01': 'permission',
  '3D000': 'schema',
};

/** A driver error → what it means. Never uses the message, which is in the language of the server. */
export function classifyError(error: unknown): ErrorKind {
  const code = member(error, 'code') ?? '';
  const constraint = member(error, 'constraint');
  if (code === '23505' || code === '23P01') return { kind: 'duplicate', constraint };
  if (code === '55P03') return { kind: 'retry', ofLock: true };
  if (code === '23502') return { kind: 'null', column: member(error, 'column') };
  // One code for both directions; only the routine that checks the referenced side sees both tables.
  if (code === '23503')
    return { kind: isStillReferenced(error) ? 'still referenced' : 'missing reference', constraint };
  // "Not supported" is also said of a view that computes: where it is written, and where it is locked for that.
  if (code === '0A000' && /^(rewriteTargetView|CheckSelectLocking|RewriteQuery)$/.test(member(error, 'routine') ?? ''))
    return { kind: 'not writable' };
  const known = codes[code];
  if (known !== undefined) return { kind: known };
  if (code.startsWith('22')) {
    // The context ends with `… $2`, in any language, since PostgreSQL 13.
    const binding = /\$(\d+)[^\n]*$/.exec(member(error, 'where') ?? '')?.[1];
    return {
      kind: 'value',
      column: member(error, 'column'),
      ...(binding === undefined ? {} : { binding: Number(binding) }),
    };
  }
  if (code.startsWith('08') || /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code))
    return { kind: 'connection' };
  if (
    code === '' &&
    /Connection terminated|not queryable|connection error|timeout expired/i.test(member(error, 'message') ?? '')
  )
    return { kind: 'connection' };
  return { kind: 'unknown' };
}

/** The detail names the key either as not present (the referencing side) or as referenced from a table (the other). */
function isStillReferenced(error: unknown): boolean {
  return /"[\s\S]*"[\s\S]*"[\s\S]*"[\s\S]*"/.test(member(error, 'message') ?? '');
}
