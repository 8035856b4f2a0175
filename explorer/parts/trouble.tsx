import type { ComponentChildren } from 'preact';
import type { Refused } from '../ask/call.ts';
import { say, shownCount } from '../texts/index.ts';

export interface TroubleProps {
  readonly error: Refused;
  /** The id of the table. */
  readonly resource: string;
  readonly children?: ComponentChildren;
  onRetry(): void;
}

/** An error in words, and the way on. */
export function Trouble({ error, resource, children, onRetry }: TroubleProps) {
  const { status, retryAfter, message } = error;
  const isBusy = status === 429 || status === 503;
  const words =
    status === 403
      ? say.errors.forbidden
      : status === 404
        ? say.errors.missing(resource)
        : status === 0
          ? say.errors.offline
          : message;
  return (
    <div class="trouble" role="alert">
      <p>{words}</p>
      {isBusy && retryAfter !== null && <p>{say.errors.busy(shownCount(Math.max(2, retryAfter)))}</p>}
      <div class="row">
        <button type="button" onClick={onRetry}>
          {say.retry}
        </button>
        {children}
      </div>
    </div>
  );
}
