import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CacheEntry } from '../../../src/model/http.ts';
import { acceptsGzip, cachedReply, isSentZipped } from '../../../src/reply/cached-reply.ts';
import { withCors } from '../../../src/reply/cors.ts';
import { HeadTemplates } from '../../../src/reply/head-templates.ts';
import { listed } from '../../../src/reply/send.ts';

const cacheHeaders = { control: 'private, no-cache', vary: 'Authorization, Cookie' };
const answers: fc.Arbitrary<CacheEntry> = fc
  .record({
    length: fc.constantFrom(0, 1, 999, 1000, 20_000),
    etag: fc.constantFrom('"a"', '"b"'),
    isMade: fc.boolean(),
  })
  .map(({ length, etag, isMade }) => {
    const zipped = isMade ? Buffer.alloc(7, etag) : null;
    return {
      body: Buffer.alloc(length, etag),
      etag,
      storedAt: 1000,
      lifetimeMs: 1000,
      zipped,
      gzip: async () => Buffer.alloc(7),
    };
  });
const requests = fc.record({
  wants: fc.record({
    ifNoneMatch: fc.constantFrom(undefined, '*', '"a"', 'W/"b", "c"', '"a-gzip"', '"x"'),
    acceptEncoding: fc.constantFrom(undefined, 'gzip', 'identity', 'br, gzip;q=0'),
  }),
  origin: fc.constantFrom(undefined, 'https://a.example', 'https://b.example'),
  now: fc.integer({ min: 1000, max: 100_000 }),
});
const origins = fc.constantFrom('*' as const, 'none' as const, ['https://a.example']);

test('an answer that is sent again is the one that is made anew, whatever was sent before it', () => {
  fc.assert(
    fc.property(origins, fc.array(fc.tuple(answers, requests), { maxLength: 20 }), (origins, asked) => {
      const heads = new HeadTemplates(cacheHeaders, origins);
      for (const [kept, { wants, origin, now }] of asked) {
        const accepts = acceptsGzip(wants.acceptEncoding);
        const ready = heads.ready(kept, wants, accepts, origin, now);
        if (isSentZipped(kept, accepts) && kept.zipped === null) {
          expect(ready).toBeNull();
          continue;
        }
        const reply = cachedReply({ entry: kept, source: 'hit' }, wants, cacheHeaders, now);
        const { status, body } = reply;
        const head = listed({ ...reply, headers: withCors(reply.headers, origin, origins) });
        // Compared by identity: comparing 20,000 bytes one by one would take longer than everything else.
        expect(ready?.body).toBe(status === 304 ? null : body);
        expect({ ...ready, body: null }).toEqual({ status, head, body: null });
      }
    }),
    { seed: 20261122 },
  );
});
