import { connect, type Socket } from 'node:net';
import { defaultLimits, type Limits } from '../../src/accept/limits.ts';
import { GatewayServer } from '../../src/accept/server.ts';
import type { ServerOptions } from '../../src/accept/server-options.ts';
import { Refusal } from '../../src/model/errors.ts';
import { send } from '../../src/reply/send.ts';

export const text = (body: string, status = 200) => ({ status, headers: {}, body });

/** Starts a server on a free port. Its error responses show only the status and the text. */
export async function serve(
  answer: ServerOptions['answer'],
  limits: Partial<Limits> = {},
  more: Partial<ServerOptions> = {},
) {
  const server = new GatewayServer({
    answer,
    send,
    requestCache: { find: () => null, expects: () => false },
    unreadable: () => ({ 'Access-Control-Allow-Origin': '*' }),
    refuse: (error) =>
      error instanceof Refusal ? text(JSON.stringify(error.message), error.status) : text('"broken"', 500),
    forwardedByTarget: null,
    forward: (_, res) => void res.destroy(),
    upgrade: () => false,
    full: () => undefined,
    limits: { ...defaultLimits, lingerMs: 300, ...limits },
    ...more,
  });
  return { server, port: await server.listen(0, '127.0.0.1') };
}

/** Opens a raw socket that records everything it receives. */
export function dial(port: number) {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let got = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    got += chunk;
  });
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(got)));
  socket.once('end', () => socket.end());
  socket.on('error', () => socket.destroy());
  const until = async (part: string | RegExp) => {
    for (let waited = 0; !(typeof part === 'string' ? got.includes(part) : part.test(got)); waited += 5) {
      if (waited > 5000) throw new Error(`never came: ${part}; got: ${got}`);
      await pause(5);
    }
    return got;
  };
  return { socket, closed, until, got: () => got, write: (bytes: string) => void socket.write(bytes, 'latin1') };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends bytes, waits until the connection closes, and returns everything received. */
export function raw(port: number, bytes: string): Promise<string> {
  const line = dial(port);
  line.write(bytes);
  return line.closed;
}
