import { expect, test } from 'vitest';
import { inTurn } from '../../../src/values/in-turn.ts';

test('each item is begun when the one before is done', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    const before = [...done];
    await Promise.resolve();
    done.push(item);
    return before;
  };
  expect(await inTurn([1, 2, 3], work)).toEqual([[], [1], [1, 2]]);
});

test('after an error no further item is begun', async () => {
  const started: number[] = [];
  const work = async (item: number) => {
    started.push(item);
    if (item === 2) throw new Error('no');
  };
  await expect(inTurn([1, 2, 3], work)).rejects.toThrow('no');
  expect(started).toEqual([1, 2]);
});
