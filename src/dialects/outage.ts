/** Reads from a socket error why a server cannot be used. */
import type { Outage } from '../model/catalog.ts';
import { member } from './member.ts';

/** Classifies errors of Node's sockets, of DNS and of TLS. Both drivers pass them on unchanged. */
export function networkOutage(error: unknown): Outage {
  const code = member(error, 'code') ?? '';
  switch (code) {
    case 'ECONNREFUSED':
      return { is: 'refused' };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { is: 'unknown host' };
    case 'ETIMEDOUT': {
      const waited = member(error, 'milliseconds');
      return { is: 'silent', milliseconds: waited === null ? null : Number(waited) };
    }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return { is: 'unreachable' };
    case 'ECONNRESET':
    case 'EPIPE':
      return { is: 'closed' };
    case 'ENOENT':
    case 'EACCES':
      return { is: 'no socket' };
  }
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO$|ERR_TLS|ERR_SSL)/.test(code))
    return { is: 'tls failed', why: member(error, 'message') ?? code };
  return { is: 'other', code: code !== '' ? code : error instanceof Error ? error.name : 'unknown' };
}
