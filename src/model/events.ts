/** All events, as one union. Only the log and the metrics listen; no other code writes log lines or counts. */
export type Event =
  | {
      readonly on: 'started';
      readonly address: string;
      readonly admin: string | null;
      readonly resources: number;
      readonly workers: number;
    }
  /** `needRestart`: changed settings that take effect only after a restart. */
  | { readonly on: 'reloaded'; readonly resources: number; readonly needRestart: readonly string[] }
  | { readonly on: 'configuration not taken over'; readonly complaints: readonly string[] }
  /** The gateway accepts no new connections, and waits this many milliseconds for running calls. */
  | { readonly on: 'draining'; readonly milliseconds: number }
  | { readonly on: 'stopped' }
  | { readonly on: 'worker started'; readonly worker: number; readonly pid: number }
  /** A worker process has died. `again`: how many milliseconds until it is replaced. */
  | {
      readonly on: 'worker ended';
      readonly worker: number;
      readonly pid: number;
      readonly why: string;
      readonly again: number;
    }
  | { readonly on: 'database reached'; readonly database: string; readonly version: string }
  /** A database does not respond any more. `why`: a sentence; `cause`: the driver's error. */
  | { readonly on: 'database lost'; readonly database: string; readonly why: string; readonly cause: unknown }
  /** A read replica answers reads, for the first time or again. `replica`: its number in the configuration, from 1. */
  | { readonly on: 'replica reached'; readonly database: string; readonly replica: number }
  /** A read replica has stopped answering reads; the primary answers them. `cause`: the error if the replica does not respond. */
  | {
      readonly on: 'replica lost';
      readonly database: string;
      readonly replica: number;
      readonly why: string;
      readonly cause: unknown;
    }
  /** The commit marker of a database was read, to check whether cached answers are fresh. `by`: the outcome (`Proof`). */
  | { readonly on: 'proved'; readonly database: string; readonly by: string; readonly milliseconds: number }
  /** A database responds, but its commit marker cannot be read: cached answers are not used. */
  | { readonly on: 'not proved'; readonly database: string; readonly cause: unknown }
  | { readonly on: 'proved again'; readonly database: string }
  /** The gateway reads the server's log, which names the tables that other clients change. */
  | { readonly on: 'log opened'; readonly database: string }
  /** The server's log cannot be read at the moment: a commit by another client invalidates all cached answers of the database. */
  | { readonly on: 'log lost'; readonly database: string; readonly cause: unknown }
  /** The gateway has stopped reading the log, because `commits` per second are too many. Null: because no request has needed it for minutes. */
  | { readonly on: 'log closed'; readonly database: string; readonly commits: number | null }
  /** The queries that find out which tables other clients change pause for a while, because they take too much of the server's CPU time. */
  | { readonly on: 'queries rest'; readonly database: string }
  /** A token of an issuer (`auth.jwt[].name`) was verified. `unchecked`: its keys cannot be fetched. */
  | {
      readonly on: 'login checked';
      readonly issuer: string;
      readonly result: 'valid' | 'expired' | 'refused' | 'unchecked';
    }
  /** The upstream was asked whether a caller may read or write a resource (`access: upstream`). `none`: it did not decide. */
  | { readonly on: 'upstream asked'; readonly right: 'read' | 'write'; readonly result: 'yes' | 'no' | 'none' }
  /** A comparison of an answer with the upstream's (`resources.X.shadow`) has ended, or was dropped. */
  | {
      readonly on: 'shadowed';
      readonly resource: string;
      readonly result: ShadowResult;
    }
  /** The two answers differ. `columns`: the columns that differ; empty if the difference is not in columns. */
  | {
      readonly on: 'shadow differs';
      readonly resource: string;
      readonly kind: DifferenceKind;
      readonly columns: readonly string[];
    }
  /** The upstream did not answer a comparison. */
  | { readonly on: 'shadow failed'; readonly resource: string; readonly cause: unknown }
  /** An issuer's keys cannot be fetched. The last ones are used for up to an hour. */
  | { readonly on: 'keys lost'; readonly issuer: string; readonly cause: unknown }
  | { readonly on: 'keys found'; readonly issuer: string }
  | { readonly on: 'warned'; readonly text: string }
  /** After a reload, some callers may read or write more than before. */
  | { readonly on: 'more visible'; readonly text: string }
  /** `limits.connections` was reached. `idle`: the longest idle connection was closed to make room; `new`: the new one was closed. */
  | { readonly on: 'connections full'; readonly closed: 'idle' | 'new' }
  /** The request cache answered: it sent a cached body without parsing the request. By far the most frequent event. */
  | { readonly on: 'hit'; readonly action: string; readonly resource: string | null; readonly status: number }
  /** A subscriber was sent this many change notices at once. */
  | { readonly on: 'noticed'; readonly notices: number }
  | Answered
  /** One plan was executed, successfully or not. */
  | ({
      readonly on: 'queried';
      readonly database: string;
      readonly resource: string;
      /** The server that ran it: `primary`, or `replica 1` … */
      readonly server: string;
      readonly effect: 'read' | 'write' | 'delete' | 'describe' | 'aggregate' | 'ask' | 'dump';
    } & Costs)
  /** The upstream has answered a forwarded request, or failed. */
  | {
      readonly on: 'forwarded';
      readonly id: string;
      readonly address: string;
      readonly status: number;
      readonly milliseconds: number;
      /** The error, if the gateway had to answer instead of the upstream. */
      readonly cause: unknown;
    };

export interface Answered extends Costs {
  readonly on: 'answered';
  readonly id: string;
  /** The address of the client. */
  readonly address: string;
  /** The name of the action; `unknown` if there is no such action, because a metric's label must have few values. */
  readonly action: string;
  /** Set if the action was called as a tool of `/mcp`. */
  readonly via?: 'mcp' | undefined;
  /** Null if the call names no configured resource. */
  readonly resource: string | null;
  /** The name of the caller's token; null for an anonymous caller. */
  readonly caller: string | null;
  /** Where a cacheable answer came from; null for all other answers. */
  readonly cache: 'hit' | 'miss' | 'stale' | 'bypass' | null;
  readonly status: number;
  readonly milliseconds: number;
  /** The driver's error, which the client does not see. */
  readonly cause: unknown;
}

/** How a comparison ended. `denied`: CKAN does not let the caller read its table. `busy`, `large`: it was dropped. */
export type ShadowResult = 'same' | 'different' | 'denied' | 'failed' | 'busy' | 'large';

/** How two answers to one search may differ. */
export type DifferenceKind =
  | 'refused by upstream'
  | 'refused by gateway'
  /** One of the answers lacks columns. */
  | 'fields'
  | 'types'
  | 'total'
  /** One of the answers lacks records. */
  | 'records'
  /** One of the answers lacks records, but the call leaves open which records are on its page. */
  | 'page'
  /** The records are the same, in another order than `sort` says. */
  | 'order'
  | 'values'
  /** A value is NULL on one side. */
  | 'nulls';

/** How long a call has waited for its database, in milliseconds. */
interface Costs {
  /** Waiting for a free connection. */
  readonly waited: number;
  /** Waiting for the database's answers. */
  readonly queried: number;
}

export type Emit = (event: Event) => void;
