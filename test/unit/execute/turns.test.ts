import { expect, test } from 'vitest';
import { Turns } from '../../../src/execute/turns.ts';
import { Refusal } from '../../../src/model/errors.ts';

const here = new AbortController().signal;

/** Work that ends when the test says so. */
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
  const all = [turns.take('a', first.work, here), turns.take('a', second.work, here)];
  const late = ['third', 'fourth'].map((name) => turns.take('a', async () => begun.push(name), here));
  await Promise.resolve();
  expect(begun).toEqual([]);
  first.end();
  await Promise.all(late);
  expect(begun).toEqual(['third', 'fourth']);
  second.end();
  await Promise.all(all);
  expect(await turns.take('a', async () => 'again', here)).toBe('again');
});

test('a place is free again after work that fails, and after one that waits has left', async () => {
  const turns = new Turns(1, 60_000);
  await expect(turns.take('a', () => Promise.reject(new Error('broken')), here)).rejects.toThrow('broken');
  const { end, work } = piece();
  const running = turns.take('a', work, here);
  const leaving = new AbortController();
  const left = turns.take('a', async () => 'never', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  end();
  await running;
  expect(await turns.take('a', async () => 'next', here)).toBe('next');
  await expect(turns.take('a', async () => 'never', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});

test('a call that waits too long is refused, and takes no place', async () => {
  const turns = new Turns(1, 5);
  const { end, work } = piece();
  const running = turns.take('a', work, here);
  const refused = await turns.take('a', async () => 'never', here).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ status: 503, retryAfter: 2 });
  end();
  await running;
  expect(await turns.take('a', async () => 'next', here)).toBe('next');
});

test('a client that has a place waits for those that have none, and each client has its turn', async () => {
  const turns = new Turns(2, 60_000);
  const running = [piece(), piece()] as const;
  const begun: string[] = [];
  const take = (client: string, { end, work } = piece()) => {
    const done = turns.take(client, () => work().then(() => begun.push(client)), here);
    return { end, done };
  };
  const greedy = running.map((one) => take('greedy', one));
  const waiting = ['greedy', 'greedy', 'second', 'greedy', 'second', 'third'].map((client) => take(client));
  for (const { end } of waiting) end();
  // When one piece of work ends, the next begins. All waiting ones end as soon as they run.
  running[0].end();
  await Promise.all(waiting.map(({ done }) => done));
  expect(begun).toEqual(['greedy', 'second', 'third', 'second', 'greedy', 'greedy', 'greedy']);
  running[1].end();
  await Promise.all(greedy.map(({ done }) => done));
});

test('while a hundred wait, one of the client that waits for most is refused', async () => {
  const turns = new Turns(1, 60_000);
  const { end, work } = piece();
  const running = turns.take('a', work, here);
  const ask = (client: string) =>
    turns
      .take(client, async () => 'served', new AbortController().signal)
      .catch((error: unknown) => (error instanceof Refusal ? error.status : error));
  const greedy = Array.from({ length: 100 }, () => ask('greedy'));
  const [other, more] = [ask('other'), ask('greedy')];
  end();
  expect(await more).toBe(503);
  expect(await other).toBe('served');
  const answers = await Promise.all(greedy);
  expect(answers.map((answer, nth) => [nth, answer]).filter(([, answer]) => answer !== 'served')).toEqual([[99, 503]]);
  await running;
});
