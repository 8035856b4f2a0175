import { expect, test } from 'vitest';
import { LogWindow } from '../../../src/feed/window.ts';

test('too many tables in one answer count as anything', () => {
  const window = new LogWindow({ start: 0, covers: () => true, forget: () => undefined });
  const ids = Array.from({ length: 10 }, (_, nth) => String(nth));
  for (const id of ids) {
    const tables = Array.from({ length: 1000 }, (_, nth) => ({ database: 'd', schema: 's', name: `t${id}_${nth}` }));
    window.add({ id, tables, end: Number(id) + 1 });
  }
  const answer = (asked: readonly string[]) => window.answer({ ids: asked, after: null, until: 0, definitions: [] });
  expect(answer(ids.slice(0, 5))).toHaveLength(5000);
  expect(answer(ids)).toBeNull();
});
