/** Driver errors that no server produces on demand; `connection-errors` tests the others with real servers. */
import { describe, expect, test } from 'vitest';
import { mysql, postgres } from '../../../src/dialects/index.ts';
import type { Outage } from '../../../src/model/catalog.ts';

const error = (members: Record<string, unknown>) => Object.assign(new Error('in words'), members);
type Row = readonly [what: string, error: unknown, outage: Outage];

const both: readonly Row[] = [
  ['nobody listens', error({ code: 'ECONNREFUSED' }), { is: 'refused' }],
  ['nobody listens on any of several addresses', new AggregateError([], ''), { is: 'other', code: 'AggregateError' }],
  ['no such name', error({ code: 'ENOTFOUND' }), { is: 'unknown host' }],
  ['no name server', error({ code: 'EAI_AGAIN' }), { is: 'unknown host' }],
  ['nobody answers', error({ code: 'ETIMEDOUT' }), { is: 'silent', milliseconds: null }],
  ['our clock', error({ code: 'ETIMEDOUT', milliseconds: 2000 }), { is: 'silent', milliseconds: 2000 }],
  ['no route', error({ code: 'EHOSTUNREACH' }), { is: 'unreachable' }],
  ['no network', error({ code: 'ENETUNREACH' }), { is: 'unreachable' }],
  ['reset', error({ code: 'ECONNRESET' }), { is: 'closed' }],
  ['no socket', error({ code: 'ENOENT' }), { is: 'no socket' }],
  ['a socket of somebody else', error({ code: 'EACCES' }), { is: 'no socket' }],
  ['no error at all', 'in words', { is: 'other', code: 'unknown' }],
  ['an error without a code', new TypeError('in words'), { is: 'other', code: 'TypeError' }],
];
const ofPostgres: readonly Row[] = [
  ['a wrong password', error({ code: '28P01', routine: 'auth_failed' }), { is: 'login' }],
  ['no such role', error({ code: '28000', routine: 'InitializeSessionUserId' }), { is: 'login' }],
  ['pg_hba.conf', error({ code: '28000', routine: 'ClientAuthentication' }), { is: 'no login from here' }],
  ['no such database', error({ code: '3D000' }), { is: 'no database' }],
  ['CONNECT was revoked', error({ code: '42501', routine: 'CheckMyDatabase' }), { is: 'no right' }],
  ['another right', error({ code: '42501', routine: 'aclcheck_error' }), { is: 'other', code: '42501' }],
  ['max_connections', error({ code: '53300' }), { is: 'full' }],
  ['statement_timeout', error({ code: '57014' }), { is: 'late' }],
  ['it recovers', error({ code: '57P03' }), { is: 'starting' }],
  ['it shuts down', error({ code: '57P01' }), { is: 'starting' }],
  ['it closes', new Error('Connection terminated unexpectedly'), { is: 'closed' }],
  ['no TLS', new Error('The server does not support SSL connections'), { is: 'no tls' }],
  ['the clock of the driver', new Error('timeout expired'), { is: 'silent', milliseconds: null }],
  ...[
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ].map((code): Row => [code, error({ code }), { is: 'tls failed', why: 'in words' }]),
];
const ofMysql: readonly Row[] = [
  ['a wrong password', error({ errno: 1045, code: 'ER_ACCESS_DENIED_ERROR' }), { is: 'login' }],
  ['a login of the operating system', error({ errno: 1698 }), { is: 'login' }],
  ['a locked account', error({ errno: 3118 }), { is: 'login' }],
  ['a locked account of MariaDB', error({ errno: 4151 }), { is: 'login' }],
  ['no such database', error({ errno: 1049 }), { is: 'no database' }],
  ['no right to it', error({ errno: 1044 }), { is: 'no right' }],
  ['max_connections', error({ errno: 1040 }), { is: 'full' }],
  ['max_statement_time', error({ errno: 1969 }), { is: 'late' }],
  ['max_execution_time', error({ errno: 3024 }), { is: 'late' }],
  ['max_user_connections', error({ errno: 1203 }), { is: 'full' }],
  ['too many errors', error({ errno: 1129 }), { is: 'blocked' }],
  ['another host', error({ errno: 1130 }), { is: 'no login from here' }],
  ['it shuts down', error({ errno: 1053 }), { is: 'starting' }],
  ['a node without a majority', error({ errno: 1047 }), { is: 'cut off' }],
  ['a member that has left its group', error({ errno: 3032 }), { is: 'offline' }],
  ['require_secure_transport', error({ errno: 3159 }), { is: 'tls required' }],
  ['no TLS', error({ code: 'HANDSHAKE_NO_SSL_SUPPORT' }), { is: 'no tls' }],
  ['TLS', error({ code: 'HANDSHAKE_SSL_ERROR' }), { is: 'tls failed', why: 'in words' }],
  ['it closes', error({ code: 'PROTOCOL_CONNECTION_LOST' }), { is: 'closed' }],
  ['the clock of the driver', error({ code: 'PROTOCOL_SEQUENCE_TIMEOUT' }), { is: 'silent', milliseconds: null }],
  ['another number', error({ errno: 9999, code: 'ER_ODD' }), { is: 'other', code: 'ER_ODD' }],
];

describe.each([
  ['PostgreSQL', postgres, [...both, ...ofPostgres]],
  ['MySQL', mysql, [...both, ...ofMysql]],
] as const)('on %s', (_, family, rows) => {
  test.each(rows)('%s', (_, error, outage) => expect(family.outage(error)).toEqual(outage));
});
