/** What the CKAN behind the gateway lets callers do: asked when a call needs it, cached for seconds. Each process has its own cache. */
import { LRUCache } from 'lru-cache';
import { unavailable } from '../../model/errors.ts';
import type { Emit } from '../../model/events.ts';
import type { Caller } from '../../model/http.ts';
import type { ShortAnswer, UpstreamQuestion } from '../../model/upstream-question.ts';
import { printable } from '../../values/printable.ts';
import { nameOf } from '../logins/grants.ts';
import { uncheckedLogin } from '../logins/unverified.ts';
import type { Credential } from './credential.ts';
import { decisionIn, hasOwnTable, nameIn, questionOf, questionOfName, type Right } from './questions.ts';

/** The settings in `upstream.access` for asking the upstream. Times are in milliseconds. */
export interface VerdictSettings {
  readonly keep: number;
  readonly timeout: number;
  readonly maxRequests: number;
}

/** The upstream, the log and the clock, as verdicts use them. `now`: like `performance.now()` */
export interface Surroundings {
  ask(question: UpstreamQuestion, timeoutMs: number): Promise<ShortAnswer>;
  readonly emit: Emit;
  now(): number;
}

/** The upstream's decision. It is never used after `until`: a user who has lost a right must not keep it because CKAN is down. */
export interface Verdict {
  readonly is: 'yes' | 'no';
  /** When the verdict expires, by `Surroundings.now`. */
  readonly until: number;
}

/** The account of a credential, as far as the upstream tells. */
interface Account {
  /** `ckan/NAME`; null if the upstream knows no account for the credential, or did not answer. */
  readonly name: string | null;
  readonly until: number;
}

/** What a caller wants to do with a resource. */
export interface Wanted {
  readonly id: string;
  readonly right: Right;
}

/** The verdict on a wanted right, with the account's name if there is one. */
export type Decided = Wanted & Verdict & Pick<Account, 'name'>;

/** A no is kept for at most this many milliseconds: the user may be given the right any moment. */
const keepNoMs = 5000;
/** The most questions that one call asks at the same time. */
const maxPerCall = 8;
/** The most verdicts, and the most accounts, that we remember. */
const maxKept = 10_000;

const nobody: Account = { name: null, until: Number.POSITIVE_INFINITY };

export class Verdicts {
  readonly #settings: VerdictSettings;
  readonly #around: Surroundings;
  readonly #verdicts = new LRUCache<string, Verdict>({ max: maxKept });
  /** In-flight questions about rights. */
  readonly #asked = new Map<string, Promise<Verdict>>();
  /** Accounts by credential key. */
  readonly #accounts = new LRUCache<string, Account>({ max: maxKept });
  /** In-flight questions for an account, by credential key. */
  readonly #accountsAsked = new Map<string, Promise<Account>>();
  /** The credential keys of users who have had a yes. Half of the concurrent questions are reserved for them. */
  readonly #trusted = new LRUCache<string, true>({ max: maxKept });
  /** Resources for which we have warned that the upstream has a table, too. */
  readonly #doubled = new Set<string>();
  #running = 0;
  /** How many of the running questions hold no reserved place. */
  #runningOfStrangers = 0;

  constructor(settings: VerdictSettings, around: Surroundings) {
    this.#settings = settings;
    this.#around = around;
  }

