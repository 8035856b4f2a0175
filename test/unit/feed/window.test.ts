import { expect, test } from 'vitest';
import { LogWindow } from '../../../src/feed/window.ts';

const table = (name: string) => ({ database: 'd', schema: 's', name });
/** A window of a stream that began at position 100, when the transactions from 10 on were not yet visible. */
function opened() {
  const window = new LogWindow({ start: 100, covers: (id) => Number(id) >= 10, forget: () => undefined });
  window.add({ id: '10', tables: [table('a')], end: 110 });
  window.add({ id: '11', tables: null, end: 120 });
  window.add({ id: '12', tables: [table('b')], end: 130 });
  window.reached(140);
  return (ids: string[], after: number | null, until: number | null) =>
    window.answer({ ids, after, until, definitions: [] });
}

test('a transaction that the stream has not delivered changed nothing, if it would have been delivered', () => {
  const answer = opened();
  expect(answer(['10', '12'], null, 140)).toEqual([table('b'), table('a')]);
  expect(answer(['13'], null, 140)).toEqual([]);
  expect(answer(['13'], null, 141)).toBe('late');
});

test('a transaction from before the stream may have changed anything: an earlier stream is lost with what it had', () => {
  const answer = opened();
  expect(answer(['9'], null, 140)).toBeNull();
  expect(answer(['9', '12'], null, 140)).toBeNull();
  expect(answer([], 99, 140)).toBeNull();
  expect(answer([], 120, 140)).toEqual([table('b')]);
});

test('a transaction whose tables are not known may have changed anything', () => {
  const answer = opened();
  expect(answer(['11'], null, 140)).toBeNull();
  expect(answer([], 100, 140)).toBeNull();
  expect(answer([], 130, 140)).toEqual([]);
});

test('transactions with ids and between positions: the tables of both', () => {
  const answer = opened();
  expect(answer(['10'], 120, 140)).toEqual([table('a'), table('b')]);
  expect(answer(['9'], 120, 140)).toBeNull();
  expect(answer(['9'], 120, 141)).toBeNull();
  expect(answer(['10'], 120, 141)).toBe('late');
});

test('a transaction that is not in the stream may have ended before it, where it was listed before it', () => {
  const window = new LogWindow({ start: 100, covers: () => true, forget: () => undefined });
  window.reached(140);
  const answer = (after: number) => window.answer({ ids: ['x'], after, until: 140, definitions: [] });
  expect([answer(100), answer(101)]).toEqual([null, []]);
});

test('a transaction that is still listed has changed what the log says by now, and nothing where it is not there', () => {
  const window = new LogWindow({ start: 100, covers: () => false, forget: () => undefined });
  window.add({ id: 'x', tables: [table('a')], end: 110 });
  window.reached(120);
  const answer = (until: number) => window.answer({ ids: [], listed: ['x', 'y'], after: 115, until, definitions: [] });
  expect([answer(120), answer(121)]).toEqual([[table('a')], 'late']);
});

test('of two transactions with one id, the later one stays when the earlier one is dropped', () => {
  const dropped: string[] = [];
  const window = new LogWindow({ start: 0, covers: () => true, forget: (id) => dropped.push(id) });
  const add = (id: string | null, end: number) => window.add({ id, tables: [table(`t${end}`)], end });
  add('x', 1);
  add('x', 2);
  for (let end = 3; end <= 20_001; end++) add(null, end);
  window.reached(20_001);
  const answer = () => window.answer({ ids: ['x'], after: 20_001, until: 20_001, definitions: [] });
  expect([answer(), dropped]).toEqual([[table('t2')], []]);
  add(null, 20_002);
  expect(dropped).toEqual(['x']);
});
