import { expect, test } from 'vitest';
import { dependenciesOf, ordered, shortened } from '../../../src/cache/invalidation.ts';

const relation = (name: string) => ({ database: 'd', schema: 's', name });

test('a write to a table under thousands of views takes few bytes of a message, and bumps no more here', () => {
  const views = Array.from({ length: 5000 }, (_, nth) => relation(`v${nth}`));
  const effects = {
    ...{ server: 'x', database: 'd', shows: views.map((to) => ({ from: relation('t'), to })), changes: [] },
    ...{ mayChangeAnything: [], mayShowAnything: [], elsewhere: [], unlogged: [], outsideInnodb: [] },
  };
  const known = [ordered(effects)];
  const of = (name: string) => dependenciesOf(relation(name), known, null);
  const { invalidates } = of('t');
  const message = shortened(invalidates, 'x', 30);
  expect(JSON.stringify(message).length).toBeLessThan(100);
  const isOld = (name: string, counters: readonly string[]) => of(name).dependsOn.some((one) => counters.includes(one));
  for (const name of ['t', 'v4999']) expect([isOld(name, message), isOld(name, invalidates)]).toEqual([true, true]);
  expect(isOld('another', invalidates)).toBe(false);
  expect(shortened(of('v1').invalidates, 'x', 30)).toEqual(of('v1').invalidates);
});

test('a table under more views than a call may have arguments makes everything old', () => {
  const shows = Array.from({ length: 150_000 }, (_, nth) => ({ from: relation('t'), to: relation(`v${nth}`) }));
  const none = {
    changes: [],
    mayChangeAnything: [],
    mayShowAnything: [],
    elsewhere: [],
    unlogged: [],
    outsideInnodb: [],
  };
  const known = [ordered({ server: 'x', database: 'd', shows, ...none })];
  const of = (name: string) => dependenciesOf(relation(name), known, null);
  expect(of('t').invalidates).toEqual(['x any', 'x all']);
  expect(of('another').dependsOn).toContain('x all');
});

test('a message is short, however many counters it has to bump', () => {
  for (let count = 0; count < 1000; count++) {
    const names = Array.from(
      { length: count },
      (_, nth) => `postgres 7423948230948230948 ["erp","public","orders_${nth}"]`,
    );
    expect(JSON.stringify(shortened(names, 'postgres 7423948230948230948', 30)).length).toBeLessThan(2200);
  }
});
