import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTap, type Tap } from './tap.ts';

let server: Server;
let served: Set<Socket>;
let tap: Tap;
let mine: Socket[];

beforeEach(async () => {
  served = new Set();
  mine = [];
  server = createServer((socket) => {
    served.add(socket);
    socket.on('error', () => undefined).on('close', () => served.delete(socket));
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  tap = await openTap(`http://127.0.0.1:${Object(server.address()).port}`);
});
afterEach(() => {
  for (const socket of mine) socket.destroy();
  tap.close();
  for (const socket of served) socket.destroy();
  server.close();
});

async function dial(): Promise<Socket> {
  const socket = connect(Number(new URL(tap.url).port), '127.0.0.1');
  mine.push(socket);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return socket;
}

const echo = async (socket: Socket, text: string) => {
  socket.write(text);
  const [bytes] = await once(socket, 'data');
  return String(bytes);
};

test('a frozen tap moves nothing, on old and on new connections, and all of it comes later', async () => {
  const old = await dial();
  expect(await echo(old, 'a')).toBe('a');
  tap.freeze();
  const young = await dial();
  const answers = Promise.all([echo(old, 'b'), echo(young, 'c')]);
  expect(await Promise.race([answers, sleep(100, 'nothing')])).toBe('nothing');
  tap.thaw();
  expect(await answers).toEqual(['b', 'c']);
});

test('a delay is added once, not once for every piece before it', async () => {
  tap.delay(100);
  const socket = await dial();
  const started = performance.now();
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes;
  });
  for (const piece of '12345') {
    socket.write(piece);
    await sleep(5);
  }
  await expect.poll(() => heard, { interval: 5 }).toBe('12345');
  const took = performance.now() - started;
  expect(took).toBeGreaterThan(195);
  expect(took).toBeLessThan(600);
});

test('a cut is felt by both sides, and the next connection is whole', async () => {
  const socket = await dial();
  await echo(socket, 'a');
  tap.cut();
  await expect.poll(() => socket.destroyed).toBe(true);
  await expect.poll(() => served.size).toBe(0);
  expect(tap.open).toBe(0);
  expect(await echo(await dial(), 'b')).toBe('b');
});

test('a refusing tap keeps its connections, and accepts new ones again at the same address', async () => {
  const socket = await dial();
  tap.refuse();
  await expect(dial()).rejects.toThrow('ECONNREFUSED');
  expect(await echo(socket, 'a')).toBe('a');
  await tap.accept();
  expect(await echo(await dial(), 'b')).toBe('b');
});
