/** A short request that the gateway itself sends to the upstream, and its answer. Pure. */
import type { JsonObject } from './value.ts';

export interface UpstreamQuestion {
  readonly method: 'GET' | 'POST';
  /** The request's path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; null without one. */
  readonly body: string | null;
}

export interface ShortAnswer {
  readonly status: number;
  /** Where the upstream redirects to (we don't follow it); null without a redirect. */
  readonly location: string | null;
  /** The body's JSON object; null if the body is anything else. */
  readonly body: JsonObject | null;
}
