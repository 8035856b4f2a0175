import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed } from '../../../src/reply/compress.ts';

const long = 'x'.repeat(1000);
const replyOf = (body: string | Uint8Array) => ({ status: 200, headers: { Vary: 'Origin' }, body });

test('a long text is compressed for a client that accepts it, and caches are told', async () => {
  const { headers, body } = await compressed(replyOf(long), 'br, gzip');
  expect(headers).toEqual({ Vary: 'Origin, Accept-Encoding', 'Content-Encoding': 'gzip' });
  expect(body instanceof Uint8Array && gunzipSync(body).toString()).toBe(long);
  expect(await compressed(replyOf(long), 'identity')).toEqual({
    ...replyOf(long),
    headers: { Vary: 'Origin, Accept-Encoding' },
  });
});

test.each([['short'], [Buffer.from(long)]])('a short text, and bytes, stay as they are', async (body) => {
  expect(await compressed(replyOf(body), 'gzip')).toEqual(replyOf(body));
});
