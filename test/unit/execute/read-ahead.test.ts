import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ReadAhead } from '../../../src/execute/dump/read-ahead.ts';
import { Spool } from '../../../src/execute/dump/spool.ts';

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterAll(() => {
  vi.useRealTimers();
});
/** The spool ticks once a second. */
const aSecondLater = () => vi.advanceTimersByTime(1000);

const megabyte = 1_000_000;
/** Bytes of a download that may wait in memory. */
const inMemory = 9 * megabyte;

/** A source of one-megabyte pieces, each filled with its number. It records how many were requested. */
function sourceOf(count: number) {
  const read = { pieces: 0, hasEnded: false };
  async function* pieces() {
    try {
      for (; read.pieces < count; ) {
        read.pieces++;
        // A real database sends through a socket, so each piece takes a turn of the event loop.
        await turn();
        yield Buffer.alloc(megabyte, read.pieces);
      }
    } finally {
      read.hasEnded = true;
    }
  }
  return { read, pieces: pieces() };
}

function open(spool: Spool, count: number, bytesPerSecond = megabyte) {
  const slow: number[] = [];
  const ahead = new ReadAhead(spool, { bytesPerSecond, onTooSlow: (seconds) => slow.push(seconds) });
  const { read, pieces } = sourceOf(count);
  const filled = ahead.fill(pieces);
  return { ahead, read, slow, filled, taken: ahead.pieces() };
}

/** Waits until files are written and the source is read as far as allowed. */
const settle = (isDone: () => boolean) => expect.poll(isDone, { interval: 1 }).toBe(true);

/** Reads the rest, and returns the numbers of its pieces. */
async function numbers(taken: AsyncIterable<Uint8Array>): Promise<readonly number[]> {
  const all: Uint8Array[] = [];
  for await (const piece of taken) all.push(piece);
  const bytes = Buffer.concat(all);
  return Array.from({ length: bytes.length / megabyte }, (_, nth) => {
    const piece = bytes.subarray(nth * megabyte, (nth + 1) * megabyte);
    const [first = 0] = piece;
    return piece.equals(Buffer.alloc(megabyte, first)) ? first : Number.NaN;
  });
}
const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);
const files = () => readdirSync(tmpdir()).filter((name) => name.startsWith('datastore-gateway-'));

test('a source is read to its end while the client takes nothing, and the bytes come in their order', async () => {
  const spool = new Spool(100 * megabyte);
  const { read, taken, filled } = open(spool, 50);
  await settle(() => read.hasEnded);
  expect(spool.bytes).toBeGreaterThan(50 * megabyte - inMemory);
  expect(files()).toEqual([]);
  expect(await numbers(taken)).toEqual(upTo(50));
  await filled;
  expect(spool.bytes).toBe(0);
});

test('a client that keeps pace needs no file', async () => {
  const spool = new Spool(100 * megabyte);
  let most = 0;
  const { ahead, filled, taken } = open(spool, 50);
  const seen: number[] = [];
  for await (const piece of taken) {
    seen.push(piece[0] ?? 0);
    most = Math.max(most, spool.bytes);
  }
  await filled;
  expect([seen, most, ahead.isBlocked]).toEqual([upTo(50), 0, false]);
});

test('what a client has not taken a second after the last byte leaves memory, too, and then the place is free', async () => {
  const spool = new Spool(100 * megabyte);
  const { read, taken, filled } = open(spool, 5);
  let isFree = false;
  filled.then(() => {
    isFree = true;
  });
  await settle(() => read.hasEnded);
  for (let nth = 0; nth < 100; nth++) await turn();
  expect([isFree, spool.bytes]).toEqual([false, 0]);
  aSecondLater();
  await settle(() => isFree);
  expect(spool.bytes).toBe(5 * megabyte);
  expect(await numbers(taken)).toEqual(upTo(5));
});

