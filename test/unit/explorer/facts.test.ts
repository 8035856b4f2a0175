import { afterAll, expect, test } from 'vitest';
import { factsOf } from '../../../src/explorer/page/about/facts.ts';

// Unlike browsers, Node 20 has no JSON.rawJSON, so no value is a raw number there.
const isOld = !('isRawJSON' in JSON);
if (isOld) Object.assign(JSON, { isRawJSON: () => false });
afterAll(() => void (isOld && Reflect.deleteProperty(JSON, 'isRawJSON')));

test('what the configuration does not say is empty', () => {
  expect(factsOf({})).toEqual({
    ...{ dataset: null, publisher: null, contact: null, licence: null, source: null, keywords: [] },
    ...{ updates: '', issued: '', lastChange: '', period: null, area: null },
  });
});

test('what it says is read', () => {
  const about = {
    publisher: { name: 'Office', email: 'office@example.org' },
    licence: { id: 'CC0-1.0', title: 'CC0', url: 'https://example.org/cc0' },
    source: { title: 'GeoNames' },
    period: { from: '2013-01-01' },
    area: { bbox: [-180, -90, 180, 90], place: 'https://example.org/earth' },
    last_change: '2026-11-27T09:21:00',
  };
  expect(factsOf(about)).toMatchObject({
    publisher: { title: 'Office', url: '', email: 'office@example.org' },
    licence: { title: 'CC0', url: 'https://example.org/cc0', email: '' },
    source: { title: 'GeoNames', url: '', email: '' },
    period: { from: '2013-01-01', to: '' },
    area: { box: ['-180', '-90', '180', '90'], place: 'https://example.org/earth' },
    lastChange: '2026-11-27T09:21:00',
  });
  expect(factsOf({ area: { bbox: [1, 2] } }).area).toEqual({ box: null, place: '' });
});
