/** Refusals for a failing upstream. */
import { Refusal } from '../model/errors.ts';
import { TimedOut } from './connections.ts';

const application = 'the application behind the gateway';

/** Any error of an exchange with the upstream → a refusal. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof TimedOut) {
    return new Refusal(
      'gatewayTimeout',
      { message: `Gateway Timeout: ${application} ${error.message}` },
      { cause: error },
    );
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Node accepts more characters in a request line than it writes.
  if (code === 'ERR_UNESCAPED_CHARACTERS')
    return new Refusal('malformed', { message: 'Bad request: an unreadable path' });
  if (code.startsWith('HPE_')) return bad('does not speak HTTP', error);
  if (code.startsWith('ERR_SSL_')) return bad('does not speak TLS', error);
  if (/CERT|VERIFY_LEAF|SELF_SIGNED/.test(code)) return bad('shows no certificate that is trusted', error);
  return bad(code === 'ECONNRESET' || code === 'EPIPE' ? 'broke off before it answered' : 'cannot be reached', error);
}

/** The upstream's answer cannot be forwarded. */
export const unsendable = (cause: unknown) => bad('does not speak HTTP', cause);

/** An answer that the gateway reads has more bytes than it holds. */
export const tooLong = (mostBytes: number) => bad(`answered with more than ${mostBytes} bytes`, null);

function bad(what: string, cause: unknown): Refusal {
  return new Refusal('badGateway', { message: `Bad Gateway: ${application} ${what}` }, { cause });
}
