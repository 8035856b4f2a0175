import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
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
  type StreamMessage,
} from '../../../src/cache/buses/redis/messages.ts';
import { OwnSuspensions } from '../../../src/cache/buses/redis/own-suspensions.ts';
import { type Look, Suspensions } from '../../../src/cache/buses/redis/suspensions.ts';
import { momentNow } from '../../../src/values/clocks.ts';
import { atOnce } from '../../../src/values/slices.ts';

const member = '0a1b2c3d-0000-4000-8000-0123456789ab';
const messages: readonly StreamMessage[] = [
  { type: 'suspend', id: 'a', resource: 'r', invalidates: ['s "t"'], lasts: 12_000 },
  { type: 'written', resource: 'r', invalidates: [], by: { server: 's', transactions: ['7'] } },
  { type: 'resume', id: 'a' },
  { type: 'forget' },
  { type: 'again', names: [member] },
  { type: 'ask', id: 'a', names: [member] },
];
const texts = messages.map((message) => JSON.stringify(message));

test('an entry is read as it was written', () => {
  const fields = fieldsOf(member, 3, true, texts);
  expect(readEntry(['5-0', fields])).toEqual({ id: '5-0', from: member, nth: 3, isAwaited: true, messages });
});

test('a suspension is kept until it has ended', () => {
  const kept = `${member} ${texts[0]}`;
  const earlier = ['former', 'last'];
  const removed = earlier.map((name) => `${name} a`);
  expect([[], earlier].map((names) => keeping('k', member, messages, texts, () => names))).toEqual([
    [
      ['HSET', 'k', `${member} a`, kept],
      ['HDEL', 'k', `${member} a`],
    ],
    [
      ['HSET', 'k', `${member} a`, kept],
      ['HDEL', 'k', ...removed],
      ['HDEL', 'k', ...removed, `${member} a`],
    ],
  ]);
  const nobodys = [{ type: 'resume', id: '' } as const];
  expect(keeping('k', member, nobodys, [''], () => earlier)).toEqual([]);
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
    [['5-0', fields({ messages: '[{"type":"suspend","id":1,"resource":"r","invalidates":[],"lasts":1}]' })]],
    [['5-0', fields({ messages: '[{"type":"suspend","id":"a","resource":"r","invalidates":[]}]' })]],
    [['5-0', fields({ messages: '[{"type":"suspend","id":"a","resource":"r","invalidates":[],"lasts":-1}]' })]],
    [['5-0', fields({ messages: '[{"type":"suspend","id":"a","resource":"r","invalidates":[],"lasts":1e999}]' })]],
    [['5-0', fields({ messages: '[{"type":"suspend","id":"a","resource":"r","invalidates":[],"lasts":null}]' })]],
    [['5-0', fields({ messages: '[{"type":"ask","id":"a","names":["b"]}]' })]],
    [['5-0', fields({ messages: JSON.stringify([{ type: 'resume', id: 'a'.repeat(101) }]) })]],
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

const suspension = { type: 'suspend', id: 's', resource: 'r', invalidates: [], lasts: 0 } as const;

test('no more suspensions are kept than there can be', () => {
  let delivered = 0;
  const none = { has: () => false, wasNamed: () => false, isNamed: () => false, answer: () => undefined };
  const suspensions = new Suspensions(none, () => {
    delivered++;
  });
  const suspend = (nth: number) => suspensions.hear(member, { ...suspension, id: `${nth}` });
  for (let nth = 0; nth < mostSuspensions; nth++) suspend(nth);
  expect(() => suspend(mostSuspensions)).toThrow('that no gateway has written');
  expect(delivered).toBe(mostSuspensions);
  atOnce(suspensions.replace([], true));
  suspend(0);
});

describe('a suspension goes on', () => {
  const [first, second, third] = ['a', 'b', 'c'];
  const none: Look = { members: new Set(), asked: 0, trusted: 0, listed: [] };
  /** The first look shows that members are gone, a later one for how long. */
  const endLeft = (suspensions: Suspensions, ...members: string[]) =>
    [1, 2]
      .map(() => atOnce(suspensions.endLeft({ ...none, members: new Set(members), asked: performance.now() })))
      .flatMap((left) => [...left.keys()]);
  const opened = () => {
    const delivered: string[] = [];
    const answered: string[] = [];
    const own = {
      has: (id: string) => id === 'mine',
      wasNamed: (name: string) => name === 'me',
      isNamed: (name: string) => name === 'me' || name === 'now',
      answer: (id: string) => void answered.push(id),
    };
    const suspensions = new Suspensions(own, ({ type }) => void delivered.push(type));
    return { delivered, answered, suspensions };
  };

  test('where what its process has sent under an earlier name comes late', () => {
    const { delivered, suspensions } = opened();
    suspensions.hear(second, suspension);
    suspensions.hear(first, suspension);
    expect(endLeft(suspensions, second)).toEqual([]);
    suspensions.hear(second, { type: 'again', names: [first] });
    expect(delivered).toEqual(['suspend']);
    expect(endLeft(suspensions)).toEqual(['s']);
  });

  test('no longer than for a renewal, however many end together', () => {
    const { delivered, suspensions } = opened();
    for (let nth = 0; nth < 700; nth++) suspensions.hear(first, { ...suspension, id: `${nth}` });
    expect(endLeft(suspensions).length).toBe(500);
    expect(endLeft(suspensions).length).toBe(200);
    expect(delivered.filter((type) => type === 'resume').length).toBe(700);
  });

  test('for as long as its process has said, from when that is gone', () => {
    const { suspensions } = opened();
    suspensions.hear(first, { ...suspension, lasts: 60_000 });
    expect(endLeft(suspensions)).toEqual([]);
    suspensions.hear(first, suspension);
    expect(endLeft(suspensions)).toEqual(['s']);
  });

  test('while a member may have a lease that is not registered, or an answer is late', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { suspensions } = opened();
      suspensions.hear(first, { ...suspension, lasts: 100 });
      const ended = (asked: number, trusted = 50) => [...atOnce(suspensions.endLeft({ ...none, asked, trusted }))];
      expect(ended(0)).toEqual([]);
      vi.advanceTimersByTime(300);
      expect(ended(149)).toEqual([]);
      // The server has lost its data since.
      expect([ended(150, 60), ended(159, 60)]).toEqual([[], []]);
      expect(ended(160)).toEqual([['s', [first]]]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('of a process that is listed under another name before it is looked for', () => {
    const { delivered, suspensions } = opened();
    suspensions.hear(first, suspension);
    expect(endLeft(suspensions, first)).toEqual([]);
    expect(endLeft(suspensions)).toEqual(['s']);
    suspensions.hear(first, suspension);
    const listed = [second, third].map((from, nth) => ({
      from,
      suspension: { ...suspension, id: ['s', 't'][nth] ?? '' },
    }));
    for (const asked of [0, performance.now() + 1000])
      expect(atOnce(suspensions.endLeft({ ...none, members: new Set([second]), asked, listed })).size).toBe(0);
    expect(delivered).toEqual(['suspend', 'resume', 'suspend']);
  });

  test.each(['heard', 'heard of another', 'listed'])('from anew where it is published again, and that is %s', (how) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { suspensions } = opened();
      const lasting = { ...suspension, lasts: 100 };
      suspensions.hear(first, lasting);
      expect(endLeft(suspensions)).toEqual([]);
      vi.advanceTimersByTime(200);
      // It is of a member that the last answer of the server did not list yet.
      if (how !== 'listed') suspensions.hear(how === 'heard' ? first : second, lasting);
      else atOnce(suspensions.replace([{ from: second, suspension: lasting }], true));
      expect(endLeft(suspensions)).toEqual([]);
      vi.advanceTimersByTime(200);
      expect(endLeft(suspensions)).toEqual(['s']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('at a server that has lost it, until its process has answered or joined again without it', () => {
    for (const end of [
      { type: 'again', names: [first, second] },
      { type: 'resume', id: 's' },
    ] as const) {
      const { delivered, suspensions } = opened();
      suspensions.hear(first, suspension);
      const question = { type: 'ask', id: 's', names: [first] };
      // That the same server does not list it later, either, shows nothing.
      for (const isSame of [false, true]) {
        atOnce(suspensions.replace([], isSame));
        expect(atOnce(suspensions.questions(new Set([first])))).toEqual([question]);
      }
      expect(delivered).toEqual(['suspend']);
      suspensions.hear(third, end);
      expect(delivered).toEqual(['suspend', 'resume']);
    }
  });

  test('at a server that lists it, which may have lost its end: it asks', () => {
    const { delivered, suspensions } = opened();
    const kept = [{ from: first, suspension }];
    const question = { type: 'ask', id: 's', names: [first] };
    // The list is that of another server, and so is what has left it since.
    for (const [list, isSame] of [
      [kept, false],
      [kept, true],
      [[], true],
    ] as const) {
      atOnce(suspensions.replace(list, isSame));
      expect(atOnce(suspensions.questions(new Set([first])))).toEqual([question]);
    }
    suspensions.hear(first, suspension);
    expect(atOnce(suspensions.questions(new Set([first])))).toEqual([]);
    atOnce(suspensions.replace([], true));
    expect(delivered).toEqual(['suspend', 'resume']);
  });

  test('under a name that is gone: its process may have another one, and has not said that it ended', () => {
    const { suspensions } = opened();
    atOnce(suspensions.replace([{ from: first, suspension }], true));
    expect(atOnce(suspensions.questions(new Set([first])))).toEqual([]);
    expect(atOnce(suspensions.questions(new Set([second])))).toEqual([{ type: 'ask', id: 's', names: [first] }]);
  });

  test('and a question about it names the last three of its members', () => {
    const { suspensions } = opened();
    for (let nth = 0; nth < 5; nth++) suspensions.hear(`${nth}`, suspension);
    expect(atOnce(suspensions.questions(new Set()))).toEqual([{ type: 'ask', id: 's', names: ['2', '3', '4'] }]);
  });

  test('as that of its last members only, however many names are written for it', () => {
    const { suspensions } = opened();
    for (let nth = 0; nth <= mostNames; nth++) suspensions.hear(`${nth}`, suspension);
    expect(endLeft(suspensions, '1')).toEqual([]);
    expect(endLeft(suspensions, '0')).toEqual(['s']);
  });

  test('for its own process, which is asked', () => {
    const { delivered, answered, suspensions } = opened();
    for (const names of [['other'], ['other', 'me'], ['now']]) suspensions.hear(first, { type: 'ask', id: 's', names });
    expect([delivered, answered]).toEqual([[], ['s', 's']]);
  });

  test('for its own process, which hears what it has sent before', () => {
    const { delivered, answered, suspensions } = opened();
    suspensions.hear('me', suspension);
    atOnce(suspensions.replace([{ from: 'me', suspension: { ...suspension, id: 't' } }], false));
    expect([delivered, answered]).toEqual([[], ['s', 't']]);
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

test('however many ask about a suspension, its process answers once; what it cannot publish it says when it joins again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const published: string[] = [];
    let isMember = true;
    const own = new OwnSuspensions(({ type }) => {
      if (isMember) published.push(type);
      return isMember;
    });
    const begun = own.begin({ type: 'suspend', id: 's', resource: 'r', invalidates: [] }, 12_000);
    expect(begun).toEqual({ ...suspension, lasts: 12_000 });
    for (let nth = 0; nth < 100; nth++) for (const id of ['s', 'over']) own.answer(id);
    expect(published).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(published).toEqual(['suspend', 'resume']);
    isMember = false;
    own.answer('over');
    vi.advanceTimersByTime(100);
    own.joined('a');
    own.left('a');
    expect(own.afterJoin()).toEqual([begun, { type: 'resume', id: 'over' }, { type: 'again', names: ['a'] }]);
    await own.end('s', async () => {
      own.answer('s');
      isMember = true;
      vi.advanceTimersByTime(100);
    });
    expect([published.at(-1), own.has('s'), own.isNamed('a')]).toEqual(['resume', false, true]);
  } finally {
    vi.useRealTimers();
  }
});

test('a suspension may be kept under each name that its process has had since it began, up to 100', () => {
  const own = new OwnSuspensions(() => true);
  own.left('before');
  const begin = () => own.begin({ type: 'suspend', id: 's', resource: 'r', invalidates: [] }, 0);
  begin();
  expect(own.namesOf('s')).toEqual([]);
  for (const name of ['a', 'b']) own.left(name);
  // It is announced again.
  begin();
  expect([own.namesOf('s'), own.namesOf('over')]).toEqual([
    ['a', 'b'],
    ['before', 'a', 'b'],
  ]);
  for (let nth = 0; nth < mostNames; nth++) own.left(`${nth}`);
  expect([own.namesOf('s').length, own.namesOf('s')[0]]).toEqual([mostNames, '0']);
});
