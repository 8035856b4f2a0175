/** A dataset is dated again only after the extremes of one of its tables have changed. */
import { expect, test } from 'vitest';
import { LastChanges } from '../../../src/app/last-changes.ts';
import { Generations } from '../../../src/cache/generations.ts';
import { examples } from '../metadata/example.ts';

const entryOf = (lastChange: string) => ({ body: JSON.stringify({ lastChange, from: null, to: null }) });

test('a dataset is dated again when a table has changed, and only then', () => {
  const [dataset] = examples.described?.datasets ?? [];
  const [table] = dataset?.tables ?? [];
  if (dataset === undefined || table === undefined) throw new Error('no example');
  const lastChanges = new LastChanges(1, new Generations());
  const [old, changed] = [entryOf('2036-01-01'), entryOf('2036-02-01')];
  const dated = (entry: typeof old) =>
    lastChanges.datedOf(dataset, new Map([[table.id, lastChanges.extremesIn(entry)]]), '2020-01-01T00:00:00.000000');
  const first = dated(old);
  expect(first.modified).toBe('2036-01-01T00:00:00.000000');
  expect(dated(old)).toBe(first);
  expect(dated(changed).modified).toBe('2036-02-01T00:00:00.000000');
  expect(dated(old)).toEqual(first);
});
