import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../model/errors.ts';

/** The calls that each token, or each address, may make per period of `every` milliseconds; null means no limit. */
export interface RateSettings {
  readonly perToken: number | null;
  readonly perAddress: number | null;
  readonly every: number;
}

/** Who sent a call. Without a valid token `caller` is null, and the call counts towards the limit of its address. */
export interface Sender {
  readonly caller: string | null;
  readonly address: string;
}

/** The most exhausted callers we remember. Beyond that we forget all of them, and the next call of each lists it again. */
const maxRemembered = 10_000;

/** Creates the counters; null if no rate limit is configured. */
export const ratesOf = (settings: RateSettings | null): Rates | null =>
  settings === null ? null : new Rates(settings);

/** Counts calls by token, and calls without a token by address. */
export class Rates {
  readonly #perToken: RateLimiterMemory | null;
  readonly #perAddress: RateLimiterMemory | null;
  /** Exhausted callers, each with the `performance.now()` at which it may call again. */
  readonly #exhausted = new Map<string, number>();

  constructor({ perToken, perAddress, every }: RateSettings) {
    const limiter = (points: number | null) =>
      points === null ? null : new RateLimiterMemory({ points, duration: every / 1000 });
    this.#perToken = limiter(perToken);
    this.#perAddress = limiter(perAddress);
  }

  /** Counts a call. @throws Refusal (429, with `Retry-After`) when the caller is over its limit */
  async take(from: Sender): Promise<void> {
    const limiter = this.#limiterOf(from);
    if (limiter === null) return;
    const key = keyOf(from);
    const counted = await limiter.consume(key).catch((rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return rejection;
      throw rejection;
    });
    const { remainingPoints, msBeforeNext, consumedPoints } = counted;
    if (remainingPoints > 0) return;
    if (this.#exhausted.size >= maxRemembered) this.#exhausted.clear();
    // List a refused caller again, too: it may have been dropped from the list, and the fast path looks nowhere else.
    this.#exhausted.set(key, performance.now() + msBeforeNext);
    if (consumedPoints > limiter.points) throw tooMany(Math.max(1, Math.ceil(msBeforeNext / 1000)));
  }

  /** Counts a call synchronously; returns false, without counting, for an exhausted caller. */
  takeNow(from: Sender): boolean {
    if (this.#limiterOf(from) === null) return true;
    const key = keyOf(from);
    const until = this.#exhausted.get(key);
    if (until !== undefined) {
      if (performance.now() < until) return false;
      this.#exhausted.delete(key);
    }
    // The limiter counts asynchronously, so calls in the same turn of the event loop may slightly exceed the limit.
    this.take(from).catch(() => undefined);
    return true;
  }

  #limiterOf({ caller }: Sender): RateLimiterMemory | null {
    return caller === null ? this.#perAddress : this.#perToken;
  }
}

function keyOf({ caller, address }: Sender): string {
  return caller ?? networkOf(address);
}

/**
 * The /64 network of an IPv6 address: one client usually has all its 2^64 addresses. An IPv4-mapped address counts as IPv4.
 */
export function networkOf(address: string): string {
  const plain = address
    .replace(/^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i, (_, high: string, low: string) => {
      const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
      return [a >> 8, a & 255, b >> 8, b & 255].join('.');
    })
    .replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
