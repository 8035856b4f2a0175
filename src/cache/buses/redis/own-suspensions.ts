import type { Suspension } from '../bus.ts';
import { type AnnouncedSuspension, mostNames, type StreamMessage } from './messages.ts';

/** Milliseconds in which questions are gathered. */
const gathering = 50;

/**
 * The open suspensions of this process, which outlive its memberships. Each membership has a name of its own. What a server shows of
 * an earlier one is an echo: a server that stood still, or has older data, shows what is over, and bytes of a lost line come late.
 */
export class OwnSuspensions {
  readonly #open = new Map<string, { readonly announced: AnnouncedSuspension; readonly names: string[] }>();
  /** Those whose end is being published. */
  readonly #ending = new Set<string>();
  /** The names of the last memberships that have ended. */
  readonly #names: string[] = [];
  /** The name of the membership of now. */
  #name: string | null = null;
  /** Ids that are still to be answered. */
  readonly #asked = new Set<string>();
  #isGathering = false;
  readonly #publish: (message: StreamMessage) => boolean;

  /** @param publish publishes an answer; false where it cannot now */
  constructor(publish: (message: StreamMessage) => boolean) {
    this.#publish = publish;
  }

  /** @param lasts as `AnnouncedSuspension.lasts` */
  begin(suspension: Suspension, lasts: number): AnnouncedSuspension {
    const announced = { ...suspension, lasts };
    // One that is announced again was published before.
    this.#open.set(suspension.id, { announced, names: this.#open.get(suspension.id)?.names ?? [] });
    return announced;
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

  isNamed(name: string): boolean {
    return name === this.#name || this.wasNamed(name);
  }

  /** The earlier names of this process under which it may have published the suspension. */
  namesOf(id: string): readonly string[] {
    return this.#open.get(id)?.names ?? this.#names;
  }

  /** A membership with this name has begun. */
  joined(name: string): void {
    this.#name = name;
  }

  /** A membership with this name has ended. */
  left(name: string): void {
    addName(this.#names, name);
    for (const { names } of this.#open.values()) addName(names, name);
  }

  /** Says in a moment whether a suspension of this process goes on. Many may ask, and all of them hear one answer. */
  answer(id: string): void {
    this.#asked.add(id);
    if (this.#isGathering) return;
    this.#isGathering = true;
    setTimeout(() => this.#answerAll(), gathering).unref();
  }

  #answerAll(): void {
    this.#isGathering = false;
    for (const id of [...this.#asked]) {
      const goesOn = this.#ending.has(id) ? undefined : this.#open.get(id)?.announced;
      if (this.#publish(goesOn ?? { type: 'resume', id })) this.#asked.delete(id);
    }
  }

  /** What has to be published where the process has joined again: the server may have lost it, or was away. */
  afterJoin(): readonly StreamMessage[] {
    const over = [...this.#asked].filter((id) => !this.#open.has(id));
    this.#asked.clear();
    const again = this.#names.length === 0 ? [] : [{ type: 'again', names: [...this.#names] } as const];
    const open = [...this.#open.values()].map(({ announced }) => announced);
    return [...open, ...over.map((id) => ({ type: 'resume', id }) as const), ...again];
  }
}

/** Adds the last name, and forgets the first one of too many. */
function addName(names: string[], name: string): void {
  names.push(name);
  if (names.length > mostNames) names.shift();
}
