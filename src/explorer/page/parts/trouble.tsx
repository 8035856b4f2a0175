import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Refused } from '../ask/call.ts';
import { site } from '../ask/site.ts';
import { token } from '../ask/token.ts';
import { say, shownCount } from '../texts/index.ts';

export interface TroubleProps {
  readonly error: Refused;
  /** The id of the table. */
  readonly resource: string;
  /** Whether to retry automatically. Only one part of a view may do this, so that a busy gateway is not flooded. */
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
        {sentence(inWords(error, resource))}
        {seconds !== null && ` ${say.errors.again(shownCount(seconds))}`}
      </p>
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

/** The gateway's own messages end without a full stop. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Whether the response was too large: the refusal suggests a smaller `limit` or fewer `fields`. */
export const isTooLarge = ({ status, details }: Refused): boolean =>
  status === 409 && 'limit' in details && 'fields' in details;

/** @param resource the id of the table; '' if the call was not about one */
export function inWords(error: Refused, resource: string): string {
  const { status, message } = error;
  if (isTooLarge(error)) return say.errors.tooLarge;
  if (status === 0) return say.errors.offline;
  if (status === 404) return say.errors.missing(resource);
  // Other causes of a 403, such as `access.aggregate`, do not depend on the token.
  if (status !== 403 || !message.includes('not authorized')) return message;
  if (token() === '') return say.errors.forbidden;
  return reasons.find(([part]) => message.includes(part))?.[1] ?? say.errors.tokenMayNot;
}

/** What the gateway says at the end of a 403, and what we say. */
const reasons = [
  ['not known', say.errors.tokenGone],
  ['has expired', say.errors.tokenEnded],
  ['which rows', say.errors.tokenWithoutRows],
] as const;
