import { expect, test } from 'vitest';
import { Evictable, Store } from '../../../src/cache/store.ts';

class Growing extends Evictable {
  drops = 0;
  override onEvicted(): void {
    this.drops++;
  }
}

test('an object that has grown counts with its new size, whoever stores it again', () => {
  const store = new Store(100_000);
  const [one, other] = [new Growing(), new Growing()];
  store.set('one', one, 1000);
  const { bytes } = store.level;
  store.set('one', one, 2000);
  expect(store.level.bytes).toBe(bytes + 1300);
  store.resize('one', one, 3000);
  expect(store.level).toMatchObject({ entries: 1, bytes: bytes + 2600 });
  store.resize('one', other, 4000);
  expect([store.get('one', Growing), one.drops, store.level.bytes]).toEqual([one, 0, bytes + 2600]);
  store.set('one', other, 1000);
  expect([store.get('one', Growing), one.drops, other.drops, store.level.bytes]).toEqual([other, 1, 0, bytes]);
});

test('one that has grown evicts others, and itself where it is too large for the store', () => {
  const store = new Store(10_000);
  const all = Array.from({ length: 8 }, () => new Growing());
  for (const [nth, one] of all.entries()) store.set(`${nth}`, one, 900);
  const [first, second, last] = [all[0], all[1], all[7]];
  if (first === undefined || second === undefined || last === undefined) throw new Error('none');
  expect([first.drops, second.drops]).toEqual([0, 0]);
  store.resize('7', last, 940);
  for (const nth of [2, 3, 4, 5, 6]) store.resize(`${nth}`, all[nth] ?? last, 955);
  store.set('new', new Growing(), 900);
  expect([first.drops, second.drops, last.drops]).toEqual([1, 0, 0]);
  store.resize('7', last, 5000);
  expect([store.get('7', Growing), last.drops]).toEqual([undefined, 1]);
});
