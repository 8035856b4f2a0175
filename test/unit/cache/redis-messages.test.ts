import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/cache/buses/bus.ts';
import { isReached, Lease } from '../../../src/cache/buses/redis/lease.ts';
import {
  fieldsOf,
  keeping,
  mostCharacters,
  mostCounters,
  mostNames,
  mostSuspensions,
  readEntry,
  readKept,
} from '../../../src/cache/buses/redis/messages.ts';
import { Suspensions } from '../../../src/cache/buses/redis/suspensions.ts';
import { momentNow } from '../../../src/values/clocks.ts';

const member = '0a1b2c3d-0000-4000-8000-0123456789ab';
const messages: readonly Message[] = [
  { type: 'suspend', id: 'a', resource: 'r', invalidates: ['s "t"'] },
  { type: 'written', resource: 'r', invalidates: [], by: { server: 's', transactions: ['7'] } },
  { type: 'resume', id: 'a' },
  { type: 'forget' },
];
const texts = messages.map((message) => JSON.stringify(message));

test('an entry is read as it was written', () => {
  const fields = fieldsOf(member, 3, true, texts);
  expect(readEntry(['5-0', fields])).toEqual({ id: '5-0', from: member, nth: 3, isAwaited: true, messages });
});

test('a suspension is kept until it has ended', () => {
  const kept = `${member} ${texts[0]}`;
  expect(keeping('k', member, messages, texts)).toEqual([
    ['HSET', 'k', 'a', kept],
    ['HDEL', 'k', 'a'],
  ]);
  expect(readKept(kept)).toEqual({ from: member, suspension: messages[0] });
});

describe('what no gateway has written is refused', () => {
  const fields = (more: Record<string, string>) =>
    Object.entries({ from: member, nth: '1', awaited: '0', messages: '[]', ...more }).flat();
  test.each([
    [null],
    [['5-0']],
    [['5-0', []]],
    [['5-0', ['from']]],
    [['5-0', fields({ from: `${member}:news` })]],
    [['5-0', fields({ nth: '1e3' })]],
    [['5-0', fields({ messages: '{' })]],
    [['5-0', fields({ messages: '{}' })]],
    [['5-0', fields({ messages: '[null]' })]],
    [['5-0', fields({ messages: '[{"type":"other"}]' })]],
    [['5-0', fields({ messages: '[{"type":"again","names":[1]}]' })]],
    [['5-0', fields({ messages: JSON.stringify([{ type: 'again', names: Array(mostNames + 1).fill('a') }]) })]],
    [['5-0', fields({ messages: '[{"type":"suspend","id":1,"resource":"r","invalidates":[]}]' })]],
    [['5-0', fields({ messages: '[{"type":"written","resource":"r","invalidates":[],"by":null}]' })]],
    [
      [
        '5-0',
        fields({
          messages: '[{"type":"written","resource":"r","invalidates":[7],"by":{"server":"s","transactions":[]}}]',
        }),
      ],
    ],
    [['5-0', fields({ messages: `[${' '.repeat(mostCharacters)}]` })]],
    [
      [
        '5-0',
        fields({ messages: JSON.stringify([{ ...messages[0], invalidates: Array(mostCounters + 1).fill('t') }]) }),
      ],
    ],
    [
      [
        '5-0',
        fields({ messages: JSON.stringify([{ ...messages[1], invalidates: Array(mostCounters + 1).fill('t') }]) }),
      ],
    ],
  ])('%j', (entry) => expect(() => readEntry(entry)).toThrow('that no gateway has written'));

  test('whatever it is', () => {
    const refused = (read: () => unknown) => {
      try {
        read();
      } catch (error) {
        expect(String(error)).toContain('that no gateway has written');
      }
    };
    fc.assert(
      fc.property(fc.anything(), fc.json(), (entry, text) => {
        refused(() => readEntry(entry));
        refused(() => readEntry(['5-0', fields({ messages: text })]));
        refused(() => readKept(text));
      }),
    );
  });

  test('a suspension that is none', () => {
    for (const text of [null, '', texts[0], `${member} ${texts[3]}`, `x ${texts[0]}`])
      expect(() => readKept(text)).toThrow('that no gateway has written');
  });
});

test('no more suspensions are kept than there can be', () => {
  let delivered = 0;
  const none = { has: () => false, wasNamed: () => false, echoed: () => undefined };
  const suspensions = new Suspensions(none, () => {
    delivered++;
  });
  const suspend = (nth: number) =>
    suspensions.hear(member, { type: 'suspend', id: `${nth}`, resource: 'r', invalidates: [] });
  for (let nth = 0; nth < mostSuspensions; nth++) suspend(nth);
  expect(() => suspend(mostSuspensions)).toThrow('that no gateway has written');
  expect(delivered).toBe(mostSuspensions);
  suspensions.replace([], true, new Map());
  suspend(0);
});

