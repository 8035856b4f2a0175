import { setImmediate as settle } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BackgroundCounts } from '../../../src/execute/background-counts.ts';

/** Adds a count that notes its condition, and does nothing else. */
function opened(pause = async (_milliseconds: number) => {}) {
  const counts = new BackgroundCounts(pause);
  const counted: string[] = [];
  const add = (client: string, condition: string, work = async () => {}) =>
    counts.add({ client, condition, run: () => work().then(() => void counted.push(condition)) });
  return { counts, counted, add };
}
const numbered = (name: string, length: number) => Array.from({ length }, (_, nth) => `${name}${nth}`);

test('clients take turns, however many counts one of them asks for', async () => {
  const { counted, add } = opened();
  for (const condition of numbered('many', 10)) add('one', condition);
  for (const condition of numbered('few', 2)) add('other', condition);
  await settle();
  expect(counted).toHaveLength(12);
  expect(counted.slice(0, 4)).toEqual(['many0', 'many1', 'few0', 'many2']);
  expect(counted.indexOf('few1')).toBe(4);
});

test('where too many wait, the client that has most loses its last one', async () => {
  const { counted, add } = opened();
  for (const condition of numbered('many', 100)) add('one', condition);
  add('other', 'few');
  await settle();
  // One has begun at once, and 19 others have waited.
  expect(counted.filter((condition) => condition !== 'few')).toEqual(numbered('many', 20));
});

test('a condition that waits is counted once, for all clients that ask', async () => {
  const { counted, add } = opened();
  for (const client of ['one', 'other', 'third']) for (const condition of ['first', 'second']) add(client, condition);
  await settle();
  expect(counted.filter((condition) => condition === 'second')).toHaveLength(1);
});

test('one at a time, and with a rest of nine times as long', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const steps: string[] = [];
  const { add } = opened(async (milliseconds) => void steps.push(`rest ${milliseconds}`));
  const work = (milliseconds: number) => async () => {
    steps.push('begin');
    await settle();
    vi.advanceTimersByTime(milliseconds);
    steps.push('end');
  };
  for (const milliseconds of [10, 20]) add('one', String(milliseconds), work(milliseconds));
  await expect.poll(() => steps).toEqual(['begin', 'end', 'rest 90', 'begin', 'end', 'rest 180']);
});

test('a condition that failed or found no place is known to be missing, and is counted when it is added again', async () => {
  const { counts, counted, add } = opened();
  let fail: () => void = () => undefined;
  add('one', 'failing', () => new Promise((_, reject) => (fail = () => reject(new Error('the session was killed')))));
  for (const condition of numbered('many', 21)) add('one', condition);
  expect(['failing', 'many0', 'many19', 'many20'].map((one) => counts.has(one))).toEqual([true, true, true, false]);
  fail();
  await expect.poll(() => counted).toContain('many19');
  expect(['failing', 'many0'].map((one) => counts.has(one))).toEqual([false, false]);
  for (const condition of ['failing', 'many20']) add('one', condition);
  await expect.poll(() => counted.slice(-2)).toEqual(['failing', 'many20']);
});
