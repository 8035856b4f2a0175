import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Definitions } from '../../../src/tables/definitions.ts';

test('calls that come while a table is read share the next reading of it', async () => {
  const definitions = new Definitions();
  const answers: ((text: string) => void)[] = [];
  const read = () => definitions.read('t', () => new Promise((resolve) => answers.push(resolve)));
  const first = read();
  await setImmediate();
  const others = Array.from({ length: 20 }, read);
  await setImmediate();
  expect(answers).toHaveLength(1);
  answers[0]?.('before');
  expect(await first).toBe('before');
  const late = read();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after');
  expect(new Set(await Promise.all([...others, late]))).toEqual(new Set(['after']));
});

test('a reading that fails is thrown to those who wait for it, and to no one else', async () => {
  const definitions = new Definitions();
  await expect(definitions.read('t', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await definitions.read('t', async () => 'back')).toBe('back');
});
