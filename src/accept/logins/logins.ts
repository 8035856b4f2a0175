/** Logins by JWT: recognizes the tokens of configured issuers, verifies them, and caches the verdicts. Each process has its own cache. */
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Emit } from '../../model/events.ts';
import type { Anonymous, Caller } from '../../model/http.ts';
import { type Clocks, Issuer, type IssuerSettings, type Verdict } from './issuer.ts';
import type { KeyEvents } from './key-set.ts';
import { Unverified } from './unverified.ts';

const maxVerdicts = 10_000;

/** Verifies the tokens of all configured issuers, and remembers the verdicts. */
export class Logins {
  /** The issuers by the `iss` claim of their tokens. */
  readonly #issuers: ReadonlyMap<string, Issuer>;
  readonly #now: () => number;
  readonly #emit: Emit;
  /** Verdicts by the token's SHA-256. Dropping a verdict ends the login at once, also in the request cache and for open streams. */
  readonly #verdicts = new LRUCache<string, Verdict>({
    max: maxVerdicts,
    dispose: (verdict) => {
      verdict.until = Number.NEGATIVE_INFINITY;
    },
  });
  /** How often the verdicts were dropped because an issuer's keys changed. */
  #rotations = 0;

  /** @param resources the ids of all resources */
  constructor(
    issuers: readonly IssuerSettings[],
    resources: readonly string[],
    emit: Emit,
    clocks: Clocks = { now: () => performance.now(), date: () => Date.now() },
  ) {
    this.#now = clocks.now;
    this.#emit = emit;
    this.#issuers = new Map(
      issuers.map((one) => [one.issuer, new Issuer(one, resources, this.#eventsOf(one.name), clocks)]),
    );
  }

  /**
   * The caller of a token; `Unverified` if the token must be verified first; null if it names no configured issuer.
   * @param sha256 the token's hash
   */
  find(token: string, sha256: string): Caller | Unverified | null {
    const known = this.#verdicts.get(sha256);
    if (known !== undefined && this.#now() < known.until) return known;
    const issuer = this.#issuerOf(token);
    return issuer === null ? null : new Unverified(() => this.#verify(token, sha256, issuer));
  }

  /** Whether a token must not be forwarded to the upstream. */
  withholds(token: string): boolean {
    return this.#issuerOf(token)?.settings.forward === false;
  }

  /** The age of each issuer's keys in seconds, by its name. Issuers whose keys were never fetched are left out. */
  keyAges(): ReadonlyMap<string, number> {
    const ages = [...this.#issuers.values()].map((one) => [one.settings.name, one.keyAge / 1000] as const);
    return new Map(ages.filter(([, age]) => Number.isFinite(age)));
  }

  /** The issuer that a token names, if it has the three parts of a JWT. Nothing is verified yet. */
  #issuerOf(token: string): Issuer | null {
    if (!/^[^.]+\.[^.]+\.[^.]+$/.test(token)) return null;
    try {
      return this.#issuers.get(decodeJwt(token).iss ?? '') ?? null;
    } catch {
      return null;
    }
  }

  async #verify(token: string, sha256: string, issuer: Issuer): Promise<Caller | Anonymous> {
    const { name } = issuer.settings;
    const rotations = this.#rotations;
    const verdict = await issuer.verify(token).catch((error: unknown) => {
      this.#emit({ on: 'login checked', issuer: name, result: 'unchecked' });
      throw error;
    });
    this.#emit({ on: 'login checked', issuer: name, result: typeof verdict === 'string' ? verdict : 'valid' });
    if (verdict === 'expired') return 'expired token';
    if (verdict === 'refused') return 'unknown token';
    // If the keys were replaced meanwhile, the token may have been verified with a removed one: accept this call, but keep no verdict.
    if (rotations === this.#rotations) this.#verdicts.set(sha256, verdict);
    else verdict.until = Number.NEGATIVE_INFINITY;
    return verdict;
  }

  #eventsOf(issuer: string): KeyEvents {
    return {
      changed: () => {
        this.#rotations++;
        this.#verdicts.clear();
      },
      lost: (cause) => this.#emit({ on: 'keys lost', issuer, cause }),
      found: () => this.#emit({ on: 'keys found', issuer }),
    };
  }
}
