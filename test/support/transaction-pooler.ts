import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A pooler in transaction mode, like PgBouncer: all clients share one session of a PostgreSQL server that needs no password. */
export interface TransactionPooler {
  readonly url: string;
  close(): void;
}

const sslRequest = 80_877_103;
const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const startup = (url: URL): Buffer => {
  const words = ['user', url.username, 'database', url.pathname.slice(1), '', ''].join('\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + Buffer.byteLength(words), 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, Buffer.from(words)]);
};

/** Splits a stream into protocol messages with a type and a length. */
function messages(socket: Socket, take: (type: string, whole: Buffer) => void) {
  let rest = Buffer.alloc(0);
  return (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const whole = rest.subarray(0, rest.readInt32BE(1) + 1);
      rest = rest.subarray(whole.length);
      if (!socket.destroyed) take(whole.toString('latin1', 0, 1), whole);
    }
  };
}

export async function openTransactionPooler(serverUrl: string): Promise<TransactionPooler> {
  const url = new URL(serverUrl);
  const upstream = connect(Number(url.port), url.hostname);
  const parameters: Buffer[] = [];
  let answer: (type: string, whole: Buffer) => void = () => undefined;
  upstream.on('error', () => undefined);
  upstream.on(
    'data',
    messages(upstream, (type, whole) => answer(type, whole)),
  );
  upstream.write(startup(url));
  await new Promise<void>((ready) => {
    answer = (type, whole) => {
      if (type === 'S') parameters.push(whole);
      if (type === 'Z') ready();
    };
  });

  /** The session serves one client at a time, for one statement. The tests that use it have no longer transactions. */
  let last = Promise.resolve();
  const run = (batch: Buffer, client: Socket) => {
    const before = last;
    last = before.then(
      () =>
        new Promise((done) => {
          answer = (type, whole) => {
            client.write(whole);
            if (type === 'Z') done();
          };
          upstream.write(batch);
        }),
    );
  };
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => undefined);
    let batch: Buffer[] = [];
    const take = messages(client, (type, whole) => {
      if (type === 'X') return void client.destroy();
      batch.push(whole);
      if (type !== 'Q' && type !== 'S') return;
      run(Buffer.concat(batch), client);
      batch = [];
    });
    client.on('data', (bytes) => {
      if (client.bytesWritten > 1) return take(bytes);
      if (bytes.readInt32BE(4) === sslRequest) return void client.write('N');
      const key = message('K', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]));
      client.write(Buffer.concat([message('R', Buffer.alloc(4)), ...parameters, key, message('Z', Buffer.from('I'))]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  const poolerUrl = new URL(serverUrl);
  poolerUrl.port = String(address.port);
  return {
    url: poolerUrl.href,
    close() {
      for (const socket of [upstream, ...clients]) socket.destroy();
      server.close();
    },
  };
}
