import { expect, test } from 'vitest';
import { InFlight } from '../../../src/values/in-flight.ts';

/** Requests that the test answers by hand. */
function asking() {
  const questions = new InFlight<string, number>();
  const pending: { resolve(value: number): void; reject(cause: unknown): void }[] = [];
  const share = (key: string) =>
    questions.share(key, () => new Promise((resolve, reject) => pending.push({ resolve, reject })));
  return { questions, asked: pending, share };
}

test('callers at the same time share one answer, and a later caller asks again', async () => {
  const { asked, share } = asking();
  const both = [share('a'), share('a')];
  asked[0]?.resolve(1);
  expect(await Promise.all(both)).toEqual([1, 1]);
  const later = share('a');
  asked[1]?.resolve(2);
  expect(await later).toBe(2);
  expect(asked).toHaveLength(2);
});

test('questions about other keys are asked at once', () => {
  const { asked, share } = asking();
  share('a');
  share('b');
  expect(asked).toHaveLength(2);
});

test('an error is that of all callers, and is not kept', async () => {
  const { asked, share } = asking();
  const both = [share('a'), share('a')];
  asked[0]?.reject(new Error('no'));
  for (const one of both) await expect(one).rejects.toThrow('no');
  share('a');
  expect(asked).toHaveLength(2);
});

test('the end of all questions can be awaited, whatever becomes of them', async () => {
  const { questions, asked, share } = asking();
  share('a').catch(() => undefined);
  share('b');
  const ended = questions.ended();
  asked[0]?.reject(new Error('no'));
  asked[1]?.resolve(1);
  await ended;
});
