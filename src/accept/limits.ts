/** The limits of the main port. */
export interface Limits {
  /** Open at the same time. */
  readonly connections: number;
  /** Request line and headers together; filters travel in GET. */
  readonly headerBytes: number;
  /** Of all request bodies together that the gateway reads itself, until their calls have been answered. */
  readonly incomingBytes: number;
  /** Of all answers together that clients have not read yet. */
  readonly unsentBytes: number;
  readonly headersTimeoutMs: number;
  /** Milliseconds for a whole request, unless its body is forwarded. */
  readonly requestTimeoutMs: number;
  /** Longer than the 60 s of most load balancers, so that they close idle connections first. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds for which a connection may be inactive, also while a client does not read its answer. */
  readonly stalledTimeoutMs: number;
  /** Milliseconds for which a refused client may go on sending, so that it can read the refusal. */
  readonly lingerMs: number;
}

export const defaultLimits: Limits = {
  connections: 4096,
  headerBytes: 64 * 1024,
  incomingBytes: 64_000_000,
  unsentBytes: 256_000_000,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 65_000,
  stalledTimeoutMs: 120_000,
  lingerMs: 2_000,
};
