/** Logins that are not verified yet, or cannot be. Apart from jose, which is loaded only if an issuer is configured. */
import { unavailable } from '../../model/errors.ts';
import type { Anonymous, Caller } from '../../model/http.ts';

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

/** 503: nobody can say now whether the login is valid, so the caller is neither anonymous nor refused. */
export const uncheckedLogin = (cause?: unknown) => unavailable('this login cannot be checked now, try again', cause);
