import mysql2, { type FieldPacket, type ResultSetHeader } from 'mysql2';
import type { Connection } from '../../../model/engines.ts';
import { plain, type Statement } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import { type Driver, ResultRoom, roomForEach, TooLarge, weigh } from '../../connection/session.ts';
import { asideTimeout } from '../address.ts';
import { Flow } from '../flow.ts';
import { paceSocket } from '../paced.ts';
import {
  clientOf,
  guard,
  hangUp,
  isOfServer,
  optionsOf,
  socketOf,
  unlessOfServer,
  watchRowSize,
} from './connection.ts';
import { eachRow, readRow, rowReader } from './row-packets.ts';
import { processList, readSession, rowsOf, type ServerSession } from './server-session.ts';
import { asBuffer, boundBytes, isLong, large, refuseOversized, sqlOf } from './statement.ts';
import { typeOf } from './types.ts';

export function mysql(address: Connection): Driver {
  const connection = optionsOf(address);
  const identities = new WeakMap<object, string>();
  /** Runs `ask` on a separate connection. */
  async function aside<T>(ask: (side: mysql2.Connection) => Promise<T>): Promise<T> {
    const side = mysql2.createConnection({ ...connection, connectTimeout: asideTimeout });
    side.on('error', () => undefined);
    try {
      return await ask(side);
    } finally {
      hangUp(side);
    }
  }
  /** The session as the server lists it on another connection; null if the session with this number is not ours. */
  async function sessionOn(side: mysql2.Connection, raw: unknown): Promise<ServerSession | null> {
    const client = clientOf(raw);
    const session = await readSession(side, client.threadId);
    return session !== null && session.identity === identities.get(client) ? session : null;
  }

  /** KILL takes no condition, so first check on the same connection that the session with this number is ours. */
  const kill = (raw: unknown, what: 'QUERY' | 'CONNECTION') =>
    aside(async (side) => {
      if ((await sessionOn(side, raw)) !== null) await rowsOf(side, `KILL ${what} ${clientOf(raw).threadId}`);
    }).catch(unlessOfServer);

  return {
    knex: { client: 'mysql2', connection },
    single: false,
    interruptible: true,

    async run(raw, statement, maxBytes, into) {
      const client = clientOf(raw);
      const isBound = statement.values.some(isLong) && /^(insert|update)\b/i.test(statement.text);
      const bound = statement.values.map((value) => (value instanceof Uint8Array ? asBuffer(value) : value));
      const sql = isBound ? statement.text : sqlOf(client, statement);
      if (isBound) await refuseOversized(client, boundBytes(bound));
      // Plus one byte for the command code.
      else if (sql.length > large) await refuseOversized(client, Buffer.byteLength(sql) + 1);
      return new Promise((resolve, reject) => {
        const cells: (readonly Cell[])[] = [];
        let row = rowReader([]);
        let names: readonly string[] = [];
        let types: readonly string[] = [];
        let found = 0;
        let inserted: string | undefined;
        let transaction: string | undefined;
        let message: string | undefined;
        // The driver reports a lost connection on the connection only, not on a query with event listeners.
        client.once('error', reject);
        const socket = socketOf(client);
        // If we close the connection ourselves, the driver reports nothing.
        const onClose = () =>
          reject(
            Object.assign(new Error('the connection was ended'), { fatal: true, code: 'PROTOCOL_CONNECTION_LOST' }),
          );
        socket.once('close', onClose);
        const room = new ResultRoom(maxBytes, () => void this.cancel(raw).catch(() => client.destroy()));
        const endings = [paceSocket(socket), watchRowSize(client, room)];
        const settled = () => {
          for (const end of endings) end();
          client.off('error', reject);
          socket.off('close', onClose);
        };
        const query: mysql2.Query = isBound
          ? client.execute({ sql, values: bound, rowsAsArray: true })
          : client.query(textQuery(sql));
        // A prepared statement returns rows in the binary protocol, which we leave to the driver.
        if (!isBound)
          eachRow(query, (packet) => {
            if (!room.has(packet.end - packet.offset, into?.length)) return;
            if (into === undefined) cells.push(row(packet));
            else readRow(packet, into);
          });
        query.on('fields', (fields: FieldPacket[] = []) => {
          names = fields.map((field) => field.name);
          types = fields.map(typeOf);
          row = rowReader(fields);
        });
        query.on('result', (result: Cell[] | ResultSetHeader) => {
          if (Array.isArray(result)) {
            if (room.has(weigh(result))) cells.push(result);
            return;
          }
          found = result.affectedRows;
          inserted = String(result.insertId);
          transaction = gtidOf(result);
          message = result.info;
        });
        query.on('error', (error: unknown) => {
          settled();
          reject(room.isOver ? new TooLarge() : error);
        });
        query.on('end', () => {
          settled();
          if (room.isOver) reject(new TooLarge());
          else
            resolve({
              ...{ names, types, cells, found },
              ...(inserted === undefined ? {} : { inserted }),
              ...(transaction === undefined ? {} : { transaction }),
              ...(message ? { message } : {}),
            });
        });
      });
    },

    async *stream(raw, statement, signal) {
      // Pause the socket, not the query: a paused query keeps a copy of each row that still arrives.
      const flow = new Flow<readonly Cell[]>(socketOf(clientOf(raw)), signal);
      for await (const { types, items } of flowing(raw, statement, flow, (query) => {
        let row = rowReader([]);
        query.on('fields', (fields: FieldPacket[] = []) => {
          row = rowReader(fields);
        });
        eachRow(query, (packet) => flow.push(row(packet), packet.end - packet.offset));
        query.on('end', () => flow.end());
      }))
        yield { types, cells: items };
    },

    async *lines(raw, statement, lines, signal) {
      const flow = new Flow<Uint8Array>(socketOf(clientOf(raw)), signal);
      const give = (least: number) => {
        const bytes = lines.take(least);
        if (bytes !== null) flow.push(bytes, bytes.length);
      };
      for await (const { types, items } of flowing(raw, statement, flow, (query) => {
        eachRow(query, (packet) => {
          readRow(packet, lines);
          give(minPieceBytes);
        });
        query.on('end', () => {
          give(0);
          flow.end();
        });
      }))
        yield { types, bytes: items };
    },

    copy: null,

    async setup(raw, text) {
      await this.run(raw, plain(text), Number.MAX_SAFE_INTEGER);
    },

    async identify(raw) {
      const client = clientOf(raw);
      // The login has replaced the socket by one with TLS, which needs its own guard.
      if (address.tls !== null) guard(socketOf(client));
      const session = await readSession(client, client.threadId);
      // Behind a proxy, our session number may belong to another client on the server. It is ours only if that session runs this query now.
      if (session?.statement === processList) identities.set(client, session.identity);
    },

    cancel: (raw) => kill(raw, 'QUERY'),
    end: (raw) => kill(raw, 'CONNECTION'),

    leaksSettings: async () => false,

    async activity(raw) {
      const session = await aside((side) => sessionOn(side, raw));
      if (session === null) return 'ended';
      // Don't look at the command column: on MariaDB it stays `Killed` after the statement has ended.
      return session.statement === null ? 'idle' : 'busy';
    },

    async reach() {
      await aside((side) => rowsOf(side, 'SELECT 1')).catch(unlessOfServer);
    },

    // After an error of the driver itself, packets of the statement may still arrive, so the connection counts as lost.
    isLost: (error) => error instanceof Error && (!isOfServer(error) || Reflect.get(error, 'fatal') === true),
    isCancelled: (error) => error instanceof Error && Reflect.get(error, 'errno') === 1317,

    destroy: (raw) => hangUp(clientOf(raw)),
  };
}

