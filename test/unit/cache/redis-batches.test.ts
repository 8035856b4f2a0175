import { expect, test } from 'vitest';
import { type Batch, Batches } from '../../../src/cache/buses/redis/batches.ts';
import type { StreamMessage } from '../../../src/cache/buses/redis/messages.ts';

test('concurrent messages share entries, none of which is long', async () => {
  const rounds: (readonly Batch[])[] = [];
  const batches = new Batches(async (round) => {
    rounds.push(round);
  });
  const invalidates = Array.from({ length: 30 }, (_, nth) => `postgres 7423948230948230948 ["erp","public","t${nth}"]`);
  const messages = Array.from({ length: 200 }, (_, nth): StreamMessage => {
    return { type: 'suspend', id: `${nth}`, resource: 'r', invalidates, lasts: 0 };
  });
  await Promise.all(messages.map((message) => batches.add(message, false)));
  const sent = rounds.flat();
  expect(sent.flatMap((batch) => batch.messages)).toEqual(messages);
  expect(Math.max(...sent.map(({ texts }) => texts.join().length))).toBeLessThan(10_100);
  expect(sent.length).toBeLessThan(60);
  expect(rounds).toHaveLength(1);
});

test('the next round is sent when the last one is over, or only waits', async () => {
  const rounds: { readonly next: () => void; readonly end: () => void }[] = [];
  const batches = new Batches((_, next) => new Promise((end) => rounds.push({ next, end })));
  const add = (id: string) => batches.add({ type: 'suspend', id, resource: 'r', invalidates: [], lasts: 0 }, true);
  const first = add('1');
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  const [second, third] = [add('2'), add('3')];
  await turn();
  expect(rounds).toHaveLength(1);
  rounds[0]?.next();
  await turn();
  expect(rounds).toHaveLength(2);
  rounds[1]?.end();
  await Promise.all([second, third]);
  rounds[0]?.end();
  await first;
});
