import { expect, test } from 'vitest';
import { rightsBelow } from '../../../src/dialects/below.ts';
import type { Need } from '../../../src/model/advice.ts';

const at = (name: string) => ({ schema: 'public', name });
const reads = (view: string, table: string) => ({ view: at(view), reads: at(table) });
const need = (more: Partial<Need>): Need => ({
  ...{ table: at('asked'), grants: [{ privilege: 'SELECT', columns: null }], mentioned: [], withheld: [] },
  below: [reads('asked', 'inner'), reads('inner', 'owned'), reads('inner', 'secret'), reads('owned', 'deep')],
  ...more,
});
const isInvoker = ({ name }: { readonly name: string }) => ['asked', 'inner'].includes(name);

test('down to the views that read with the rights of their owner, and not below them', () => {
  expect(rightsBelow([need({})], isInvoker)).toEqual({ granted: ['inner', 'owned', 'secret'].map(at), notes: [] });
  expect(rightsBelow([need({})], () => false)).toEqual({ granted: [], notes: [] });
});

test('not to a table of which columns are hidden, unless it is out of reach', () => {
  const { granted, notes } = rightsBelow([need({ withheld: [at('secret'), at('deep')] })], isInvoker);
  expect(granted).toEqual(['inner', 'owned'].map(at));
  expect(notes).toEqual(['; asked reads secret, of which columns are hidden: grant the others by hand']);
});

test('a view that is written, and views that read each other', () => {
  const round = [reads('asked', 'inner'), reads('inner', 'asked')];
  const grants = [{ privilege: 'INSERT', columns: null }] as const;
  expect(rightsBelow([need({ below: round, grants })], isInvoker)).toEqual({
    granted: [at('inner')],
    notes: ['; writes to asked change inner: grant them by hand'],
  });
});
