/** What the main port bears of a client. */
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
  /** How long a request may come in, unless its body is passed on. */
  readonly requestTimeoutMs: number;
  /** Longer than the 60 s of most balancers, so that it is they who close an idle connection. */
  readonly keepAliveTimeoutMs: number;
  /** How long a connection may stand still, a client that does not read its answer too. */
  readonly stalledTimeoutMs: number;
  /** How long a client may go on sending what was refused, so that it gets to read why. */
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
