/** A JWT issuer's public keys, fetched when a login needs them. */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, type RemoteJWKSet } from 'jose';
import { fetchSmall, locationIn, maxDocumentBytes } from './fetch-keys.ts';
import { uncheckedLogin } from './unverified.ts';

/** Where the keys of an issuer are. */
export interface KeySource {
  readonly issuer: string;
  /** The URL of the keys; null to discover it from the issuer. */
  readonly jwksUrl: string | null;
}

/** The rules of a key set, in milliseconds. */
export const keyLimits = {
  /** The keys are used for this long without another fetch. */
  freshMs: 600_000,
  /** If they can't be fetched, the last ones are used for this long. */
  usableMs: 3_600_000,
  /** An unknown `kid` fetches again, but not sooner than this after the last attempt. */
  refetchMs: 30_000,
  /** The same interval while there are no usable keys, so that nobody can log in. */
  retryMs: 5000,
  /** The timeout of a fetch, including discovery. */
  timeoutMs: 5000,
  maxBytes: maxDocumentBytes,
};

/** Called when the keys change, or cannot be fetched. */
export interface KeyEvents {
  /** The issuer's keys have changed: tokens verified with the old ones must be verified again. */
  changed(): void;
  /** The keys cannot be fetched. Called once per outage. */
  lost(cause: unknown): void;
  found(): void;
}

/** The keys of one issuer. jose fetches and selects them; this class decides when. */
export class KeySet {
  readonly #remote: RemoteJWKSet;
  readonly #events: KeyEvents;
  readonly #now: () => number;
  readonly #limits: typeof keyLimits;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** The error of the last fetch; null if it succeeded. */
  #failure: unknown = null;
  /** The fetch that is under way. */
  #fetch: Promise<void> | null = null;
  #keys = '';

  /** @param now by `performance.now()` */
  constructor({ issuer, jwksUrl }: KeySource, events: KeyEvents, now: () => number, limits = keyLimits) {
    this.#events = events;
    this.#now = now;
    this.#limits = limits;
    const start = jwksUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    // jose must not fetch on its own: it would do so for each login while the issuer is down.
    this.#remote = createRemoteJWKSet(new URL(start), {
      timeoutDuration: limits.timeoutMs,
      cooldownDuration: Number.POSITIVE_INFINITY,
      cacheMaxAge: Number.POSITIVE_INFINITY,
      [customFetch]: async (url, options) => {
        const found = await fetchSmall(url, options, limits.maxBytes);
        return jwksUrl === null ? fetchSmall(await locationIn(found, issuer), options, limits.maxBytes) : found;
      },
    });
  }

  /** Milliseconds since the keys were fetched; infinite before the first time. */
  get age(): number {
    return this.#now() - this.#fetchedAt;
  }

  /**
   * The key that verifies a token.
   * @throws Refusal unavailable (503) while the keys cannot be fetched
   * @throws JWKSNoMatchingKey if the issuer has no such key
   */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    if (this.age >= this.#limits.freshMs) await this.#refresh();
    if (this.age >= this.#limits.usableMs) throw uncheckedLogin(this.#failure);
    try {
      return await this.#remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#refresh();
      // The unknown key may be a new one.
      if (this.#failure !== null) throw uncheckedLogin(this.#failure);
      return this.#remote(header, token);
    }
  };

  /** Fetches the keys, unless it was tried just now. Concurrent logins share one fetch. */
  async #refresh(): Promise<void> {
    const { usableMs, refetchMs, retryMs } = this.#limits;
    const wait = this.age < usableMs ? refetchMs : retryMs;
    if (this.#fetch === null && this.#now() - this.#triedAt < wait) return;
    this.#fetch ??= this.#fetchKeys().finally(() => {
      this.#fetch = null;
    });
    await this.#fetch;
  }

  async #fetchKeys(): Promise<void> {
    this.#triedAt = this.#now();
    try {
      await this.#remote.reload();
    } catch (error) {
      if (this.#failure === null) this.#events.lost(error);
      this.#failure = error;
      return;
    }
    this.#fetchedAt = this.#now();
    if (this.#failure !== null) this.#events.found();
    this.#failure = null;
    const keys = JSON.stringify(this.#remote.jwks());
    if (this.#keys !== '' && this.#keys !== keys) this.#events.changed();
    this.#keys = keys;
  }
}
