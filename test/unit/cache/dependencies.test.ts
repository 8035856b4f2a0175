import { expect, test } from 'vitest';
import { dependenciesOf } from '../../../src/cache/invalidation.ts';

const relation = (name: string) => ({ database: 'd', schema: 's', name });

test('a write to a table under thousands of views is told to other gateways in a few bytes', () => {
  const views = Array.from({ length: 5000 }, (_, nth) => relation(`v${nth}`));
  const effects = {
    ...{ server: 'x', database: 'd', shows: views.map((to) => ({ from: relation('t'), to })), changes: [] },
    ...{ mayChangeAnything: [], mayShowAnything: [], elsewhere: [], unlogged: [], outsideInnodb: [] },
  };
  const { invalidates } = dependenciesOf(relation('t'), [effects], null);
  expect(JSON.stringify(invalidates).length).toBeLessThan(100);
  for (const view of [relation('t'), views[4999] ?? relation('')]) {
    const { dependsOn } = dependenciesOf(view, [effects], null);
    expect(dependsOn.some((counter) => invalidates.includes(counter))).toBe(true);
  }
});
