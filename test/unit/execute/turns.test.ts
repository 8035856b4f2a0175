import { expect, test } from 'vitest';
import { Turns } from '../../../src/execute/turns.ts';
import { Refusal } from '../../../src/model/errors.ts';

const here = new AbortController().signal;

/** Work that ends when it is told to. */
function piece() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => done };
}

test('so many run at once, and the others in the order in which they came', async () => {
  const turns = new Turns(2, 60_000);
  const [first, second] = [piece(), piece()];
  const begun: string[] = [];
  const all = [turns.take(first.work, here), turns.take(second.work, here)];
  const late = ['third', 'fourth'].map((name) => turns.take(async () => begun.push(name), here));
  await Promise.resolve();
  expect(begun).toEqual([]);
  first.end();
  await Promise.all(late);
  expect(begun).toEqual(['third', 'fourth']);
  second.end();
  await Promise.all(all);
  expect(await turns.take(async () => 'again', here)).toBe('again');
});

test('a place is free again after work that fails, and after one that waits has left', async () => {
  const turns = new Turns(1, 60_000);
  await expect(turns.take(() => Promise.reject(new Error('broken')), here)).rejects.toThrow('broken');
  const { end, work } = piece();
  const running = turns.take(work, here);
  const leaving = new AbortController();
  const left = turns.take(async () => 'never', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  end();
  await running;
  expect(await turns.take(async () => 'next', here)).toBe('next');
  await expect(turns.take(async () => 'never', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});

test('who waits too long is refused, and takes no place', async () => {
  const turns = new Turns(1, 5);
  const { end, work } = piece();
  const running = turns.take(work, here);
  const refused = await turns.take(async () => 'never', here).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ status: 503, retryAfter: 2 });
  end();
  await running;
  expect(await turns.take(async () => 'next', here)).toBe('next');
});
