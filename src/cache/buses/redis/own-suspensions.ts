import type { Message, Suspension } from '../bus.ts';
import { mostNames, type StreamMessage } from './messages.ts';

/**
 * The open suspensions of this process, which outlive its memberships. Each membership has a name of its own. What a server shows of
 * an earlier one is an echo: a server that stood still, or has older data, shows what is over, and bytes of a lost line come late.
 */
export class OwnSuspensions {
  readonly #open = new Map<string, Suspension>();
  /** Those whose end is being published. */
  readonly #ending = new Set<string>();
  /** The names of the last memberships that have ended. */
  readonly #names: string[] = [];
  /** Ids of the echoes that are still to be answered. */
  readonly #echoes = new Set<string>();
  readonly #answer: (message: Message) => boolean;

  /** @param answer publishes what an echo needs; false where it cannot now */
  constructor(answer: (message: Message) => boolean) {
    this.#answer = answer;
  }

  begin(suspension: Suspension): void {
    this.#open.set(suspension.id, suspension);
  }

  /** @param publish publishes its end */
  async end<T>(id: string, publish: () => Promise<T>): Promise<T> {
    this.#ending.add(id);
    const published = await publish();
    this.#ending.delete(id);
    this.#open.delete(id);
    return published;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Whether an earlier membership had this name. */
  wasNamed(name: string): boolean {
    return this.#names.includes(name);
  }

  /** A membership with this name has ended. */
  left(name: string): void {
    this.#names.push(name);
    if (this.#names.length > mostNames) this.#names.shift();
  }

  /** Says whether the suspension of an echo goes on. */
  echoed({ id }: Suspension): void {
    const goesOn = this.#ending.has(id) ? undefined : this.#open.get(id);
    if (!this.#answer(goesOn ?? { type: 'resume', id })) this.#echoes.add(id);
  }

  /** What has to be published where the process has joined again: the server may have lost it, or was away. */
  afterJoin(): readonly StreamMessage[] {
    const over = [...this.#echoes].filter((id) => !this.#open.has(id));
    this.#echoes.clear();
    return [...this.#open.values(), ...over.map((id): Message => ({ type: 'resume', id })), ...this.again()];
  }

  /** That suspensions under its earlier names have ended, if they were not published again; nothing before the second membership. */
  again(): readonly StreamMessage[] {
    return this.#names.length === 0 ? [] : [{ type: 'again', names: [...this.#names] }];
  }
}
