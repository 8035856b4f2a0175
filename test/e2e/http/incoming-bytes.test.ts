import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { IncomingBytes } from '../../../src/accept/incoming-bytes.ts';
import type { Limits } from '../../../src/accept/limits.ts';
import type { GatewayServer } from '../../../src/accept/server.ts';
import type { ServerOptions } from '../../../src/accept/server-options.ts';
import { dial, pause, raw, serve, text } from '../../support/http-server.ts';

const running: GatewayServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(0)));
});
async function start(answer: ServerOptions['answer'], limits: Partial<Limits>, more: Partial<ServerOptions> = {}) {
  const { server, port } = await serve(answer, limits, more);
  running.push(server);
  return { port, held: () => server.levels().incomingBytes };
}
const length: ServerOptions['answer'] = async (request) =>
  text(`<${(await request.body({ bytes: 1000, setting: 'bodyBytes' })).length}>`);
const post = (bytes: number, ...headers: string[]) =>
  ['POST /x HTTP/1.1', 'Host: h', `Content-Length: ${bytes}`, ...headers, '', ''].join('\r\n');
const chunked = 'POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n';
const busy = /^HTTP\/1\.1 503 [\s\S]*Connection: close\r\n[\s\S]*\(limits\.incomingBytes\)/;

const steps = fc.array(
  fc.record({
    does: fc.constantFrom('open', 'add', 'add', 'add', 'end', 'forget', 'close'),
    nth: fc.nat(4),
    bytes: fc.nat(60),
  }),
  { maxLength: 60 },
);

test('over the bound the body that has stood still longest is refused, and the bound is kept', () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const counter = new IncomingBytes(100);
      /** A model of the bodies held in memory. The incomplete ones are in the order of their last bytes. */
      let open: { readonly name: number; bytes: number; state: 'new' | 'growing' | 'whole' }[] = [];
      const refused: number[] = [];
      const bodies: { readonly res: ServerResponse; readonly counted: ReturnType<IncomingBytes['open']> }[] = [];
      for (const { does, nth, bytes } of steps) {
        if (does === 'open') {
          const name = bodies.length;
          const res = new ServerResponse(new IncomingMessage(new Socket()));
          bodies.push({ res, counted: counter.open(res, () => void refused.push(name)) });
          open.push({ name, bytes: 0, state: 'new' });
          continue;
        }
        const body = bodies[nth];
        const one = open.find(({ name }) => name === nth);
        if (body === undefined) continue;
        if (does === 'add' && one?.state !== 'whole') {
          const expected: number[] = [];
          if (one !== undefined) {
            one.bytes += bytes;
            one.state = 'growing';
            open = [...open.filter((other) => other !== one), one];
            const sum = () => open.reduce((all, other) => all + other.bytes, 0);
            for (const stalled of open.filter(({ state }) => state === 'growing')) {
              if (sum() <= 100) break;
              expected.push(stalled.name);
              open = open.filter((other) => other !== stalled);
            }
          }
          expect(body.counted.add(bytes)).toBe(one !== undefined && open.includes(one));
          expect(refused.splice(0)).toEqual(expected);
        } else if (does === 'end' && one !== undefined) {
          body.counted.end();
          one.state = 'whole';
        } else if (does === 'forget' || does === 'close') {
          if (does === 'forget') body.counted.forget();
          else body.res.emit('close');
          open = open.filter((other) => other !== one);
        }
        expect(counter.bytes).toBe(open.reduce((all, other) => all + other.bytes, 0));
        expect(counter.bytes).toBeLessThanOrEqual(100);
      }
    }),
    { seed: 20261122, numRuns: 2000 },
  );
});

test('a body of which nothing has come yet is not refused for others: that would free nothing', async () => {
  const { port, held } = await start(length, { incomingBytes: 1000 });
  const [first, still, other] = [dial(port), dial(port), dial(port)];
  first.write(post(900));
  await pause(20);
  still.write(`${post(900)}${'x'.repeat(800)}`);
  await expect.poll(held, { interval: 1 }).toBe(800);
  other.write(`${post(900)}${'x'.repeat(800)}`);
  expect(await still.closed).toMatch(busy);
  other.write('x'.repeat(100));
  await other.until('<900>');
  first.write('x'.repeat(900));
  await first.until('<900>');
  for (const { socket } of [first, other]) socket.destroy();
});

