import { connect } from 'node:net';
import { find, type Machine } from './programs.ts';
import type { Scope } from './scope.ts';

/** Starts a Redis that writes nothing to disk. `more`: options beside the usual ones. */
export async function startRedis(scope: Scope, machine: Machine, more: readonly string[] = []): Promise<string> {
  const file = find('redis-server', machine);
  if (file === null) throw new Error('redis-server not found');
  const env = { PATH: process.env.PATH ?? '' };
  const port = await scope.serve({ name: 'redis', file, env }, (port) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', scope.folder],
    ...more,
  ]);
  return `redis://127.0.0.1:${port}`;
}

/** Sends one command to a server without a password, in words without blanks. Returns the first bytes of its answer as text. */
export function tellRedis(url: string, command: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(`${command}\r\n`));
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(answer.toString());
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`no answer to ${command}`)));
  });
}
