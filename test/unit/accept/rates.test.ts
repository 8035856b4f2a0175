import { expect, test } from 'vitest';
import { Rates } from '../../../src/accept/rates.ts';

test('a caller over its limit stays refused on the fast path, however many others are over theirs', async () => {
  const rates = new Rates({ perToken: null, perAddress: 1, every: 600_000 });
  const one = { caller: null, address: '192.0.2.1' };
  await rates.take(one);
  expect(rates.takeNow(one)).toBe(false);
  for (let nth = 0; nth < 10_000; nth++) await rates.take({ caller: null, address: `10.1.${nth >> 8}.${nth & 255}` });
  await expect(rates.take(one)).rejects.toMatchObject({ status: 429 });
  expect(rates.takeNow(one)).toBe(false);
});