test('where the spool is full the source waits, and a slow client is cut off after ten seconds, a fast one is not', async () => {
  const spool = new Spool(20 * megabyte);
  const fast = open(spool, 1000);
  const slow = open(spool, 1000);
  await settle(() => fast.ahead.isBlocked && slow.ahead.isBlocked);
  for (let second = 0; second < 10; second++) {
    for (let nth = 0; nth < 10; nth++) await fast.taken.next();
    expect(slow.slow).toEqual([]);
    await settle(() => fast.ahead.isBlocked);
    aSecondLater();
  }
  expect([fast.slow, slow.slow]).toEqual([[], [10]]);
  const before = fast.read.pieces;
  slow.ahead.close(new Error('cut'));
  await expect(slow.taken.next()).rejects.toThrow('cut');
  aSecondLater();
  await settle(() => fast.read.pieces > before);
  fast.ahead.close(null);
  expect(spool.bytes).toBe(0);
});

test('a download that is on disk as a whole is cut off for its slow client while another one has no room', async () => {
  const spool = new Spool(20 * megabyte);
  const whole = open(spool, 15);
  await settle(() => whole.read.hasEnded);
  aSecondLater();
  await settle(() => spool.bytes === 15 * megabyte);
  for (let second = 0; second < 20; second++) aSecondLater();
  expect(whole.slow).toEqual([]);
  const other = open(spool, 1000);
  await settle(() => other.ahead.isBlocked);
  aSecondLater();
  expect(whole.slow).toEqual([10]);
  whole.ahead.close(null);
  other.ahead.close(null);
});

test('many small downloads take no more files than large ones', async () => {
  const spool = new Spool(40 * megabyte);
  const all = Array.from({ length: 6 }, () => open(spool, 1));
  const blocked = () => all.filter(({ ahead }) => ahead.isBlocked);
  await settle(() => {
    aSecondLater();
    return spool.bytes === 5 * megabyte && blocked().length === 1;
  });
  all.find(({ ahead }) => !ahead.isBlocked)?.ahead.close(null);
  await settle(() => {
    aSecondLater();
    return spool.bytes === 5 * megabyte && blocked().length === 0;
  });
  for (const { ahead } of all) ahead.close(null);
});

test('a client that waits for its source is not slow', async () => {
  const spool = new Spool(0);
  const blocked = open(spool, 100, 0);
  await settle(() => blocked.ahead.isBlocked);
  let give: () => void = () => undefined;
  async function* late() {
    await new Promise<void>((resolve) => {
      give = resolve;
    });
    yield Buffer.alloc(10 * megabyte);
    yield Buffer.alloc(megabyte);
  }
  const slow: number[] = [];
  const ahead = new ReadAhead(spool, { bytesPerSecond: megabyte, onTooSlow: (seconds) => slow.push(seconds) });
  void ahead.fill(late());
  const taken = ahead.pieces();
  const first = taken.next();
  for (let second = 0; second < 15; second++) aSecondLater();
  give();
  await first;
  for (let second = 0; second < 9; second++) aSecondLater();
  expect(slow).toEqual([]);
  ahead.close(null);
  blocked.ahead.close(null);
});

test('where nothing can be written the spool is full, and says why', async () => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = '/there/is/no/such/folder';
  try {
    const spool = new Spool(100 * megabyte);
    const { ahead, taken, slow } = open(spool, 30);
    await settle(() => ahead.isBlocked);
    expect([spool.bytes, String(spool.error)]).toEqual([0, expect.stringContaining('ENOENT')]);
    for (let second = 0; second < 10; second++) {
      aSecondLater();
      await turn();
      await settle(() => ahead.isBlocked);
    }
    expect(slow).toEqual([10]);
    expect(await numbers(taken)).toEqual(upTo(30));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

test('an error of the source reaches the client, and gives the room back', async () => {
  const spool = new Spool(100 * megabyte);
  async function* broken() {
    for (let nth = 0; nth < 20; nth++) yield Buffer.alloc(megabyte);
    throw new Error('the session has ended');
  }
  const ahead = new ReadAhead(spool, { bytesPerSecond: 0, onTooSlow: () => undefined });
  await ahead.fill(broken());
  await expect(numbers(ahead.pieces())).rejects.toThrow('the session has ended');
  expect(spool.bytes).toBe(0);
});

test('closing while a file is written or read leaves nothing', async () => {
  for (let nth = 0; nth < 8; nth++) {
    const spool = new Spool(100 * megabyte);
    const { ahead, taken } = open(spool, 40);
    for (let time = 0; time < nth * 8; time++) await turn();
    const pending = taken.next().catch(() => undefined);
    ahead.close(new Error('cut'));
    await pending;
    await settle(() => spool.bytes === 0);
  }
});
