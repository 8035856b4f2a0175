import { expect, test } from 'vitest';
import { sealing } from '../../../src/app/seal.ts';
import { eventId, hashOfResources, openEpoch, readEventId, sealEpoch } from '../../../src/notices/event-ids.ts';

const [own, other] = [sealing('a secret'), sealing('another secret')];

test('an id comes back as it was sent, and shows no epoch', () => {
  const sealed = sealEpoch(own, 'process', 4711);
  const to = hashOfResources(['a', 'b']);
  const text = eventId({ notices: 12, sealed }, to);
  expect(text).toMatch(/^12\.[\w-]+\.[\w-]+$/);
  expect(text.length).toBeLessThan(130);
  expect(text).not.toContain('4711');
  expect(readEventId(text, hashOfResources(['b', 'a']))).toEqual({ notices: 12, sealed });
  expect(openEpoch(own, 'process', sealed)).toBe(4711);
});

test('the id of a stream of other resources says nothing but the counter', () => {
  const text = eventId({ notices: 12, sealed: 'E' }, hashOfResources(['a']));
  for (const others of [['b'], ['a', 'b'], []])
    expect(readEventId(text, hashOfResources(others))).toEqual({ notices: 12, sealed: '' });
});

test('the epoch of another process, under another secret, or with a changed character is not known', () => {
  const sealed = sealEpoch(own, 'process', 4711);
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
  expect(openEpoch(own, 'another', sealed)).toBeNull();
  expect(openEpoch(other, 'process', sealed)).toBeNull();
  expect(openEpoch(own, 'process', changed)).toBeNull();
  expect(openEpoch(own, 'process', own.seal('process 4711', 'cursor'))).toBeNull();
  expect(openEpoch(own, 'process', '')).toBeNull();
});

test('what no gateway has sent is like none', () => {
  const none = { notices: 0, sealed: '' };
  const texts = [
    undefined,
    '',
    'x',
    '1',
    '1.a b',
    '-1.',
    '1e3.',
    '1.\r\nid: 2',
    `1.${'A'.repeat(201)}.to`,
    '1'.repeat(16),
  ];
  for (const text of texts) expect(readEventId(text, 'to')).toEqual(none);
});
