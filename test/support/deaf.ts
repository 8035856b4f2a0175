import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** An address without any answer, not even a refusal, as that of a host that is switched off. */
export interface Deaf {
  readonly port: number;
  close(): Promise<void>;
}

/** A thread that listens and then stands still: nothing takes the connections from its queue. */
const listener = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer();
  server.listen({ port: workerData, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

/** Opens one; the system drops connections once its queue is full. */
export async function openDeaf(at = 0): Promise<Deaf> {
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
