import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PacketHeads } from '../../../src/execute/drivers/mysql/packet-heads.ts';

const kept = 16 * 1024;
const full = 0xffffff;

/** A payload split into packets, as it is sent. */
function sent(payload: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at <= payload.length; at += full) {
    const part = payload.subarray(at, at + full);
    parts.push(Buffer.of(part.length & 0xff, (part.length >> 8) & 0xff, part.length >> 16, parts.length), part);
  }
  return Buffer.concat(parts);
}

function headsOf(chunks: readonly Buffer[]): readonly string[] {
  const heads: string[] = [];
  const reader = new PacketHeads((head) => heads.push(head.toString('latin1')));
  for (const chunk of chunks) reader.read(chunk);
  return heads;
}

const length = fc.oneof(fc.nat(20), fc.integer({ min: kept - 3, max: kept + 3 }), fc.nat(3 * kept));

test('each packet is given once, with its beginning, wherever the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(length, { maxLength: 8 }), fc.array(fc.nat(2 * kept), { maxLength: 12 }), (lengths, cuts) => {
      const payloads = lengths.map((length, nth) => Buffer.alloc(length, 97 + nth));
      const bytes = Buffer.concat(payloads.map(sent));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        chunks.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      chunks.push(bytes.subarray(at));
      expect(headsOf(chunks)).toEqual(payloads.map((payload) => payload.toString('latin1', 0, kept)));
    }),
  );
});

test.each([full - 1, full, full + 1, 2 * full, 2 * full + 5])('a payload of %d bytes is one', (length) => {
  const bytes = Buffer.concat([sent(Buffer.alloc(length, 97)), sent(Buffer.from('next'))]);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, nth) =>
    bytes.subarray(nth * 65_536, (nth + 1) * 65_536),
  );
  expect(headsOf(chunks)).toEqual(['a'.repeat(kept), 'next']);
});
