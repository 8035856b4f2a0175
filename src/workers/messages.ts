/** What the primary and its workers say to each other, beside the news of the bus. */
import type { FromHub, ToHub } from '../cache/buses/hub.ts';
import type { Texts } from '../config/texts.ts';
import type { States } from '../gateway/health.ts';
import type { Shown } from '../watch/metrics.ts';

/** With what a worker starts. */
export interface Orders {
  readonly texts: Texts;
  /** Its number among the workers, from 1; who replaces it has it, too. */
  readonly number: number;
  readonly workers: number;
  /** What stands in for `server.secret`. */
  readonly secret: string;
  /** Whether to serve what can be served where a database disagrees: it replaces one that did serve. */
  readonly lenient: boolean;
}

export type ToWorker =
  | FromHub
  | { readonly ask: 'start'; readonly orders: Orders }
  | { readonly ask: 'prepare'; readonly round: number; readonly texts: Texts }
  | { readonly ask: 'adopt'; readonly round: number }
  | { readonly ask: 'drop' }
  /** For the admin port, which is the primary's. */
  | { readonly ask: 'states'; readonly round: number }
  | { readonly ask: 'shown'; readonly round: number }
  | { readonly ask: 'stop' };

/** How a worker is. */
export type Presence =
  /** It listens; what was said to it before is lost. */
  { readonly did: 'listen' } | { readonly did: 'serve'; readonly port: number };

export type Answer =
  | { readonly did: 'prepare'; readonly round: number; readonly complaints: readonly string[] }
  | { readonly did: 'adopt'; readonly round: number }
  | { readonly did: 'states'; readonly round: number; readonly states: States }
  | { readonly did: 'shown'; readonly round: number; readonly shown: Shown };

export type FromWorker = ToHub | Presence | Answer;
