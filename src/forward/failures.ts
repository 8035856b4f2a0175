/** The refusals (502, 504 and so on) that clients get when the upstream fails. */
import { Refusal } from '../model/errors.ts';
import { TimedOut } from './connections.ts';

const application = 'the application behind the gateway';

/** The refusal for any error while talking to the upstream. */
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
  // Node's parser accepts characters in a path that its client refuses to send.
  if (code === 'ERR_UNESCAPED_CHARACTERS')
    return new Refusal('malformed', { message: 'Bad request: an unreadable path' });
  if (code.startsWith('HPE_')) return badGateway('does not speak HTTP', error);
  if (code.startsWith('ERR_SSL_')) return badGateway('does not speak TLS', error);
  if (/CERT|VERIFY_LEAF|SELF_SIGNED/.test(code)) return badGateway('shows no certificate that is trusted', error);
  return badGateway(
    code === 'ECONNRESET' || code === 'EPIPE' ? 'broke off before it answered' : 'cannot be reached',
    error,
  );
}

/** The refusal if the upstream's answer cannot be forwarded. */
export const unsendable = (cause: unknown) => badGateway('does not speak HTTP', cause);

/** The refusal if the upstream's answer is too long for the gateway to read. */
export const tooLong = (maxBytes: number) => badGateway(`answered with more than ${maxBytes} bytes`, null);

function badGateway(what: string, cause: unknown): Refusal {
  return new Refusal('badGateway', { message: `Bad Gateway: ${application} ${what}` }, { cause });
}
