/** What happens, as one union. Log and metrics only listen; nobody else writes lines or counts. */
export type Event =
  | { readonly on: 'started'; readonly address: string; readonly resources: number; readonly workers: number }
  | { readonly on: 'reloaded'; readonly resources: number }
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
  | { readonly on: 'database lost'; readonly database: string; readonly cause: unknown }
  | { readonly on: 'warned'; readonly text: string }
  | {
      readonly on: 'answered';
      readonly action: string;
      readonly resource: string | null;
      /** Name of the caller's token; null for anonymous. */
      readonly caller: string | null;
      /** How an answer that may be kept was come by; null for all others. */
      readonly cache: 'hit' | 'miss' | 'stale' | 'bypass' | null;
      readonly status: number;
      readonly milliseconds: number;
      /** What the client is not told: the driver's own words. */
      readonly cause: unknown;
    };

export type Emit = (event: Event) => void;
