import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../model/errors.ts';
import { networkOf } from './network.ts';

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
