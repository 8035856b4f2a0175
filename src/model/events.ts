/** What happens, as one union. Log and metrics only listen; nobody else writes lines or counts. */
export type Event =
  | {
      readonly on: 'started';
      readonly address: string;
      readonly admin: string | null;
      readonly resources: number;
      readonly workers: number;
    }
  /** `needRestart`: settings that were changed and are not taken over. */
  | { readonly on: 'reloaded'; readonly resources: number; readonly needRestart: readonly string[] }
  | { readonly on: 'configuration not taken over'; readonly complaints: readonly string[] }
  /** Nothing is accepted any more; what runs has so many milliseconds. */
  | { readonly on: 'draining'; readonly milliseconds: number }
  | { readonly on: 'stopped' }
  | { readonly on: 'worker started'; readonly worker: number; readonly pid: number }
  /** Without having been asked to; `again` is when it is replaced, in milliseconds. */
  | {
      readonly on: 'worker ended';
      readonly worker: number;
      readonly pid: number;
      readonly why: string;
      readonly again: number;
    }
  | { readonly on: 'database reached'; readonly database: string; readonly version: string }
  /** `why`: a sentence; `cause`: what the driver said. */
  | { readonly on: 'database lost'; readonly database: string; readonly why: string; readonly cause: unknown }
  | { readonly on: 'warned'; readonly text: string }
  /** `limits.connections` was reached: the connection that was idle longest was closed for a new one, or the new one itself. */
  | { readonly on: 'connections full'; readonly closed: 'idle' | 'new' }
  /** A kept answer was sent again without reading the request anew. The most frequent event by far. */
  | { readonly on: 'hit'; readonly action: string; readonly resource: string | null; readonly status: number }
  | Answered
  /** One plan was carried out, well or not. */
  | ({
      readonly on: 'queried';
      readonly database: string;
      readonly resource: string;
      readonly effect: 'read' | 'write' | 'delete' | 'describe' | 'dump';
    } & Costs)
  /** The application behind has answered. */
  | {
      readonly on: 'forwarded';
      readonly id: string;
      readonly address: string;
      readonly status: number;
      readonly milliseconds: number;
      /** Why the gateway answered in its place. */
      readonly cause: unknown;
    };

export interface Answered extends Costs {
  readonly on: 'answered';
  readonly id: string;
  /** Of the client. */
  readonly address: string;
  /** One of few words: an action, `unknown` for a name that is none. */
  readonly action: string;
  /** Null where none that is configured was named. */
  readonly resource: string | null;
  /** Name of the caller's token; null for anonymous. */
  readonly caller: string | null;
  /** How an answer that may be kept was come by; null for all others. */
  readonly cache: 'hit' | 'miss' | 'stale' | 'bypass' | null;
  readonly status: number;
  readonly milliseconds: number;
  /** What the client is not told: the driver's own words. */
  readonly cause: unknown;
}

/** Milliseconds. */
interface Costs {
  /** For a connection. */
  readonly waited: number;
  /** For the database's answers. */
  readonly queried: number;
}

export type Emit = (event: Event) => void;
