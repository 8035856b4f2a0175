/** All events, as one union. Only log and metrics listen; no other code writes log lines or counts. */
export type Event =
  | {
      readonly on: 'started';
      readonly address: string;
      readonly admin: string | null;
      readonly resources: number;
      readonly workers: number;
    }
  /** `needRestart`: changed settings that take effect at a restart only. */
  | { readonly on: 'reloaded'; readonly resources: number; readonly needRestart: readonly string[] }
  | { readonly on: 'configuration not taken over'; readonly complaints: readonly string[] }
  /** No new connection is accepted; running calls have so many milliseconds. */
  | { readonly on: 'draining'; readonly milliseconds: number }
  | { readonly on: 'stopped' }
  | { readonly on: 'worker started'; readonly worker: number; readonly pid: number }
  /** It ended on its own; `again`: milliseconds until it is replaced. */
  | {
      readonly on: 'worker ended';
      readonly worker: number;
      readonly pid: number;
      readonly why: string;
      readonly again: number;
    }
  | { readonly on: 'database reached'; readonly database: string; readonly version: string }
  /** `why`: a sentence; `cause`: the driver's error. */
  | { readonly on: 'database lost'; readonly database: string; readonly why: string; readonly cause: unknown }
  /** A read replica answers reads, for the first time or again. `replica`: its place in the configuration, from 1. */
  | { readonly on: 'replica reached'; readonly database: string; readonly replica: number }
  /** It does not: its primary answers them. `why`: a sentence; `cause`: the error, where it does not respond. */
  | {
      readonly on: 'replica lost';
      readonly database: string;
      readonly replica: number;
      readonly why: string;
      readonly cause: unknown;
    }
  /** The database was asked for its token. `by`: as in `Proof`. */
  | { readonly on: 'proved'; readonly database: string; readonly by: string; readonly milliseconds: number }
  /** Its token cannot be read, although it responds: cached answers are not used. */
  | { readonly on: 'not proved'; readonly database: string; readonly cause: unknown }
  | { readonly on: 'proved again'; readonly database: string }
  /** Its log names the tables that others change. */
  | { readonly on: 'log opened'; readonly database: string }
  /** Its log cannot be read now: a commit of others invalidates every answer over it. */
  | { readonly on: 'log lost'; readonly database: string; readonly cause: unknown }
  /** Its log is not read any more: so many commits per second cost too much. Null: no request has needed a proof for minutes. */
  | { readonly on: 'log closed'; readonly database: string; readonly commits: number | null }
  /** The queries that name the tables rest for a while, because they take so much of the server's processor. */
  | { readonly on: 'queries rest'; readonly database: string }
  | { readonly on: 'warned'; readonly text: string }
  /** A reload lets somebody see or write more than before. */
  | { readonly on: 'more visible'; readonly text: string }
  /** `limits.connections` was reached: the connection that was idle longest was closed for a new one, or the new one itself. */
  | { readonly on: 'connections full'; readonly closed: 'idle' | 'new' }
  /** The request cache answered: a cached body was sent without parsing the request. The most frequent event by far. */
  | { readonly on: 'hit'; readonly action: string; readonly resource: string | null; readonly status: number }
  /** A subscriber was sent so many change notices at once. */
  | { readonly on: 'noticed'; readonly notices: number }
  | Answered
  /** One plan was executed, successfully or not. */
  | ({
      readonly on: 'queried';
      readonly database: string;
      readonly resource: string;
      /** `primary`, or `replica 1`. */
      readonly server: string;
      readonly effect: 'read' | 'write' | 'delete' | 'describe' | 'aggregate' | 'dump';
    } & Costs)
  /** The exchange with the upstream has ended. */
  | {
      readonly on: 'forwarded';
      readonly id: string;
      readonly address: string;
      readonly status: number;
      readonly milliseconds: number;
      /** Why the gateway answered instead of the upstream. */
      readonly cause: unknown;
    };

export interface Answered extends Costs {
  readonly on: 'answered';
  readonly id: string;
  /** Of the client. */
  readonly address: string;
  /** One of few words: an action, `unknown` for an unknown name. */
  readonly action: string;
  /** Null where the call named no configured resource. */
  readonly resource: string | null;
  /** Name of the caller's token; null for anonymous. */
  readonly caller: string | null;
  /** The source of a cacheable answer; null for all others. */
  readonly cache: 'hit' | 'miss' | 'stale' | 'bypass' | null;
  readonly status: number;
  readonly milliseconds: number;
  /** The driver's error, which the client does not see. */
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