/** Options for a statement whose text has the values in it. Without `values: null` the driver would search the text for placeholders. */
const textQuery = (sql: string) => ({ sql, values: null, rowsAsArray: true });

/** The GTID of the transaction that the statement has committed, if the session tracks GTIDs. The driver's types do not have it. */
function gtidOf(header: ResultSetHeader): string | undefined {
  const gtids: unknown = Reflect.get(Object(Reflect.get(header, 'stateChanges')), 'gtids');
  return Array.isArray(gtids) && typeof gtids[0] === 'string' ? gtids[0].toLowerCase() : undefined;
}

/** Runs a statement whose rows `begin` directs into the flow. Yields the items of the flow with the types of the columns. */
async function* flowing<T>(raw: unknown, statement: Statement, flow: Flow<T>, begin: (query: mysql2.Query) => void) {
  const client = clientOf(raw);
  const lost = (error: unknown) => flow.fail(error);
  client.once('error', lost);
  const unwatch = watchRowSize(client, roomForEach);
  try {
    let types: readonly string[] = [];
    const query = client.query(textQuery(sqlOf(client, statement)));
    query.on('fields', (fields: FieldPacket[] | undefined) => {
      types = fields?.map(typeOf) ?? [];
    });
    query.on('error', lost);
    begin(query);
    for await (const items of flow.taken()) yield { types, items };
  } finally {
    unwatch();
    client.off('error', lost);
  }
}

/** We collect lines until they have this many bytes, and then pass them on together. */
const minPieceBytes = 64 * 1024;
