/** Sessions as their server lists them. */
import type mysql2 from 'mysql2';
import { asideTimeout } from '../address.ts';

export interface ServerSession {
  /** Equal for one session of one server only: another server, or a restarted one, gives the same numbers again. */
  readonly identity: string;
  /** The statement that runs; null: none. */
  readonly statement: string | null;
}

/** MySQL 9 gives no answer from information_schema.PROCESSLIST while any statement contains a character of four bytes. */
export const processList = 'SHOW PROCESSLIST';
/** Servers side by side differ in one of these. MariaDB has no UUID of a server. */
const server = `SELECT CONCAT_WS(' ', @@server_id, @@hostname, @@port, @@datadir)`;

/** The session with this number, on the server that `client` is connected to; null where it shows none. */
export async function readSession(client: mysql2.Connection, id: number): Promise<ServerSession | null> {
  const sessions = await rowsOf(client, processList);
  const own = sessions.find((row) => String(Reflect.get(row, 'Id')) === String(id));
  if (own === undefined) return null;
  const statement: unknown = Reflect.get(own, 'Info');
  // The host has the port that the client, or the proxy before the server, has connected from.
  const identity = JSON.stringify([Reflect.get(own, 'Host'), await rowsOf(client, server)]);
  return { identity, statement: statement === null ? null : String(statement) };
}

/** Runs a statement that the server must answer soon. */
export async function rowsOf(client: mysql2.Connection, sql: string): Promise<readonly object[]> {
  const [rows] = await client.promise().query({ sql, timeout: asideTimeout });
  return Array.isArray(rows) ? rows : [];
}
