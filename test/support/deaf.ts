import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** A port that never answers, not even with a refusal, like a host that is switched off. */
export interface Deaf {
  readonly port: number;
  close(): Promise<void>;
}

/** A thread that listens and then blocks its event loop, so that nobody accepts the connections in its backlog. */
const listener = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer();
  server.listen({ port: workerData, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

/** Opens such a port. Once the backlog is full, the system drops further connection attempts. */
export async function openUnresponsivePort(at = 0): Promise<Deaf> {
  const thread = new Worker(listener, { eval: true, workerData: at });
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  const queued: Socket[] = [];
  for (let isFull = false; !isFull; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    queued.push(socket);
    isFull = await Promise.race([
      new Promise<boolean>((taken) => socket.once('connect', () => taken(false))),
      sleep(100, true),
    ]);
  }
  return {
    port,
    async close() {
      for (const socket of queued) socket.destroy();
      await thread.terminate();
    },
  };
}
