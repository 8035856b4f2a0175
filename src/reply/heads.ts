/** Replies on the fast path, with heads that were made before. */
import type { CachedBody, Ready } from '../model/http.ts';
import { decisive, type Origins, withCors } from './cors.ts';
import { type ConditionalHeaders, etagOf, found, isKnown, wantsZipped } from './found.ts';
import { listed } from './send.ts';

/** The heads of answers that share `Cache-Control` and CORS settings. */
export class Heads {
  readonly #control: string;
  readonly #origins: Origins;
  /** By the decisive part of the origin; for each, a head per status, with and without gzip. */
  readonly #made = new Map<string | undefined, Head[]>();

  /**
   * @param control their `Cache-Control`
   * @param origins `cors.origins`
   */
  constructor(control: string, origins: Origins) {
    this.#control = control;
    this.#origins = origins;
  }

  /**
   * The reply as `found` would make it.
   * @param acceptsGzip parsed from `wants` before, because parsing takes a while
   * @param now on the clock of `CachedBody.at`
   * @returns null where the gzip copy must be made first
   */
  ready(
    kept: CachedBody,
    wants: ConditionalHeaders,
    acceptsGzip: boolean,
    origin: string | undefined,
    now: number,
  ): Ready | null {
    const isZipped = wantsZipped(kept, acceptsGzip);
    const whole = isZipped ? kept.zipped : kept.body;
    if (whole === null) return null;
    const validator = etagOf(kept, isZipped);
    const isThere = wants.ifNoneMatch === validator || isKnown(wants.ifNoneMatch, kept.etag);
    const heads = this.#of(decisive(origin, this.#origins));
    const nth = (isThere ? 2 : 0) + (isZipped ? 1 : 0);
    heads[nth] ??= this.#make(kept, wants, origin, now);
    const { status, list, age, etag, length } = heads[nth];
    const head = list.slice();
    head[age] = String(Math.floor((now - kept.at) / 1000));
    head[etag] = validator;
    if (isThere) return { status, head, body: null };
    head[length] = String(whole.length);
    return { status, head, body: whole };
  }

  #of(origin: string | undefined): Head[] {
    const known = this.#made.get(origin);
    if (known !== undefined) return known;
    const heads: Head[] = [];
    this.#made.set(origin, heads);
    return heads;
  }

  #make(kept: CachedBody, wants: ConditionalHeaders, origin: string | undefined, now: number): Head {
    const reply = found({ kept, by: 'hit' }, wants, this.#control, now);
    const list = listed({ ...reply, headers: withCors(reply.headers, origin, this.#origins) });
    const value = (name: string) => list.indexOf(name) + 1;
    return { status: reply.status, list, age: value('Age'), etag: value('ETag'), length: value('Content-Length') };
  }
}

interface Head {
  readonly status: number;
  readonly list: readonly string[];
  /** The indexes in the list of values that differ between answers. */
  readonly age: number;
  readonly etag: number;
  readonly length: number;
}
