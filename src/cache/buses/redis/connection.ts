import { isIP } from 'node:net';
import type { RedisHost, RedisServer } from '../../../model/bus.ts';
import { isOfTrial } from './rights.ts';

export type Command = readonly string[];

/** A connection to a Redis server. It does not connect again: a member whose connection is lost has to join anew. */
export interface RedisConnection {
  /** Sends one command. Throws the server's error. */
  ask(command: Command): Promise<unknown>;
  /** Runs commands at one moment, with none of others between them. Throws the first error, except of a right that is only tried. */
  atOnce(commands: readonly Command[]): Promise<readonly unknown[]>;
  close(): void;
}

/** Where the server is. Sentinels are asked, where there are any, within so many milliseconds each. */
export async function findRedis(server: RedisServer, timeout: number): Promise<RedisHost> {
  const { sentinelName, hosts } = server;
  if (sentinelName !== null) return primaryOf(server, sentinelName, timeout);
  const [host] = hosts;
  if (host === undefined) throw new Error('no host');
  return host;
}

/** The server that one of the sentinels names. Throws the last error where none does. */
async function primaryOf(server: RedisServer, name: string, timeout: number): Promise<RedisHost> {
  let cause: unknown;
  for (const host of server.hosts) {
    try {
      const own = { ...server, user: null, password: null, database: 0 };
      const sentinel = await connectRedis(host, own, timeout, () => undefined);
      try {
        const answer = await within(timeout, sentinel.ask(['SENTINEL', 'get-master-addr-by-name', name]));
        const [address, port] = Array.isArray(answer) ? answer : [];
        if (typeof address === 'string') return { host: address, port: Number(port) };
        throw new Error(`the sentinel at ${host.host}:${host.port} knows no server of this name`);
      } finally {
        sentinel.close();
      }
    } catch (error) {
      cause = error;
    }
  }
  throw cause;
}

/**
 * Connects and logs in.
 * @param timeout milliseconds
 * @param lost called when the connection is lost
 */
export async function connectRedis(
  { host, port }: RedisHost,
  { user, password, database, tls }: RedisServer,
  timeout: number,
  lost: (cause: unknown) => void,
): Promise<RedisConnection> {
  const encryption = tls && {
    ...{ tls: true as const, rejectUnauthorized: tls.rejectUnauthorized },
    ...(tls.ca === null ? {} : { ca: tls.ca }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  // Loaded where it is used: it has as many modules as the gateway itself.
  const { createClient, MultiErrorReply } = await import('@redis/client');
  const client = createClient({
    RESP: 2,
    socket: { host, port, connectTimeout: timeout, reconnectStrategy: false, ...encryption },
    ...(user === null ? {} : { username: user }),
    ...(password === null ? {} : { password }),
    database,
    disableOfflineQueue: true,
    // A user with few rights may not set it.
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
  client.on('error', lost);
  const close = () => {
    if (client.isOpen) client.destroy();
  };
  try {
    await within(timeout, client.connect());
  } catch (error) {
    close();
    throw error;
  }
  return {
    ask: (command) => client.sendCommand([...command]),
    async atOnce(commands) {
      const transaction = client.multi();
      for (const command of commands) transaction.addCommand([...command]);
      const replies = await transaction.exec().catch((error: unknown) => {
        if (error instanceof MultiErrorReply) return error.replies;
        throw error;
      });
      commands.forEach((command, nth) => {
        const reply: unknown = replies[nth];
        if (reply instanceof Error && !isOfTrial(command, reply)) throw reply;
      });
      return replies;
    },
    close,
  };
}

/** Throws where the work takes longer than so many milliseconds. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
