/** The limits of the main port. */
export interface Limits {
  /** The number of open connections. */
  readonly connections: number;
  /** Bytes of the request line and the headers together. Must be generous, because a GET has its filters in the request line. */
  readonly headerBytes: number;
  /** Bytes of all request bodies in memory together, until their calls have been answered; forwarded bodies do not count. */
  readonly incomingBytes: number;
  /** Bytes of all answers together that clients have not read yet. */
  readonly unsentBytes: number;
  readonly headersTimeoutMs: number;
  /** Milliseconds for a whole request, unless its body is forwarded. */
  readonly requestTimeoutMs: number;
  /** Longer than the 60 s of most load balancers: if we closed an idle connection first, a request sent just then would be lost. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds for which a connection may be inactive, also while a client does not read its answer. */
  readonly stalledTimeoutMs: number;
  /** Milliseconds for which a refused client may continue to send, because many clients read the refusal only afterwards. */
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
