import { expect, test } from 'vitest';
import { fieldsOf } from '../../../src/cache/buses/redis/messages.ts';
import { News } from '../../../src/cache/buses/redis/news.ts';
import { Suspensions } from '../../../src/cache/buses/redis/suspensions.ts';

const [me, other] = ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002'];

test('nothing more is delivered once the membership has ended', () => {
  const delivered: string[] = [];
  const own = { has: () => false, wasNamed: () => false, isNamed: () => false, answer: () => undefined };
  const suspensions = new Suspensions(own, (message) => delivered.push(message.type));
  const news = new News('0-0', me, suspensions);
  const suspend = JSON.stringify({ type: 'suspend', id: 'a', resource: 'r', invalidates: [], lasts: 0 });
  const entries = [
    ['1-0', fieldsOf(other, 1, false, ['{"type":"forget"}'])],
    ['2-0', fieldsOf(other, 2, false, [suspend])],
  ];
  let isOver = false;
  const steps = news.hear(entries, () => isOver);
  for (let nth = 0; nth < 2; nth++) steps.next();
  isOver = true;
  expect(() => steps.next()).toThrow('has ended');
  expect(delivered).toEqual(['forget']);
  expect(news.last).toBe('1-0');
});
