/** A single stream: its events, and what a client is told that reads late or gets only a part. */
import { expect, test } from 'vitest';
import { readEventId } from '../../../src/notices/event-ids.ts';
import { type Notes, Subscription } from '../../../src/notices/subscription.ts';

/** A subscription to two resources, the second of which has two names. */
function opened(lastEventId?: string, told: number | null = null) {
  const state = { epoch: 10, isPermitted: true, noticed: 0 };
  const notes: Notes = {
    epochOf: () => state.epoch,
    sealed: (epoch) => `E${epoch}`,
    isPermitted: () => state.isPermitted,
    noticed: (notices) => {
      state.noticed += notices;
    },
  };
  const [a, b] = [{ changedAt: 3 }, { changedAt: 7 }];
  const subscription = new Subscription(notes, readEventId(lastEventId, 'to'), told, 'to');
  subscription.resources = new Map([
    [a, ['a']],
    [b, ['b', 'other']],
  ]);
  return { state, a, b, subscription, text: subscription.text(1000) };
}
/** The ids and names of the events in a text. */
const events = (text: unknown) =>
  [...String(text).matchAll(/^id: (\S+)\nevent: changed\ndata: {"resource_id":"(\w+)","version":(\d+)}\n\n/gm)].map(
    ([, ...found]) => found,
  );
/** The next text of the stream; null while it waits. */
const next = async (text: AsyncGenerator<string, void>) => (await text.next()).value;

test('a client without an id gets every resource; only the last event says that these are all', async () => {
  const { text, state } = opened();
  expect(await next(text)).toBe('retry: 1000\n\n');
  expect(events(await next(text))).toEqual([
    ['1.', 'a', '1'],
    ['2.', 'b', '2'],
    ['3.E10.to', 'other', '3'],
  ]);
  expect(state.noticed).toBe(3);
});

test('a client with an id gets the changes since then, and its counter goes on', async () => {
  const { text } = opened('41.E5.to', 5);
  await next(text);
  expect(events(await next(text))).toEqual([
    ['42.E5.to', 'b', '42'],
    ['43.E10.to', 'other', '43'],
  ]);
});

test('what changes while the client does not read becomes one event', async () => {
  const { text, a, state, subscription } = opened('41.E5.to', 8);
  await next(text);
  const waits = next(text);
  for (let i = 0; i < 1000; i++) {
    state.epoch++;
    a.changedAt = state.epoch;
    subscription.wake();
  }
  expect(events(await waits)).toEqual([['42.E1010.to', 'a', '42']]);
  for (let i = 0; i < 1000; i++) {
    state.epoch++;
    a.changedAt = state.epoch;
    subscription.wake();
  }
  expect(events(await next(text))).toEqual([['43.E2010.to', 'a', '43']]);
  expect(state.noticed).toBe(2);
});

test('nothing is said while permissions are not checked; then all of it', async () => {
  const { text, state, subscription } = opened();
  await next(text);
  state.isPermitted = false;
  const texts: unknown[] = [];
  const waits = next(text).then((value) => texts.push(value));
  subscription.wake();
  await new Promise((resolve) => setImmediate(resolve));
  expect(texts).toEqual([]);
  state.isPermitted = true;
  subscription.wake();
  await waits;
  expect(events(texts[0])).toHaveLength(3);
});

test('it ends whether it waits or not', async () => {
  const [one, two] = [opened(), opened('1.E10.to', 10)];
  await next(one.text);
  one.subscription.end();
  expect((await one.text.next()).done).toBe(true);
  await next(two.text);
  const waits = two.text.next();
  two.subscription.end();
  expect((await waits).done).toBe(true);
});

test('a resource whose change waits delays no other, and no change is sent twice', async () => {
  const { text, a, b, state, subscription } = opened('41.E10.to', 10);
  await next(text);
  // The change of `b` has not been noted yet, so the epoch stays the same.
  const waits = next(text);
  a.changedAt = 11;
  subscription.wake();
  expect(events(await waits)).toEqual([['42.E10.to', 'a', '42']]);
  const later = next(text);
  [b.changedAt, state.epoch] = [11, 12];
  subscription.wake();
  expect(events(await later)).toEqual([
    ['43.E10.to', 'b', '43'],
    ['44.E12.to', 'other', '44'],
  ]);
});
