import { expect, test } from 'vitest';
import { dependenciesOf, indexed } from '../../../src/cache/invalidation.ts';

const relation = (name: string) => ({ database: 'd', schema: 's', name });

test('a write to a table under thousands of views makes their answers old, and no others', () => {
  const views = Array.from({ length: 5000 }, (_, nth) => relation(`v${nth}`));
  const effects = {
    ...{ server: 'x', database: 'd', shows: views.map((to) => ({ from: relation('t'), to })), changes: [] },
    ...{ mayChangeAnything: [], mayShowAnything: [], elsewhere: [], unlogged: [], outsideInnodb: [] },
  };
  const known = [indexed(effects)];
  const of = (name: string) => dependenciesOf(relation(name), known, null);
  const { invalidates } = of('t');
  const isOld = (name: string) => of(name).dependsOn.some((one) => invalidates.includes(one));
  expect(['t', 'v4999', 'another'].map(isOld)).toEqual([true, true, false]);
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
  const known = [indexed({ server: 'x', database: 'd', shows, ...none })];
  const of = (name: string) => dependenciesOf(relation(name), known, null);
  expect(of('t').invalidates).toEqual(['x any', 'x all']);
  expect(of('another').dependsOn).toContain('x all');
});