test('of bodies that stand still those are refused that stood longest, and one that goes on is answered', async () => {
  const { port, held } = await start(length, { incomingBytes: 5000 });
  const still = [];
  for (let nth = 0; nth < 20; nth++) {
    const line = dial(port);
    line.write(nth % 2 === 0 ? `${post(1000)}${'x'.repeat(900)}` : `${chunked}384\r\n${'x'.repeat(900)}\r\n`);
    still.push(line);
    await expect.poll(held, { interval: 1 }).toBe(900 * Math.min(nth + 1, 5));
  }
  for (const line of still.slice(0, 15)) expect(await line.closed).toMatch(busy);
  expect(await raw(port, `${post(1000, 'Connection: close')}${'x'.repeat(1000)}`)).toContain('<1000>');
  still[19]?.write(`0\r\n\r\n`);
  await still[19]?.until('<900>');
  for (const { socket } of still) socket.destroy();
  await expect.poll(held).toBe(0);
});

test('a body counts until its call has been answered, and where only such are held the newest is refused', async () => {
  const waiting: (() => void)[] = [];
  const { port, held } = await start(
    async (request) => {
      const { length } = await request.body({ bytes: 1000, setting: 'bodyBytes' });
      await new Promise<void>((go) => waiting.push(go));
      return text(`<${length}>`);
    },
    { incomingBytes: 2000 },
  );
  const whole = [dial(port), dial(port)];
  for (const line of whole) line.write(`${post(1000)}${'x'.repeat(1000)}`);
  await expect.poll(() => waiting.length).toBe(2);
  expect(held()).toBe(2000);
  expect(await raw(port, `${post(1)}x`)).toMatch(/^HTTP\/1\.1 503 [\s\S]*\(limits\.incomingBytes\)/);
  for (const go of waiting) go();
  for (const line of whole) await line.until('<1000>');
  await expect.poll(held).toBe(0);
  for (const { socket } of whole) socket.destroy();
});

test('bodies that the request cache may answer count as all others do, also when they come in pieces', async () => {
  const found: string[] = [];
  const find: ServerOptions['requestCache']['find'] = (_, body) => {
    found.push(body);
    return body === 'known' ? { status: 200, head: [], body: Buffer.from('<kept>') } : null;
  };
  const { port, held } = await start(length, { incomingBytes: 1000 }, { requestCache: { find, expects: () => true } });
  const still = [dial(port), dial(port), dial(port)];
  for (const [nth, line] of still.entries()) {
    line.write(`${post(900)}${'x'.repeat(800)}`);
    await expect.poll(held, { interval: 1 }).toBe(800);
    if (nth > 0) expect(await still[nth - 1]?.closed).toMatch(busy);
  }
  const line = dial(port);
  line.write(`${post(5)}kno`);
  await expect.poll(held, { interval: 1 }).toBe(803);
  line.write('wn');
  await line.until('<kept>');
  expect(held()).toBe(800);
  still[2]?.write('x'.repeat(100));
  await still[2]?.until('<900>');
  await expect.poll(held).toBe(0);
  expect(found).toEqual(['known', 'x'.repeat(900)]);
  for (const { socket } of [line, ...still]) socket.destroy();
});

test('a body that is refused, too large or left behind is no longer held, and one that waits for its turn is not read', async () => {
  const { port, held } = await start(
    length,
    { incomingBytes: 1000, lingerMs: 60_000 },
    { requestCache: { find: () => null, expects: () => true } },
  );
  const [large, left, piped] = [dial(port), dial(port), dial(port)];
  large.write(`${chunked}384\r\n${'x'.repeat(900)}\r\n`);
  await expect.poll(held, { interval: 1 }).toBe(900);
  large.write(`384\r\n${'x'.repeat(900)}\r\n`);
  await large.until('HTTP/1.1 413');
  expect(held()).toBe(0);
  left.write(`${post(1000)}${'x'.repeat(900)}`);
  await expect.poll(held, { interval: 1 }).toBe(900);
  left.socket.resetAndDestroy();
  await expect.poll(held).toBe(0);
  piped.write(`${post(100)}${'x'.repeat(90)}`);
  await expect.poll(held, { interval: 1 }).toBe(90);
  piped.write(`${'x'.repeat(10)}${post(1000)}${'x'.repeat(900)}`);
  await piped.until('<100>');
  await expect.poll(held, { interval: 1 }).toBe(900);
  for (const { socket } of [large, piped]) socket.destroy();
  await expect.poll(held).toBe(0);
});
