import { expect, test } from 'vitest';
import { collectGarbage } from '../../../src/commands/collect-garbage.ts';

test('what nobody holds is collected, and what somebody holds is not', async () => {
  const held = { name: 'held' };
  const refs = [new WeakRef(held), new WeakRef({ name: 'free' })];
  await collectGarbage();
  expect(refs.map((ref) => ref.deref())).toEqual([held, undefined]);
});
