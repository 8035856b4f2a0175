/** The contract of the bus: what a gateway with several processes relies on. */
import { expect, test } from 'vitest';
import type { Message } from '../../../src/cache/buses/bus.ts';
import { type Group, type Member, openGroup } from './groups.ts';

const written = (resource: string): Message => ({
  ...{ type: 'written', resource, invalidates: [resource] },
  by: { server: 'db', transactions: [] },
});
const suspend = (id: string): Message => ({ type: 'suspend', id, resource: 'r', invalidates: ['r'] });
const resourcesIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.type === 'written' ? [message.resource] : []));

async function three(group: Group): Promise<readonly [Member, Member, Member]> {
  return [await group.join(), await group.join(), await group.join()];
}

test('resolves a publication, and does not return it to its sender', async () => {
  const member = await openGroup().join();
  await member.bus.publish(written('a'));
  expect(member.received).toEqual([]);
});

test('has delivered a message to all other members when its publication resolves', async () => {
  const [sender, ...others] = await three(openGroup());
  await sender.bus.publish(written('a'));
  expect(sender.received).toEqual([]);
  for (const { received } of others) expect(received).toEqual([written('a')]);
});

test('keeps the messages of a member in order', async () => {
  const [one, two, receiver] = await three(openGroup());
  const names = Array.from({ length: 50 }, (_, nth) => String(nth));
  const sent = names.flatMap((name) => [
    one.bus.publish(written(`one ${name}`)),
    two.bus.publish(written(`two ${name}`)),
  ]);
  await Promise.all(sent);
  const received = resourcesIn(receiver.received);
  for (const sender of ['one', 'two'])
    expect(received.filter((name) => name.startsWith(sender))).toEqual(names.map((name) => `${sender} ${name}`));
});

test('has delivered each of many concurrent messages before its own publication resolves', async () => {
  const [sender, ...others] = await three(openGroup());
  const publish = async (name: string) => {
    await sender.bus.publish(written(name));
    for (const { received } of others) expect(resourcesIn(received)).toContain(name);
  };
  await Promise.all(Array.from({ length: 50 }, (_, nth) => publish(String(nth))));
});

test('ends a silent member, and resolves a publication only then', async () => {
  const [sender, silent, other] = await three(openGroup());
  silent.silence();
  await sender.bus.publish(written('a'));
  expect(silent.hasEnded).toBe(true);
  expect(silent.received).toEqual([]);
  expect(other.received).toContainEqual(written('a'));
});

test('gives a late member the open suspensions before it has joined, and every later message', async () => {
  const group = openGroup();
  const [sender] = await three(group);
  await sender.bus.publish(suspend('over'));
  await sender.bus.publish({ type: 'resume', id: 'over' });
  await sender.bus.publish(suspend('open'));
  const late = await group.join();
  expect(late.received).toEqual([suspend('open')]);
  await sender.bus.publish(written('a'));
  expect(late.received).toEqual([suspend('open'), written('a')]);
});

test('ends the suspensions of a member that has left, when its statements are over', async () => {
  const [leaving, ...others] = await three(openGroup());
  await leaving.bus.publish(suspend('of the one that left'));
  leaving.end();
  const end: readonly Message[] = [
    { type: 'forget' },
    { type: 'resume', id: 'of the one that left' },
    { type: 'forget' },
  ];
  for (const { received } of others)
    await expect.poll(() => received).toEqual([suspend('of the one that left'), ...end]);
});

test('does not wait for members that have left', async () => {
  const [sender, ...others] = await three(openGroup());
  for (const other of others) other.end();
  await expect.poll(() => others.every(({ hasEnded }) => hasEnded)).toBe(true);
  await sender.bus.publish(written('a'));
  for (const { received } of others) expect(resourcesIn(received)).toEqual([]);
});
