/** Logins by JWT: which tokens they are, and the verdicts about them. Each process has its own. */
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Emit } from '../../model/events.ts';
import type { Anonymous, Caller } from '../../model/http.ts';
import { type Clocks, Issuer, type IssuerSettings, type Verdict } from './issuer.ts';
import type { KeyEvents } from './key-set.ts';

const maxVerdicts = 10_000;

/** A token of a configured issuer whose signature has not been checked. */
export class Unverified {
  readonly #verify: () => Promise<Caller | Anonymous>;

  constructor(verify: () => Promise<Caller | Anonymous>) {
    this.#verify = verify;
  }

  /** @throws Refusal unavailable (503) if that is not possible now */
  verify(): Promise<Caller | Anonymous> {
    return this.#verify();
  }
}

/** Verifies the tokens of all configured issuers, and remembers the verdicts. */
export class Logins {
  /** By the claim `iss` of their tokens. */
  readonly #issuers: ReadonlyMap<string, Issuer>;
  readonly #now: () => number;
  readonly #emit: Emit;
  /** By the token's SHA-256. A verdict that is dropped ends, also in the request cache and for streams. */
  readonly #verdicts = new LRUCache<string, Verdict>({
    max: maxVerdicts,
    dispose: (verdict) => {
      verdict.until = Number.NEGATIVE_INFINITY;
    },
  });
  /** How often the verdicts were dropped because an issuer has other keys. */
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
   * The caller of a token; `Unverified` if that must be found out first; null if no configured issuer has issued it.
   * @param sha256 of the token
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

  /** The issuer that a token of three parts names. Nothing is verified yet. */
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
    // If the keys were replaced meanwhile, the token may have been verified with a removed one: this call goes on, no other.
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
