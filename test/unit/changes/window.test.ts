import { expect, test } from 'vitest';
import { LogWindow } from '../../../src/changes/log/window.ts';

const table = (name: string) => ({ database: 'd', schema: 's', name });
/** The window of a stream that started at position 100, when transactions from 10 on were not visible yet. */
function opened() {
  const window = new LogWindow({ start: 100, covers: (id) => Number(id) >= 10 });
  window.add({ id: '10', tables: [table('a')], end: 110 });
  window.add({ id: '11', tables: null, end: 120 });
  window.add({ id: '12', tables: [table('b')], end: 130 });
  window.reached(140);
  return (ids: string[], after: number | null, until: number | null) =>
    window.answer({ ids, after, until, ddlMarks: [] });
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
  const window = new LogWindow({ start: 100, covers: () => true });
  window.reached(140);
  const answer = (after: number) => window.answer({ ids: ['x'], after, until: 140, ddlMarks: [] });
  expect([answer(100), answer(101)]).toEqual([null, []]);
});

/** The window of a stream that started at 0, and a function that adds transactions to it. */
function long(covers: (id: string) => boolean = () => true) {
  const forgotten: string[] = [];
  const window = new LogWindow({ start: 0, covers, forget: (id) => forgotten.push(id) });
  let end = 0;
  const add = (id: string) => {
    window.add({ id, tables: [table(id)], end: ++end });
    window.reached(end);
  };
  const addOthers = (count: number) => {
    for (let nth = 0; nth < count; nth++) add(`${end}`);
  };
  const ask = (ids: string[], after = end) => window.answer({ ids, after, until: end, ddlMarks: [] });
  return { add, addOthers, ask, forgotten };
}

test('of two transactions with one id, the later one counts until 20,000 others have followed', () => {
  const { add, addOthers, ask, forgotten } = long();
  add('x');
  addOthers(10);
  add('x');
  addOthers(19_999);
  expect([ask(['x']), forgotten.includes('x')]).toEqual([[table('x')], false]);
  addOthers(1);
  expect([ask(['x']), forgotten.at(-1)]).toEqual([[], 'x']);
});

test('a transaction of very many tables makes others be forgotten', () => {
  const forgotten: string[] = [];
  const window = new LogWindow({ start: 0, covers: () => true, forget: (id) => forgotten.push(id) });
  const tables = (count: number) => Array.from({ length: count }, (_, nth) => table(`t${nth}`));
  window.add({ id: 'x', tables: tables(1), end: 1 });
  for (let nth = 0; nth < 200; nth++) window.add({ id: 'again', tables: tables(991), end: 2 + nth });
  expect(forgotten).toEqual([]);
  for (let nth = 0; nth < 199; nth++) window.add({ id: `${nth}`, tables: tables(991), end: 300 + nth });
  expect(forgotten).toEqual(['x']);
});
