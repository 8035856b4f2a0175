import { expect, test, vi } from 'vitest';
import { Acknowledgements } from '../../../src/cache/buses/redis/acknowledgements.ts';

const [me, other, third] = [1, 2, 3].map((nth) => `00000000-0000-0000-0000-00000000000${nth}`);
if (me === undefined || other === undefined || third === undefined) throw new Error('no names');

test('entries wait once for the lease of a member that does not answer, and again when it is renewed', async () => {
  const acks = new Acknowledgements(me);
  const members = new Map([me, other, third].map((name) => [name, 1000]));
  const awaited = (id: string, lease: number) =>
    acks.untilHeard(id, new Map(members), { lease, members: () => members, trusted: () => 0, waits: () => undefined });
  const ack = (id: string) => acks.hear([['1-0', ['by', third, 'heard', id]]]);
  ack('1-0');
  const first = await awaited('1-0', 30);
  expect(first?.get(other)).toBe(1000);
  // So does an entry that was sent meanwhile.
  const second = awaited('2-0', 60_000);
  ack('2-0');
  acks.waitedOut(first ?? new Map(), members);
  expect(await second).toBeNull();
  members.set(other, 1250);
  ack('3-0');
  const renewed = await awaited('3-0', 30);
  expect(renewed?.get(other)).toBe(1250);
  acks.waitedOut(renewed ?? new Map(), new Map(members).set(other, 1500));
  ack('4-0');
  expect(await awaited('4-0', 30)).not.toBeNull();
});

test('an entry that waits for a twentieth of a lease says so', async () => {
  const acks = new Acknowledgements(me);
  const members = new Map([[other, 1000]]);
  const waits = vi.fn();
  const heard = acks.untilHeard('1-0', members, { lease: 200, members: () => members, trusted: () => 0, waits });
  expect(waits).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(waits).toHaveBeenCalled());
  acks.hear([['1-0', ['by', other, 'heard', '1-0']]]);
  expect(await heard).toBeNull();
});

test('an entry waits longer where the clock of the server is set forward meanwhile: not every holder is registered then', async () => {
  const acks = new Acknowledgements(me);
  let trusted = 0;
  const members = new Map([[other, 1000]]);
  const of = { trusted: () => trusted, waits: () => undefined };
  const waiting = acks.untilHeard('1-0', members, { lease: 60_000, members: () => members, ...of });
  members.delete(other);
  trusted = performance.now() + 50;
  acks.recheck();
  expect(await waiting).toBeNull();
  expect(performance.now()).toBeGreaterThanOrEqual(trusted);
});
