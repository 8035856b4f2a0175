/** An issuer of JWTs: verifies its tokens, and finds the caller of each. */
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { Refusal } from '../../model/errors.ts';
import type { Caller, Grant } from '../../model/http.ts';
import { isObject, readJson } from '../../values/json.ts';
import { Grants, nameOf } from './grants.ts';
import { type KeyEvents, KeySet, type KeySource } from './key-set.ts';
import { uncheckedLogin } from './unverified.ts';

/** The settings of an issuer. */
export interface IssuerSettings extends KeySource {
  readonly name: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  /** The `typ` of the tokens; null: any. */
  readonly type: string | null;
  /** Milliseconds since 1970: tokens issued before are refused. */
  readonly issuedAfter: number | null;
  /** Whether the issuer's tokens are forwarded to the upstream. */
  readonly forward: boolean;
  readonly grants: readonly Grant[];
}

/** The clocks: `now` as `performance.now()`, `date` as `Date.now()`. */
export interface Clocks {
  now(): number;
  date(): number;
}

/** A caller whose token was verified. `until` becomes earlier if the verdict is dropped. */
export type Verdict = { -readonly [K in keyof Caller]: Caller[K] };

/** Seconds by which the clocks of issuer and gateway may differ. */
const toleranceS = 30;
/** A verdict ends after this time at the latest, so that a removed key is noticed. */
const verdictMs = 300_000;
/** The deepest nesting of claims. */
const maxDepth = 32;

export class Issuer {
  readonly settings: IssuerSettings;
  readonly #keys: KeySet;
  readonly #grants: Grants;
  readonly #clocks: Clocks;

  /** @param resources the ids of all resources */
  constructor(settings: IssuerSettings, resources: readonly string[], events: KeyEvents, clocks: Clocks) {
    this.settings = settings;
    this.#keys = new KeySet(settings, events, clocks.now);
    this.#grants = new Grants(settings.grants, resources);
    this.#clocks = clocks;
  }

  /** Milliseconds since the keys were fetched; infinite before the first time. */
  get keyAge(): number {
    return this.#keys.age;
  }

  /** @throws Refusal unavailable (503) if the token cannot be verified now */
  async verify(token: string): Promise<Verdict | 'expired' | 'refused'> {
    const { issuer, audience, algorithms, type } = this.settings;
    try {
      const { payload } = await jwtVerify(token, this.#keys.keyOf, {
        ...{ issuer, audience, algorithms: [...algorithms], requiredClaims: ['exp', 'sub'] },
        ...(type === null ? {} : { typ: type }),
        clockTolerance: toleranceS,
        currentDate: new Date(this.#clocks.date()),
      });
      return this.#verdictOf(token, payload) ?? 'refused';
    } catch (error) {
      // jose checks the signature first, so it is valid here.
      if (error instanceof errors.JWTExpired) return 'expired';
      if (error instanceof errors.JOSEError) return 'refused';
      throw error instanceof Refusal ? error : uncheckedLogin(error);
    }
  }

  /** The caller of a token whose signature and standard claims are valid; null if we refuse it nevertheless. */
  #verdictOf(token: string, { sub, exp = 0, iat }: JWTPayload): Verdict | null {
    const { name, issuedAfter } = this.settings;
    const now = this.#clocks.date() / 1000;
    if (typeof sub !== 'string' || sub === '') return null;
    // jose checks `iat` only if a maximum age is set.
    if (iat !== undefined && iat > now + toleranceS) return null;
    if (issuedAfter !== null && (iat === undefined || iat * 1000 < issuedAfter)) return null;
    const claims = exactClaims(token);
    if (claims === null) return null;
    return {
      name: nameOf(name, sub),
      ...this.#grants.of(claims),
      claims,
      until: this.#clocks.now() + Math.min(verdictMs, (exp + toleranceS - now) * 1000),
    };
  }
}

/** The claims with every digit of their numbers: jose rounds 9007199254740993, and a filter would show another tenant's rows. */
function exactClaims(token: string): Caller['claims'] | null {
  try {
    const parsed = readJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(), maxDepth);
    return 'value' in parsed && isObject(parsed.value) ? parsed.value : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
