import { expect, test } from 'vitest';
import { Turns } from '../../../src/execute/turns.ts';
import { Refusal } from '../../../src/model/errors.ts';

const here = new AbortController().signal;

/** Waits for a turn, works, and leaves. */
async function take<T>(turns: Turns, client: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const turn = await turns.enter(client, signal);
  try {
    return await work();
  } finally {
    turn.leave();
  }
}

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
  const all = [take(turns, 'a', first.work, here), take(turns, 'a', second.work, here)];
  const late = ['third', 'fourth'].map((name) => take(turns, 'a', async () => begun.push(name), here));
  await Promise.resolve();
  expect(begun).toEqual([]);
  first.end();
  await Promise.all(late);
  expect(begun).toEqual(['third', 'fourth']);
  second.end();
  await Promise.all(all);
  expect(await take(turns, 'a', async () => 'again', here)).toBe('again');
});

test('a place is free again after work that fails, and after one that waits has left', async () => {
  const turns = new Turns(1, 60_000);
  await expect(take(turns, 'a', () => Promise.reject(new Error('broken')), here)).rejects.toThrow('broken');
  const { end, work } = piece();
  const running = take(turns, 'a', work, here);
  const leaving = new AbortController();
  const left = take(turns, 'a', async () => 'never', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  end();
  await running;
  expect(await take(turns, 'a', async () => 'next', here)).toBe('next');
  await expect(take(turns, 'a', async () => 'never', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});

test('a call that waits too long is refused, and takes no place', async () => {
  const turns = new Turns(1, 5);
  const { end, work } = piece();
  const running = take(turns, 'a', work, here);
  const refused = await take(turns, 'a', async () => 'never', here).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ status: 503, retryAfter: 2 });
  end();
  await running;
  expect(await take(turns, 'a', async () => 'next', here)).toBe('next');
});

test('a client that has a place waits for those that have none, and each client has its turn', async () => {
  const turns = new Turns(2, 60_000);
  const running = [piece(), piece()] as const;
  const begun: string[] = [];
  const begin = (client: string, { end, work } = piece()) => {
    const done = take(turns, client, () => work().then(() => begun.push(client)), here);
    return { end, done };
  };
  const greedy = running.map((one) => begin('greedy', one));
  const waiting = ['greedy', 'greedy', 'second', 'greedy', 'second', 'third'].map((client) => begin(client));
  for (const { end } of waiting) end();
  // What has ended lets the next begin: all waiting ones end as soon as they run.
  running[0].end();
  await Promise.all(waiting.map(({ done }) => done));
  expect(begun).toEqual(['greedy', 'second', 'third', 'second', 'greedy', 'greedy', 'greedy']);
  running[1].end();
  await Promise.all(greedy.map(({ done }) => done));
});

test('while a hundred wait, one of the client that waits for most is refused', async () => {
  const turns = new Turns(1, 60_000);
  const { end, work } = piece();
  const running = take(turns, 'a', work, here);
  const ask = (client: string) =>
    take(turns, client, async () => 'served', new AbortController().signal).catch((error: unknown) =>
      error instanceof Refusal ? error.status : error,
    );
  const greedy = Array.from({ length: 100 }, () => ask('greedy'));
  const [other, more] = [ask('other'), ask('greedy')];
  end();
  expect(await more).toBe(503);
  expect(await other).toBe('served');
  const answers = await Promise.all(greedy);
  expect(answers.map((answer, nth) => [nth, answer]).filter(([, answer]) => answer !== 'served')).toEqual([[99, 503]]);
  await running;
});
