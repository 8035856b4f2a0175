import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Found, Kept } from '../call.ts';
import type { Memory } from './memory.ts';

export interface Ages {
  /** Milliseconds an answer may be old. */
  readonly ttl: number;
  /** Milliseconds beyond `ttl` for which it may stand in when the database fails. */
  readonly staleIfError: number;
  /** Whether an error is such a failure. */
  isFailure(error: unknown): boolean;
}

/** What an entry takes beside its bytes: the lists of the LRU, the objects, the key once more (measured on Node 20). */
const overhead = 700;

/** Answers by key; one load in flight per key. */
export class Results {
  readonly #memory: Memory;
  readonly #loading = new Map<string, Load>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** What is kept under this key and young enough; looking is no use. */
  peek(key: string, ttl: number, now: number): Kept | undefined {
    const kept = this.#memory.peek(key, Entry);
    return kept !== undefined && now - kept.at < ttl ? kept : undefined;
  }

  /**
   * Finds an answer or loads it. Whoever asks for a key that is being loaded waits for that load; only the last who leaves ends
   * it. A load that fails is thrown to all who wait, and not kept; nor is an answer that `mayKeep` says is nobody else's.
   * @param gone aborted when the caller has left; its reason is thrown then
   */
  async find(
    key: string,
    { ttl, staleIfError, isFailure }: Ages,
    gone: AbortSignal,
    load: (gone: AbortSignal) => Promise<Loaded>,
  ): Promise<Found> {
    const kept = this.#memory.get(key, Entry);
    const age = kept === undefined ? 0 : performance.now() - kept.at;
    if (kept !== undefined && age < ttl) return { kept, by: 'hit' };
    try {
      return { kept: await this.#load(key, ttl, gone, load), by: 'miss' };
    } catch (error) {
      if (gone.aborted || kept === undefined || age >= ttl + staleIfError || !isFailure(error)) throw error;
      return { kept, by: 'stale' };
    }
  }

  /** Loads it anew whatever is kept, and keeps that. Waits for nobody else's load: it may have begun before the caller asked. */
  async renew(
    key: string,
    ttl: number,
    gone: AbortSignal,
    load: (gone: AbortSignal) => Promise<Loaded>,
  ): Promise<Found> {
    return { kept: await this.#begin(key, ttl, () => load(gone)), by: 'bypass' };
  }

  #load(key: string, ttl: number, gone: AbortSignal, load: (gone: AbortSignal) => Promise<Loaded>): Promise<Kept> {
    const running = this.#loading.get(key);
    if (running !== undefined) return running.wait(gone);
    const forget = () => {
      if (this.#loading.get(key) === begun) this.#loading.delete(key);
    };
    const begun = new Load((left) => this.#begin(key, ttl, () => load(left)).finally(forget), forget);
    this.#loading.set(key, begun);
    return begun.wait(gone);
  }

  async #begin(key: string, ttl: number, load: () => Promise<Loaded>): Promise<Kept> {
    const at = performance.now();
    const { body, mayKeep } = await load();
    const kept = new Entry(typeof body === 'string' ? Buffer.from(body) : body, at, () =>
      this.#memory.resize(key, kept, kept.bytes),
    );
    if (mayKeep() && ttl > 0) this.#memory.keep(key, kept, kept.bytes);
    return kept;
  }
}

/** A load with those who wait for it. */
class Load {
  readonly #left = new AbortController();
  readonly #loaded: Promise<Kept>;
  readonly #forget: () => void;
  #waiting = 0;

  /** @param forget called when the last one has left: whoever comes then needs a load of his own */
  constructor(begin: (left: AbortSignal) => Promise<Kept>, forget: () => void) {
    this.#forget = forget;
    this.#loaded = begin(this.#left.signal);
    this.#loaded.catch(() => undefined);
  }

  async wait(gone: AbortSignal): Promise<Kept> {
    gone.throwIfAborted();
    this.#waiting++;
    let stop: () => void = () => undefined;
    const left = new Promise<never>((_, reject) => {
      const leave = () => {
        reject(gone.reason);
        this.#waiting--;
        if (this.#waiting > 0) return;
        this.#forget();
        this.#left.abort(gone.reason);
      };
      gone.addEventListener('abort', leave, { once: true });
      stop = () => gone.removeEventListener('abort', leave);
    });
    try {
      return await Promise.race([this.#loaded, left]);
    } finally {
      stop();
    }
  }
}

export interface Loaded {
  readonly body: string | Uint8Array;
  /** Asked when the answer is there: an estimate, or what a doubtful commit may still change, is not kept. */
  mayKeep(): boolean;
}

class Entry implements Kept {
  readonly body: Uint8Array;
  readonly etag: string;
  readonly at: number;
  zipped: Buffer | null = null;
  readonly #grown: () => void;
  #zipping: Promise<Buffer> | null = null;

  constructor(body: Uint8Array, at: number, grown: () => void) {
    this.body = body;
    this.at = at;
    this.etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
    this.#grown = grown;
  }

  get bytes(): number {
    return this.body.length + (this.zipped?.length ?? 0) + overhead;
  }

  gzip(): Promise<Buffer> {
    this.#zipping ??= promisify(gzip)(this.body, { level: 5 }).then((zipped) => {
      this.zipped = zipped;
      this.#grown();
      return zipped;
    });
    return this.#zipping;
  }
}
