import { LRUCache } from 'lru-cache';

/** What is known of requests that came before to the letter, least recently used out first, bounded by bytes. */
export class Shortcuts<T> {
  readonly #heads: LRUCache<string, Map<string, T>>;

  constructor(maxBytes: number) {
    this.#heads = new LRUCache({ maxSize: maxBytes });
  }

  /** By body, for a request with this line and these headers; undefined where none came before. */
  find(head: string): ReadonlyMap<string, T> | undefined {
    return this.#heads.get(head);
  }

  learn(head: string, body: string, value: T): void {
    const known = this.#heads.get(head) ?? new Map<string, T>();
    known.delete(body);
    known.set(body, value);
    // One head with ever new bodies must not fill it all.
    for (const oldest of known.keys()) {
      if (known.size <= mostBodies) break;
      known.delete(oldest);
    }
    let size = head.length * 2 + overhead;
    for (const key of known.keys()) size += key.length * 2 + overhead;
    this.#heads.set(head, known, { size });
  }
}

const mostBodies = 1000;
/** Bytes beside the texts, nearly. */
const overhead = 500;
