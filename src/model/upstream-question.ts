/** A short question of the gateway itself to the upstream, and its answer. Pure. */
import type { JsonObject } from './value.ts';

export interface UpstreamQuestion {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null without a body. */
  readonly body: string | null;
}

export interface ShortAnswer {
  readonly status: number;
  /** Where the upstream redirects to, which is not followed; null without a redirect. */
  readonly location: string | null;
  /** The object in the body; null if the body is none in JSON. */
  readonly body: JsonObject | null;
}
