import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Limits } from '../../../src/accept/limits.ts';
import type { GatewayServer } from '../../../src/accept/server.ts';
import type { ServerOptions } from '../../../src/accept/server-options.ts';
import { application, front } from '../../support/forwarding-server.ts';
import { dial, raw, serve, text } from '../../support/http-server.ts';

const running: GatewayServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(0)));
});
const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: h', ...headers, '', ''].join('\r\n');

/** A server with a low connection limit. Calls of `/wait` are answered when the test says so. */
async function start(limits: Partial<Limits>, more: Partial<ServerOptions> = {}) {
  const waiting = new Map<string, () => void>();
  const closed: string[] = [];
  const { server, port } = await serve(
    async ({ target }) => {
      if (target.startsWith('/wait')) await new Promise<void>((go) => waiting.set(target, go));
      return text(`<${target}>`);
    },
    limits,
    { full: (which) => void closed.push(which), ...more },
  );
  running.push(server);
  const isWaiting = (target: string) => waiting.has(target);
  const answer = async (target: string) => {
    await expect.poll(() => isWaiting(target), { interval: 1 }).toBe(true);
    waiting.get(target)?.();
    waiting.delete(target);
  };
  return { server, port, asked: isWaiting, answer, closed };
}
type Client = ReturnType<typeof dial> & { readonly isClosed: () => boolean };
/** A client whose connection the server has either accepted, or closed at once. */
async function client(port: number): Promise<Client> {
  const line = dial(port);
  let isClosed = false;
  line.closed.then(() => {
    isClosed = true;
  });
  await new Promise((connected) => line.socket.once('connect', connected));
  await turn();
  return { ...line, isClosed: () => isClosed };
}

type Step = { readonly does: 'open' | 'ask' | 'wait' | 'begin' | 'answer' | 'leave'; readonly nth: number };
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    does: fc.constantFrom('open', 'open', 'open', 'ask', 'wait', 'begin', 'answer', 'leave'),
    nth: fc.nat(3),
  }),
  { maxLength: 40 },
);

test('the connection that has been idle longest is closed for a new one, and none with a call under way', async () => {
  const run = async (steps: readonly Step[]) => {
    const { server, port, asked, answer, closed } = await start({ connections: 4 });
    const expected: string[] = [];
    /** A model of the connections that must be open, longest idle first. `half`: in the middle of the request headers. */
    const open: { readonly line: Client; state: 'idle' | 'half' | { readonly target: string } }[] = [];
    for (const [time, { does, nth }] of steps.entries()) {
      const one = open[nth];
      if (does === 'open') {
        const line = await client(port);
        const oldest = open.findIndex(({ state }) => typeof state === 'string');
        if (open.length < 4) open.push({ line, state: 'idle' });
        else {
          expected.push(oldest < 0 ? 'new' : 'idle');
          const [victim] = oldest < 0 ? [] : open.splice(oldest, 1, { line, state: 'idle' });
          if (oldest >= 0) open.push(...open.splice(oldest, 1));
          await (victim?.line ?? line).closed;
        }
      } else if (one !== undefined && does === 'leave') {
        one.line.socket.destroy();
        open.splice(nth, 1);
        await expect.poll(() => server.levels().connections, { interval: 1 }).toBe(open.length);
      } else if (one?.state === 'idle') {
        const target = does === 'wait' ? `/wait/${time}` : `/${time}`;
        one.line.write(does === 'begin' ? 'GET /half HTTP/1.1\r\nX: ' : get(target));
        if (does === 'begin') one.state = 'half';
        else if (does === 'wait') one.state = { target };
        else {
          await one.line.until(`<${target}>`);
          open.push(...open.splice(nth, 1));
        }
        if (does === 'wait') await expect.poll(() => asked(target), { interval: 1 }).toBe(true);
      } else if (does === 'answer' && typeof one?.state === 'object') {
        await answer(one.state.target);
        await one.line.until(`<${one.state.target}>`);
        one.state = 'idle';
        open.push(...open.splice(nth, 1));
      }
      expect(server.levels().connections).toBe(open.length);
      expect(open.filter(({ line }) => line.isClosed())).toEqual([]);
    }
    expect(closed).toEqual(expected);
    for (const { line } of open) line.socket.destroy();
    await server.close(0);
  };
  await fc.assert(fc.asyncProperty(steps, run), { seed: 20261122, numRuns: 60 });
});

test('a WebSocket is a call under way for as long as it lasts', async () => {
  const { url } = await application(
    (_, res) => res.end('well'),
    (socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nopen'),
  );
  const { port } = await front(url, {}, false, { connections: 1 });
  const first = dial(port);
  first.write(get('/', 'Connection: Upgrade', 'Upgrade: websocket'));
  await first.until('open');
  expect(await raw(port, get('/', 'Connection: close'))).toBe('');
  first.socket.destroy();
  await expect.poll(() => raw(port, get('/', 'Connection: close'))).toMatch(/well$/);
});

test('a thousand new connections that are all busy close none of those that were there', async () => {
  const { port, answer, closed } = await start({ connections: 2 });
  const old = [await client(port), await client(port)];
  for (const [nth, line] of old.entries()) line.write(get(`/wait/${nth}`));
  await answer('/wait/1');
  await old[1]?.until('</wait/1>');
  old[1]?.write(get('/wait/2'));
  for (let nth = 0; nth < 1000; nth += 50)
    expect(await Promise.all(Array.from({ length: 50 }, () => raw(port, get('/'))))).toEqual(Array(50).fill(''));
  expect(closed).toEqual(Array(1000).fill('new'));
  for (const [nth, line] of old.entries()) {
    await answer(`/wait/${nth * 2}`);
    await line.until(`</wait/${nth * 2}>`);
    line.socket.destroy();
  }
});
