import { expect, test } from 'vitest';
import { LogWindow } from '../../../src/changes/log/window.ts';

const tablesOf = (id: string, count: number) =>
  Array.from({ length: count }, (_, nth) => ({ database: 'd', schema: 's', name: `t${id}_${nth}` }));

test('too many tables in one answer count as anything', () => {
  const window = new LogWindow({ start: 0, covers: () => true });
  const ids = Array.from({ length: 10 }, (_, nth) => String(nth));
  for (const id of ids) window.add({ id, tables: tablesOf(id, 1000), end: Number(id) + 1 });
  const answer = (asked: readonly string[]) => window.answer({ ids: asked, after: null, until: 0, ddlMarks: [] });
  expect(answer(ids.slice(0, 5))).toHaveLength(5000);
  expect(answer(ids)).toBeNull();
});

test('a transaction with more tables than are kept in all is kept as one that may have changed anything', () => {
  const window = new LogWindow({ start: 0, covers: () => true });
  window.add({ id: 'small', tables: tablesOf('small', 1), end: 1 });
  window.add({ id: 'large', tables: tablesOf('large', 200_001), end: 2 });
  const answer = (id: string) => window.answer({ ids: [id], after: null, until: 0, ddlMarks: [] });
  expect(answer('large')).toBeNull();
  expect(answer('small')).toHaveLength(1);
});
