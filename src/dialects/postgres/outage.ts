import type { Outage } from '../../model/catalog.ts';
import { member } from '../member.ts';
import { networkOutage } from '../outage.ts';

/** SQLSTATE (PostgreSQL, appendix A) and the messages of pg, which has no codes of its own → why a server cannot be used. */
const outages: ReadonlyMap<string, Outage> = new Map<string, Outage>([
  ['28P01', { is: 'login' }],
  ['3D000', { is: 'no database' }],
  ['53300', { is: 'full' }],
  ['57014', { is: 'late' }],
  ['57P03', { is: 'starting' }],
  ['57P01', { is: 'starting' }],
  ['57P02', { is: 'starting' }],
  ['Connection terminated unexpectedly', { is: 'closed' }],
  ['The server does not support SSL connections', { is: 'no tls' }],
  ['timeout expired', { is: 'silent', milliseconds: null }],
  ['Query read timeout', { is: 'silent', milliseconds: null }],
]);

export function outage(error: unknown): Outage {
  const code = member(error, 'code') ?? '';
  const routine = member(error, 'routine') ?? '';
  // 28000 is a login that fails or does not exist, or an address that pg_hba.conf does not let in.
  if (code === '28000') return { is: routine === 'ClientAuthentication' ? 'no login from here' : 'login' };
  // CONNECT on the database is missing. From other routines the code is about tables and functions.
  if (code === '42501' && routine === 'CheckMyDatabase') return { is: 'no right' };
  const byCode = outages.get(code === '' ? (member(error, 'message') ?? '') : code);
  return byCode ?? networkOutage(error);
}
