import type { Outage } from '../../model/catalog.ts';
import { member } from '../member.ts';
import { networkOutage } from '../outage.ts';

/** Maps SQLSTATE codes (PostgreSQL, appendix A), and the messages of pg, which have no codes, to the reason why a server cannot be used. */
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
  // 28000: the login fails or does not exist, or pg_hba.conf does not allow our address.
  if (code === '28000') return { is: routine === 'ClientAuthentication' ? 'no login from here' : 'login' };
  // We lack CONNECT on the database. Raised by other routines, the code means a table or function.
  if (code === '42501' && routine === 'CheckMyDatabase') return { is: 'no right' };
  const byCode = outages.get(code === '' ? (member(error, 'message') ?? '') : code);
  return byCode ?? networkOutage(error);
}
