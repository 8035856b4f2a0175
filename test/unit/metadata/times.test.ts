import { expect, test } from 'vitest';
import { datedOf } from '../../../src/metadata/dated.ts';
import { iso, utc, utcOf } from '../../../src/metadata/times.ts';
import { type Extremes, noMetadata } from '../../../src/model/metadata.ts';

test.each([
  ['2026-11-27T10:21:00', '2026-11-27T10:21:00.000000', '2026-11-27T10:21:00Z'],
  ['2026-11-27 10:21:00.5+00', '2026-11-27T10:21:00.500000', '2026-11-27T10:21:00.5Z'],
  ['2026-11-27T10:20:30.123456+00:00', '2026-11-27T10:20:30.123456', '2026-11-27T10:20:30.123456Z'],
  ['2026-11-27T10:21:00.250Z', '2026-11-27T10:21:00.250000', '2026-11-27T10:21:00.25Z'],
  ['2026-11-27', '2026-11-27T00:00:00.000000', '2026-11-27T00:00:00Z'],
])('%s in UTC', (shown, expected, zoned) => {
  expect([utc(shown), iso(utc(shown) ?? '')]).toEqual([expected, zoned]);
});

test.each([
  'infinity',
  '',
  '2026-02-30',
  '0000-00-00',
  '2026-00-00T00:00:00',
  '2026-11-27T10:21:00+02:00',
  '2026',
  '44-03-15 BC',
])('%j is no time of a catalogue', (shown) => expect(utc(shown)).toBeNull());

test('a dataset is as new as its newest table, and never older than the configuration', () => {
  const table = { id: '', uuid: '', title: '', description: '', licence: null, hasPlaces: false };
  const period = { from: null, to: null, column: 'day' };
  const tables = ['a', 'b'].map((id) => ({ ...table, id }));
  const dataset = { name: 'd', uuid: '', title: '', description: '', facts: { ...noMetadata, period }, tables };
  const extremes: Readonly<Record<string, Extremes>> = {
    a: { lastChange: '2026-05-05', from: '2001-01-01', to: '2002-01-01' },
    b: { lastChange: 'infinity', from: '2000-01-01', to: null },
  };
  const dated = (changedAt: string) => datedOf(dataset, (id) => extremes[id], changedAt);
  const [spring, may, summer] = ['04-01', '05-05', '06-01'].map((day) => `2026-${day}T00:00:00.000000`);
  expect(dated(spring ?? '')).toMatchObject({
    ...{ modified: may, from: '2000-01-01', to: '2002-01-01' },
    tables: [{ modified: may }, { modified: spring }],
  });
  expect(dated(summer ?? '')).toMatchObject({ modified: summer, tables: [{ modified: summer }, { modified: summer }] });
  expect(utcOf(0)).toBe('1970-01-01T00:00:00.000000');
});