describe('a suspension goes on', () => {
  const [first, second, third] = ['a', 'b', 'c'];
  const suspension: Message = { type: 'suspend', id: 's', resource: 'r', invalidates: [] };
  const opened = () => {
    const delivered: string[] = [];
    const echoes: string[] = [];
    const own = { has: () => false, wasNamed: (name: string) => name === 'me', echoed: () => void echoes.push('s') };
    const suspensions = new Suspensions(own, ({ type }) => void delivered.push(type));
    return { delivered, echoes, suspensions };
  };

  test('where what its process has sent under an earlier name comes late', () => {
    const { delivered, suspensions } = opened();
    suspensions.hear(second, suspension);
    suspensions.hear(first, suspension);
    expect(suspensions.endOver(new Map([[second, 1]]), 0)).toEqual([]);
    suspensions.hear(second, { type: 'again', names: [first] });
    expect(delivered).toEqual(['suspend']);
    expect(suspensions.endOver(new Map(), 0)).toEqual(['s']);
  });

  test('no longer than for a renewal, however many end together', () => {
    const { delivered, suspensions } = opened();
    for (let nth = 0; nth < 700; nth++) suspensions.hear(first, { ...suspension, id: `${nth}` });
    expect(suspensions.endOver(new Map(), 0).length).toBe(500);
    expect(suspensions.endOver(new Map(), 0).length).toBe(200);
    expect(delivered.filter((type) => type === 'resume').length).toBe(700);
  });

  test('nor are more ended together because their member is back', () => {
    const { delivered, suspensions } = opened();
    for (let nth = 0; nth < 700; nth++) suspensions.hear(first, { ...suspension, id: `${nth}` });
    suspensions.replace([], false, new Map([[first, 1]]));
    suspensions.endOver(new Map([[first, 2]]), 0);
    expect(delivered.filter((type) => type === 'resume').length).toBe(500);
  });

  test('at a server that has lost it, until its process has joined again without it', () => {
    const { delivered, suspensions } = opened();
    suspensions.hear(first, suspension);
    suspensions.replace([], false, new Map());
    // That the same server does not list it later, either, shows nothing.
    suspensions.replace([], true, new Map());
    expect(delivered).toEqual(['suspend']);
    suspensions.hear(third, { type: 'again', names: [first, second] });
    expect(delivered).toEqual(['suspend', 'resume']);
  });

  test('at a server that may have lost it, until its member renews the registration there', () => {
    const { delivered, suspensions } = opened();
    suspensions.hear(first, suspension);
    const look = new Map([[first, 1000]]);
    suspensions.replace([], false, look);
    suspensions.endOver(look, 60_000);
    expect(delivered).toEqual(['suspend']);
    expect(suspensions.endOver(new Map([[first, 1250]]), 60_000)).toEqual([]);
    expect(delivered).toEqual(['suspend', 'resume']);
  });

  test('as that of its last members only, however many names are written for it', () => {
    const { suspensions } = opened();
    for (let nth = 0; nth <= mostNames; nth++) suspensions.hear(`${nth}`, suspension);
    expect(suspensions.endOver(new Map([['1', 1]]), 0)).toEqual([]);
    expect(suspensions.endOver(new Map([['0', 1]]), 0)).toEqual(['s']);
  });

  test('for its own process, which hears what it has sent before', () => {
    const { delivered, echoes, suspensions } = opened();
    suspensions.hear('me', suspension);
    expect([delivered, echoes]).toEqual([[], ['s']]);
  });
});

test('ids of a stream are compared by their numbers', () => {
  expect(isReached('10-0', '9-5')).toBe(true);
  expect(isReached('9-5', '9-10')).toBe(false);
  expect(isReached('9-10', '9-10')).toBe(true);
  expect(isReached('18446744073709551615-1', '18446744073709551615-2')).toBe(false);
  expect(isReached('', '0-1')).toBe(false);
});

describe('a lease', () => {
  test('begins when all is heard that was there when it was asked for', () => {
    const lease = new Lease(1000);
    expect(lease.isHeld()).toBe(false);
    lease.answered(momentNow(), '7-0', '6-9');
    expect([lease.isHeld(), lease.isSettled]).toEqual([false, false]);
    lease.heard('7-0');
    expect([lease.isHeld(), lease.isSettled]).toEqual([true, true]);
    lease.end();
    expect(lease.isHeld()).toBe(false);
  });

  test('counts from when it was asked for', () => {
    const lease = new Lease(1000);
    const { at, offset } = momentNow();
    lease.answered({ at: at - 1001, offset }, '7-0', '7-0');
    expect(lease.isHeld()).toBe(false);
  });

  test.each([10_000, -10_000])(
    'is not trusted where the wall clock went %i ms by itself, as after a pause of the machine',
    (step) => {
      const lease = new Lease(1000);
      const { at, offset } = momentNow();
      lease.answered({ at, offset: offset - step }, '7-0', '7-0');
      expect(lease.isHeld()).toBe(false);
    },
  );
});
