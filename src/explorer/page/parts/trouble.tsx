import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Refused } from '../ask/call.ts';
import { site } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { say, shownCount } from '../texts/index.ts';
import { Name } from './value.tsx';

export interface TroubleProps {
  readonly error: Refused;
  /** The id of the table. */
  readonly resource: string;
  /** Whether to retry automatically. Only one part of a view may do so, so that a busy gateway is not flooded. */
  readonly isRepeated?: boolean;
  readonly children?: ComponentChildren;
  onRetry(): void;
}

/** Shows an error, with buttons that may solve it. */
export function Trouble({ error, resource, isRepeated = false, children, onRetry }: TroubleProps) {
  const seconds = isRepeated && error.retryAfter !== null ? Math.max(2, error.retryAfter) : null;
  useEffect(() => {
    if (seconds === null) return;
    const timer = setTimeout(onRetry, seconds * 1000);
    return () => clearTimeout(timer);
  }, [error]);
  return (
    <div class="trouble" role="alert">
      <p>
        {inWords(error, resource)}
        {seconds !== null && ` ${say.errors.again(shownCount(seconds))}`}
      </p>
      {hasDetails(error) && <Details of={error.message} />}
      <div class="row">
        {error.status === 403 && !site.isFramed && (
          <button type="button" popovertarget="token">
            {say.errors.enterToken}
          </button>
        )}
        <button type="button" onClick={onRetry}>
          {say.retry}
        </button>
        {children}
      </div>
    </div>
  );
}

/** The message from the gateway or its database. */
export const Details = ({ of }: { readonly of: string }) => (
  <details>
    <summary>{say.errors.details}</summary>
    <code dir="auto">
      <Name of={of} />
    </code>
  </details>
);

/** Whether the response was too large: the refusal suggests a smaller `limit` or fewer `fields`. */
export const isTooLarge = ({ status, details }: Refused): boolean =>
  status === 409 && 'limit' in details && 'fields' in details;

/** Whether the message says more than our sentence: it is in English, and often comes from the database. */
const hasDetails = ({ status, message }: Refused): boolean => message !== '' && status !== 403 && status !== 404;

/**
 * Says in the page's language what went wrong.
 * @param resource the table's id; '' if the call was not about a table
 */
export function inWords(error: Refused, resource: string): string {
  const { status, message } = error;
  if (isTooLarge(error)) return say.errors.tooLarge;
  if (status === 0) return say.errors.offline;
  if (status === 404) return say.errors.missing(resource);
  if (status === 429) return say.errors.tooMany;
  if (status === 403) return forbidden(message);
  if (message.includes('took too long')) return say.errors.tooSlow;
  if (/invalid input syntax for type (?:date|timestamp)/.test(message)) return say.notATime;
  if (status === 502 || status === 503 || status === 504) return say.errors.unavailable;
  return status >= 500 ? say.errors.failed : say.errors.refused;
}

function forbidden(message: string): string {
  // Other causes, such as `access.aggregate`, do not depend on the token.
  if (!message.includes('not authorized')) return say.errors.notAllowed;
  if (token() === '') return say.errors.forbidden;
  return reasons.find(([part]) => message.includes(part))?.[1] ?? say.errors.tokenMayNot;
}

/** How the gateway's messages for a 403 end, and what we say instead. */
const reasons = [
  ['not known', say.errors.tokenGone],
  ['has expired', say.errors.tokenEnded],
  ['which rows', say.errors.tokenWithoutRows],
] as const;
