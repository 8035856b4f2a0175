/** Current levels, beside the counted events. */
export interface Levels {
  readonly cache: { readonly entries: number; readonly bytes: number; readonly maxBytes: number };
  readonly pools: readonly PoolLevel[];
  /** 1 for a process that serves. */
  readonly workers: number;
  /** Open connections of clients. */
  readonly connections: number;
  /** Bytes of request bodies that are held. */
  readonly incomingBytes: number;
  /** Clients that wait for change notices. */
  readonly subscribers: number;
  /** Bytes of downloads on disk. */
  readonly spoolBytes: number;
}

/** The sources of gauges, called at each scrape. */
export interface GaugeSources {
  levels(): Levels;
  /** Whether each database responds now. */
  states(): Promise<Readonly<Record<string, { readonly up: boolean }>>>;
}

/** The connections of a pool. */
export interface PoolLevel {
  readonly database: string;
  /** `calls` or `dumps`. */
  readonly pool: string;
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}
