/** The current values of the gauges, which go up and down, unlike counters. */
export interface Levels {
  readonly cache: { readonly entries: number; readonly bytes: number; readonly maxBytes: number };
  readonly pools: readonly PoolLevel[];
  /** 1 for each process that serves; the sum over all processes is the number of workers. */
  readonly workers: number;
  /** Open connections of clients. */
  readonly connections: number;
  /** Bytes of request bodies in memory. */
  readonly incomingBytes: number;
  /** Clients that wait for change notices. */
  readonly subscribers: number;
  /** Bytes on disk of downloads that their clients have not read yet. */
  readonly spoolBytes: number;
  /** Seconds since the keys of each issuer of JWTs were fetched, by its name. */
  readonly keyAges: ReadonlyMap<string, number>;
}

/** Functions that return the values of the gauges, called at each scrape. */
export interface GaugeSources {
  levels(): Levels;
  /** Whether each database responds now. */
  states(): Promise<Readonly<Record<string, { readonly up: boolean }>>>;
}

/** The connections of a pool. */
export interface PoolLevel {
  readonly database: string;
  /** The kind of pool: `calls` or `dumps`. */
  readonly pool: string;
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}
