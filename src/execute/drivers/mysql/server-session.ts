/** Reads what a server reports about its sessions. */
import type mysql2 from 'mysql2';
import { asideTimeout } from '../address.ts';

export interface ServerSession {
  /** Identifies a session for good. Its number is not enough: another server, or the same one after a restart, may use it again. */
  readonly identity: string;
  /** The running statement; null if there is none. */
  readonly statement: string | null;
}

/** We don't use information_schema.PROCESSLIST: MySQL 9 can't read it while any running statement contains a four-byte character. */
export const processList = 'SHOW PROCESSLIST';
/** Identifies the server by several variables, because MariaDB has no server UUID. Even servers on one host differ in one of them. */
const selectServer = `SELECT CONCAT_WS(' ', @@server_id, @@hostname, @@port, @@datadir)`;

/** Reads the session with this number from the server of `client`; null if the server lists none. */
export async function readSession(client: mysql2.Connection, id: number): Promise<ServerSession | null> {
  const sessions = await rowsOf(client, processList);
  const session = sessions.find((row) => String(Reflect.get(row, 'Id')) === String(id));
  if (session === undefined) return null;
  const statement: unknown = Reflect.get(session, 'Info');
  // The host includes the port from which the client, or a proxy in front of the server, has connected.
  const identity = JSON.stringify([Reflect.get(session, 'Host'), await rowsOf(client, selectServer)]);
  return { identity, statement: statement === null ? null : String(statement) };
}

/** Runs a statement with a short timeout. */
export async function rowsOf(client: mysql2.Connection, sql: string): Promise<readonly object[]> {
  const [rows] = await client.promise().query({ sql, timeout: asideTimeout });
  return Array.isArray(rows) ? rows : [];
}
