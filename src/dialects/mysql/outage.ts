import type { Outage } from '../../model/catalog.ts';
import { member } from '../member.ts';
import { networkOutage } from '../outage.ts';

/** Maps error numbers (MySQL and MariaDB reference manuals) and mysql2's codes to the reason why a server cannot be used. */
const outages: ReadonlyMap<string, Outage> = new Map<string, Outage>([
  ['1045', { is: 'login' }],
  // The account has no password: it is tied to an operating-system user (unix_socket).
  ['1698', { is: 'login' }],
  // An expired password, a locked account.
  ['1862', { is: 'login' }],
  ['3118', { is: 'login' }],
  ['4151', { is: 'login' }],
  ['1044', { is: 'no right' }],
  ['1049', { is: 'no database' }],
  ['1040', { is: 'full' }],
  ['1203', { is: 'full' }],
  ['1226', { is: 'full' }],
  ['1969', { is: 'late' }],
  ['3024', { is: 'late' }],
  ['1129', { is: 'blocked' }],
  ['1130', { is: 'no login from here' }],
  ['1047', { is: 'cut off' }],
  ['3032', { is: 'offline' }],
  ['1053', { is: 'starting' }],
  ['3168', { is: 'starting' }],
  ['3159', { is: 'tls required' }],
  ['HANDSHAKE_NO_SSL_SUPPORT', { is: 'no tls' }],
  ['PROTOCOL_CONNECTION_LOST', { is: 'closed' }],
  ['PROTOCOL_SEQUENCE_TIMEOUT', { is: 'silent', milliseconds: null }],
]);

export function outage(error: unknown): Outage {
  const byCode = outages.get(member(error, 'errno') ?? '') ?? outages.get(member(error, 'code') ?? '');
  if (byCode !== undefined) return byCode;
  // mysql2 overwrites the code of a TLS error with this one, but keeps the message.
  if (member(error, 'code') === 'HANDSHAKE_SSL_ERROR')
    return { is: 'tls failed', why: member(error, 'message') ?? 'handshake failed' };
  return networkOutage(error);
}
