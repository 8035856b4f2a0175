import { Duplex } from 'node:stream';
import mysql2, { type ConnectionOptions, type FieldPacket, type ResultSetHeader } from 'mysql2';
import type { Statement } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import { type Driver, Room, TooLarge, weigh } from '../connection/session.ts';
import { type Address, asideTimeout, connectTimeout, socketThatGivesUp, tlsOptions } from './address.ts';
import { Flow } from './flow.ts';
import { paced } from './paced.ts';
import { eachRow, readRow } from './row-packets.ts';

export function mysql(address: Address): Driver {
  const { host, port } = { host: address.host ?? '127.0.0.1', port: address.port ?? 3306 };
  const connection = {
    database: address.database,
    user: address.user ?? 'root',
    connectTimeout,
    charset: 'utf8mb4',
    // Exact values as text: without all four options, big integers, dates and JSON are parsed and lose precision.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    // The server keeps the last prepared statement of each connection.
    maxPreparedStatements: 1,
    ...(address.password === null ? {} : { password: address.password }),
    ...(address.socketPath === null
      ? { host, port, stream: () => socketThatGivesUp().connect({ host, port, keepAlive: true, noDelay: true }) }
      : { socketPath: address.socketPath }),
    ...(address.tls === null ? {} : { ssl: tlsOptions(address.tls) }),
  } satisfies ConnectionOptions;
  /** Asks about a session over a separate connection. */
  function aside(text: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const side = mysql2.createConnection({ ...connection, connectTimeout: asideTimeout });
      side.on('error', reject);
      side.query({ sql: text, timeout: asideTimeout }, (error, rows) => {
        hangUp(side);
        if (error === null) resolve(rows);
        else reject(error);
      });
    });
  }

  return {
    knex: { client: 'mysql2', connection },
    single: false,
    interruptible: true,

    async run(raw, statement, maxBytes, into) {
      const client = clientOf(raw);
      const isBound = statement.values.some(isLong) && /^(INSERT|UPDATE)\b/.test(statement.text);
      const bound = statement.values.map((value) => (value instanceof Uint8Array ? asBuffer(value) : value));
      const sql = isBound ? statement.text : sqlOf(client, statement);
      if (isBound) await refuseOversized(client, boundBytes(bound));
      // One byte of the packet marks it as a query.
      else if (sql.length > large) await refuseOversized(client, Buffer.byteLength(sql) + 1);
      return new Promise((resolve, reject) => {
        const cells: Cell[][] = [];
        let names: readonly string[] = [];
        let types: readonly string[] = [];
        let found = 0;
        let inserted: string | undefined;
        // A lost connection is reported to the connection only, not to a query that is read by events.
        client.once('error', reject);
        const unpaced = paced(socketOf(client));
        const settled = () => {
          unpaced();
          client.off('error', reject);
        };
        const room = new Room(maxBytes, () => void this.cancel(raw).catch(() => client.destroy()));
        const query: mysql2.Query = isBound
          ? client.execute({ sql, values: bound, rowsAsArray: true })
          : client.query({ sql, rowsAsArray: true });
        if (into !== undefined)
          eachRow(query, (packet) => {
            if (room.has(packet.end - packet.offset, into.length)) readRow(packet, into);
          });
        query.on('fields', (fields: FieldPacket[] | undefined) => {
          names = fields?.map((field) => field.name) ?? [];
          types = fields?.map(typeOf) ?? [];
        });
        query.on('result', (row: Cell[] | ResultSetHeader) => {
          if (!Array.isArray(row)) {
            found = row.affectedRows;
            inserted = String(row.insertId);
            return;
          }
          if (room.has(weigh(row))) cells.push(row);
        });
        query.on('error', (error: unknown) => {
          settled();
          reject(room.isOver ? new TooLarge() : error);
        });
        query.on('end', () => {
          settled();
          if (room.isOver) reject(new TooLarge());
          else resolve({ names, types, cells, found, ...(inserted === undefined ? {} : { inserted }) });
        });
      });
    },

    async *stream(raw, statement, signal) {
      const flow = new Flow<readonly Cell[]>(clientOf(raw), signal);
      for await (const { types, items } of flowing(raw, statement, flow, (query) => {
        query.on('result', (row: Cell[]) => flow.push(row, weigh(row)));
        query.on('end', () => flow.end());
      }))
        yield { types, cells: items };
    },

    async *lines(raw, statement, lines, signal) {
      // The driver would keep a copy of each row that arrives while it pauses itself.
      const flow = new Flow<Uint8Array>(socketOf(clientOf(raw)), signal);
      const give = (least: number) => {
        const bytes = lines.take(least);
        if (bytes !== null) flow.push(bytes, bytes.length);
      };
      for await (const { types, items } of flowing(raw, statement, flow, (query) => {
        eachRow(query, (packet) => {
          readRow(packet, lines);
          give(piece);
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
      await this.run(raw, { text, values: [] }, Number.MAX_SAFE_INTEGER);
    },

    async cancel(raw) {
      await aside(`KILL QUERY ${clientOf(raw).threadId}`).catch(unlessOfServer);
    },

    async hasEnded(raw) {
      // MySQL 9 gives no answer from information_schema.PROCESSLIST while any statement contains a character of four bytes.
      const rows = await aside('SHOW PROCESSLIST');
      const id = String(clientOf(raw).threadId);
      return Array.isArray(rows) && rows.every((row: unknown) => String(Reflect.get(Object(row), 'Id')) !== id);
    },

    async reach() {
      await aside('SELECT 1').catch(unlessOfServer);
    },

    isLost: (error) => error instanceof Error && Reflect.get(error, 'fatal') === true,

    destroy: (raw) => hangUp(clientOf(raw)),
  };
}

/** Runs a statement whose rows `begin` pushes into the flow; yields its items with the types of the columns. */
async function* flowing<T>(raw: unknown, statement: Statement, flow: Flow<T>, begin: (query: mysql2.Query) => void) {
  const client = clientOf(raw);
  const lost = (error: unknown) => flow.fail(error);
  client.once('error', lost);
  try {
    let types: readonly string[] = [];
    const query = client.query({ sql: sqlOf(client, statement), rowsAsArray: true });
    query.on('fields', (fields: FieldPacket[] | undefined) => {
      types = fields?.map(typeOf) ?? [];
    });
    query.on('error', lost);
    begin(query);
    for await (const items of flow.taken()) yield { types, items };
  } finally {
    client.off('error', lost);
  }
}

/** The least bytes of lines that are pushed together. */
const piece = 64 * 1024;

/** Characters. Shorter statements fit into the smallest limit in use (1 MB, once the default). */
const large = 250_000;

/**
 * A longer value is bound by the server. Escaped, it may have twice as many bytes, and escaping takes a second per ten million
 * quotes. The result rows of a prepared statement use another protocol, so only writes are run so.
 */
const isLong = (value: Statement['values'][number]): boolean => value !== null && value.length > large;

/** The statement with its values. */
function sqlOf(client: mysql2.Connection, { text, values }: Statement): string {
  return client.format(
    text,
    values.map((value) => (typeof value === 'string' && value.length > short ? mysql2.raw(quoted(value)) : value)),
  );
}

/** Characters. */
const short = 100;

/**
 * A literal where the session's mode lets a backslash escape. The driver tests each character, which takes four times as long.
 */
function quoted(text: string): string {
  const escaped = text.includes('\\') ? text.split('\\').join('\\\\') : text;
  return `'${escaped.includes("'") ? escaped.split("'").join("''") : escaped}'`;
}

/** The driver takes other byte arrays for an object. */
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Bytes of the packet that binds values: each has a type and a length, too. */
const boundBytes = (values: Statement['values']): number =>
  values.reduce((sum, value) => sum + 12 + (value === null ? 0 : Buffer.byteLength(value)), 20);

/** A statement over its limit makes the server hang up, often before its own refusal can be read. We refuse it first. */
async function refuseOversized(client: mysql2.Connection, bytes: number): Promise<void> {
  const [rows] = await client.promise().query({ sql: 'SELECT @@max_allowed_packet', rowsAsArray: true });
  const limit = Array.isArray(rows) && Array.isArray(rows[0]) ? Number(rows[0][0]) : Number.POSITIVE_INFINITY;
  if (bytes < limit) return;
  throw Object.assign(new Error(`a statement of ${bytes} bytes is over max_allowed_packet`), { errno: 1153 });
}

/** Errors without a number come from the driver, those below a thousand from the operating system, about the socket. */
function unlessOfServer(error: unknown): void {
  if (!(error instanceof Error && Number(Reflect.get(error, 'errno')) >= 1000)) throw error;
}

/** The driver only sends a goodbye. A server that waits for its rows to be read, or hangs, would not receive it. */
function hangUp(client: Pick<mysql2.Connection, 'destroy'>): void {
  client.destroy();
  const socket: unknown = Reflect.get(client, 'stream');
  if (socket instanceof Duplex) socket.destroy();
}

function socketOf(client: mysql2.Connection): Duplex {
  const socket: unknown = Reflect.get(client, 'stream');
  if (socket instanceof Duplex) return socket;
  throw new TypeError('the driver has no socket');
}

function clientOf(raw: unknown): mysql2.Connection {
  if (isConnection(raw)) return raw;
  throw new TypeError('not a connection of this driver');
}

const plainTypes: Readonly<Record<number, string>> = {
  ...{
    0: 'decimal',
    1: 'int',
    2: 'int',
    3: 'int',
    4: 'float',
    5: 'double',
    7: 'timestamp',
    8: 'int',
    9: 'int',
    10: 'date',
  },
  ...{ 11: 'time', 12: 'timestamp', 13: 'int', 245: 'json', 246: 'decimal', 255: 'geometry' },
};
const bit = 16;
/** The character set of bytes. */
const binary = 63;

/** The protocol's number of a column's type → a word that stays the same when an expression passes the column on. */
function typeOf(field: FieldPacket): string {
  const type = field.columnType ?? -1;
  if (type === bit) return `bit(${field.columnLength})`;
  return plainTypes[type] ?? (field.characterSet === binary ? 'binary' : 'text');
}

/** The driver's types declare its connection as an interface only. */
function isConnection(raw: unknown): raw is mysql2.Connection {
  return typeof raw === 'object' && raw !== null && 'threadId' in raw && 'query' in raw && 'destroy' in raw;
}
