import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../model/errors.ts';

/** The number of calls per period of `every` milliseconds; null is no limit. */
export interface RateSettings {
  readonly perToken: number | null;
  readonly perAddress: number | null;
  readonly every: number;
}

/** A caller without a valid token counts by its address. */
export interface From {
  readonly caller: string | null;
  readonly address: string;
}

/** The number of exhausted callers to remember; beyond it, their next call finds out again. */
const remembered = 10_000;

/** Null without a rate limit. */
export const ratesOf = (settings: RateSettings | null): Rates | null =>
  settings === null ? null : new Rates(settings);

/** Counts calls by token, and those without one by address. */
export class Rates {
  readonly #perToken: RateLimiterMemory | null;
  readonly #perAddress: RateLimiterMemory | null;
  /** Exhausted callers, and until when by `performance.now()`. */
  readonly #spent = new Map<string, number>();

  constructor({ perToken, perAddress, every }: RateSettings) {
    const limiter = (points: number | null) =>
      points === null ? null : new RateLimiterMemory({ points, duration: every / 1000 });
    this.#perToken = limiter(perToken);
    this.#perAddress = limiter(perAddress);
  }

  /** Counts a call. Throws a 429 with `Retry-After` when none is left. */
  async take(from: From): Promise<void> {
    const limiter = this.#limiterOf(from);
    if (limiter === null) return;
    const key = keyOf(from);
    const { remainingPoints, msBeforeNext } = await limiter.consume(key).catch((spent: unknown) => {
      if (!(spent instanceof RateLimiterRes)) throw spent;
      throw tooMany(Math.max(1, Math.ceil(spent.msBeforeNext / 1000)));
    });
    if (remainingPoints > 0) return;
    if (this.#spent.size >= remembered) this.#spent.clear();
    this.#spent.set(key, performance.now() + msBeforeNext);
  }

  /** Counts a call synchronously; returns false, without counting, for an exhausted caller. */
  takeNow(from: From): boolean {
    if (this.#limiterOf(from) === null) return true;
    const key = keyOf(from);
    const until = this.#spent.get(key);
    if (until !== undefined) {
      if (performance.now() < until) return false;
      this.#spent.delete(key);
    }
    // A few calls in one turn of the event loop may exceed the limit; the next call is refused for that.
    this.take(from).catch(() => undefined);
    return true;
  }

  #limiterOf({ caller }: From): RateLimiterMemory | null {
    return caller === null ? this.#perAddress : this.#perToken;
  }
}

function keyOf({ caller, address }: From): string {
  return caller ?? networkOf(address);
}

/**
 * The /64 network of an IPv6 address, since its owner may use all of its 2^64 addresses. An IPv4-mapped address counts as IPv4.
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
