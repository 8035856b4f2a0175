import { expect, test } from 'vitest';
import { changed, heartbeat, retryAfter } from '../../../src/reply/event-stream.ts';

test('an event is four lines and an empty one, whatever the name of the resource', () => {
  for (const name of ['films', 'a"b\\c', 'a\r\ndata: forged\n\n', 'a\u2028b\u0000', '\ud800']) {
    const text = changed(name, 7, '7.sealed');
    const lines = text.split(/\r\n|\r|\n/);
    expect([lines.length, ...lines.map((line) => line.split(':')[0])]).toEqual([5, 'id', 'event', 'data', '', '']);
    expect(JSON.parse(lines[2]?.slice(6) ?? '')).toEqual({ resource_id: name, version: 7 });
  }
});

test('a comment and the time to wait are no events', () => {
  expect([heartbeat, retryAfter(1234.5)]).toEqual([':\n\n', 'retry: 1235\n\n']);
});