  /** How many questions one call may ask at the same time: half of the strangers' places, so that two strangers find room. */
  get atOnce(): number {
    return Math.max(1, Math.min(maxPerCall, Math.floor(this.#settings.maxRequests / 4)));
  }

  /** The caller who has this credential, without rights; null if its account is not known without asking. */
  known(credential: Credential): Caller | null {
    const { name = null, until = 0 } = this.#accountOf(credential) ?? {};
    return name === null ? null : callerOf({ name, until }, []);
  }

  /**
   * Whether the holder of a credential has a right. Concurrent calls share one question.
   * @throws Refusal unavailable (503) if the upstream does not decide, or too many questions are in flight
   */
  async decide(credential: Credential, wanted: Wanted): Promise<Decided> {
    // Cookies never allow a write, because other sites can make a browser send them.
    if (wanted.right === 'write' && credential.kind !== 'token')
      return { ...wanted, is: 'no', until: this.#around.now(), name: null };
    const verdict = await this.#verdictOn(credential, wanted);
    // Also for a cached verdict: the account may have expired or been evicted.
    const { name } = await this.#account(credential);
    // CKAN treats an unknown token as anonymous, and says yes for a public dataset: made-up tokens must not fill the reserve.
    if (verdict.is === 'yes' && (name !== null || credential.kind === 'anonymous'))
      this.#trusted.set(credential.key, true);
    return { ...wanted, ...verdict, name };
  }

  async #verdictOn(credential: Credential, { id, right }: Wanted): Promise<Verdict> {
    if (right === 'write') {
      // For a deleted resource, CKAN tells every user that the table is missing, as if the user could write it. So check reading first.
      const read = await this.#verdictOn(credential, { id, right: 'read' });
      if (read.is === 'no') return read;
    }
    const key = `${credential.key} ${right} ${id}`;
    const kept = this.#verdicts.get(key);
    if (kept !== undefined && this.#around.now() < kept.until) return kept;
    const ask = () => this.#ask(credential, { id, right }, key).finally(() => this.#asked.delete(key));
    const asked = this.#asked.get(key) ?? ask();
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(credential: Credential, wanted: Wanted, key: string): Promise<Verdict> {
    const leave = this.#enter(credential);
    try {
      // The verdict's time counts from the question: the upstream may have decided at once, but answered late.
      const now = this.#around.now();
      const is = await this.#decision(credential, wanted);
      // The token may have been revoked, and then has no account.
      if (is === 'no') this.#accounts.delete(credential.key);
      const { keep } = this.#settings;
      const verdict = { is, until: now + (is === 'yes' ? keep : Math.min(keep, keepNoMs)) };
      this.#verdicts.set(key, verdict);
      return verdict;
    } finally {
      leave();
    }
  }

  async #decision({ headers }: Credential, { id, right }: Wanted): Promise<Verdict['is']> {
    const { ask, emit } = this.#around;
    const asked = async (right: Right) => {
      const answer = await ask(questionOf(right, id, headers), this.#settings.timeout);
      if (right === 'write' && hasOwnTable(answer)) this.#warnOfTable(id);
      return { is: decisionIn(answer, right, id), lacksTable: answer.status === 404 };
    };
    try {
      const first = await asked(right);
      // A dataset may have been purged since we checked reading. CKAN then reports a missing table to everybody, so check again.
      const { is } = right === 'write' && first.lacksTable ? await asked('read') : first;
      emit({ on: 'upstream asked', right, result: is });
      return is;
    } catch (error) {
      emit({ on: 'upstream asked', right, result: 'none' });
      throw uncheckedLogin(error);
    }
  }

  /** The account of a credential; the log and the limits use its name. Concurrent calls share one question. */
  async #account(credential: Credential): Promise<Account> {
    const { kind, key } = credential;
    if (kind === 'anonymous') return nobody;
    const kept = this.#accountOf(credential);
    if (kept !== null) return kept;
    const asked =
      this.#accountsAsked.get(key) ?? this.#askAccount(credential).finally(() => this.#accountsAsked.delete(key));
    this.#accountsAsked.set(key, asked);
    return asked;
  }

  async #askAccount(credential: Credential): Promise<Account> {
    const { ask, now } = this.#around;
    const { keep, timeout } = this.#settings;
    const asked = now();
    const answer = async () => {
      const leave = this.#enter(credential);
      return nameIn(await ask(questionOfName(credential.headers), timeout).finally(leave));
    };
    // Without a name, calls go on, and count towards the limit of their address.
    const name = await answer().catch(() => null);
    // A token always belongs to the same user, whatever rights it loses. A session's cookie stays the same when another user logs in.
    const keptMs =
      name === null ? Math.min(keep, keepNoMs) : credential.kind === 'token' ? Number.POSITIVE_INFINITY : keep;
    const account = { name: name && nameOf('ckan', name), until: asked + keptMs };
    this.#accounts.set(credential.key, account);
    return account;
  }

  #accountOf({ key }: Credential): Account | null {
    const kept = this.#accounts.get(key);
    return kept !== undefined && this.#around.now() < kept.until ? kept : null;
  }

  /** Counts a question. @returns a function to call at its end @throws Refusal unavailable (503) above the limit */
  #enter({ key }: Credential): () => void {
    const { maxRequests } = this.#settings;
    const isStranger = !this.#trusted.has(key);
    const isFull =
      this.#running >= maxRequests || (isStranger && this.#runningOfStrangers >= Math.ceil(maxRequests / 2));
    if (isFull) throw unavailable('too many logins are being checked, try again');
    this.#running += 1;
    if (isStranger) this.#runningOfStrangers += 1;
    return () => {
      this.#running -= 1;
      if (isStranger) this.#runningOfStrangers -= 1;
    };
  }

  #warnOfTable(id: string): void {
    if (this.#doubled.has(id)) return;
    this.#doubled.add(id);
    const text = `the upstream has a table of its own for the resource ${printable(id)}: its pages show that, and each question for the right to write may set its last_modified`;
    this.#around.emit({ on: 'warned', text });
  }
}

/** The caller with the rights that verdicts on one credential give; null if they give none and the credential has no account. */
export function callerWith(decided: readonly Decided[]): Caller | null {
  const given = decided.filter(({ is }) => is === 'yes');
  const name = decided.find((one) => one.name !== null)?.name ?? null;
  if (given.length === 0 && name === null) return null;
  const deciding = given.length === 0 ? decided : given;
  return callerOf({ name, until: Math.min(...deciding.map(({ until }) => until)) }, given);
}

/** A caller with the rights of these verdicts. It has no filters and no claims of its own: CKAN decides about whole resources. */
function callerOf({ name, until }: Pick<Caller, 'name' | 'until'>, given: readonly Wanted[]): Caller {
  const having = (right: Right) => new Set(given.filter((one) => one.right === right).map(({ id }) => id));
  return { name, read: having('read'), write: having('write'), where: new Map(), claims: {}, until };
}
