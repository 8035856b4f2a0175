import mysql2 from 'mysql2';
import type { Connection } from '../../../model/engines.ts';
import { type Answer, type JsonRowWriter, plain, type Statement } from '../../../model/rows.ts';
import { type Activity, type Driver, ResultRoom } from '../../connection/session.ts';
import { asideTimeout } from '../address.ts';
import { clientOf, guard, hangUp, isOfServer, optionsOf, socketOf, unlessOfServer } from './connection.ts';
import { lineBatches, rowBatches, wholeResult } from './results.ts';
import { processList, readSession, rowsOf, type ServerSession } from './server-session.ts';

export class MysqlDriver implements Driver {
  readonly knex: Driver['knex'];
  readonly single = false;
  readonly interruptible = true;
  readonly stream = rowBatches;
  readonly lines = lineBatches;
  readonly copy = null;
  readonly #address: Connection;
  readonly #options: mysql2.ConnectionOptions;
  readonly #identities = new WeakMap<object, string>();

  constructor(address: Connection) {
    const options = optionsOf(address);
    this.#address = address;
    this.#options = options;
    this.knex = { client: 'mysql2', connection: options };
  }

  run(raw: unknown, statement: Statement, maxBytes: number | null, into?: JsonRowWriter): Promise<Answer> {
    const client = clientOf(raw);
    const room = new ResultRoom(
      maxBytes ?? Number.POSITIVE_INFINITY,
      () => void this.cancel(raw).catch(() => client.destroy()),
    );
    return wholeResult(client, statement, room, into);
  }

  async setup(raw: unknown, text: string): Promise<void> {
    await this.run(raw, plain(text), Number.MAX_SAFE_INTEGER);
  }

  async identify(raw: unknown): Promise<void> {
    const client = clientOf(raw);
    // The login has replaced the socket by a TLS socket, which needs its own guard.
    if (this.#address.tls !== null) guard(socketOf(client));
    const session = await readSession(client, client.threadId);
    // Behind a proxy, the server may know another client's session by our number. It is ours only if it is running this query now.
    if (session?.statement === processList) this.#identities.set(client, session.identity);
  }

  cancel(raw: unknown): Promise<void> {
    return this.#kill(raw, 'QUERY');
  }

  end(raw: unknown): Promise<void> {
    return this.#kill(raw, 'CONNECTION');
  }

  async activity(raw: unknown): Promise<Activity> {
    const session = await this.#aside((side) => this.#sessionOn(side, raw));
    if (session === null) return 'ended';
    // Don't look at the command column: on MariaDB it stays `Killed` after the statement has ended.
    return session.statement === null ? 'idle' : 'busy';
  }

  async leaksSettings(): Promise<boolean> {
    return false;
  }

  async reach(): Promise<void> {
    await this.#aside((side) => rowsOf(side, 'SELECT 1')).catch(unlessOfServer);
  }

  isLost(error: unknown): boolean {
    // After an error of the driver itself, packets of the statement may still arrive, so the connection counts as lost.
    return error instanceof Error && (!isOfServer(error) || Reflect.get(error, 'fatal') === true);
  }

  isCancelled(error: unknown): boolean {
    return error instanceof Error && Reflect.get(error, 'errno') === 1317;
  }

  destroy(raw: unknown): void {
    hangUp(clientOf(raw));
  }

  /** KILL takes no condition, so first check on the same connection that the session with this number is ours. */
  #kill(raw: unknown, what: 'QUERY' | 'CONNECTION'): Promise<void> {
    return this.#aside(async (side) => {
      if ((await this.#sessionOn(side, raw)) !== null) await rowsOf(side, `KILL ${what} ${clientOf(raw).threadId}`);
    }).catch(unlessOfServer);
  }

  /** The session as another connection sees it in the server's list; null if the session with this number is not ours. */
  async #sessionOn(side: mysql2.Connection, raw: unknown): Promise<ServerSession | null> {
    const client = clientOf(raw);
    const session = await readSession(side, client.threadId);
    return session !== null && session.identity === this.#identities.get(client) ? session : null;
  }

  /** Runs `ask` on a separate connection. */
  async #aside<T>(ask: (side: mysql2.Connection) => Promise<T>): Promise<T> {
    const side = mysql2.createConnection({ ...this.#options, connectTimeout: asideTimeout });
    side.on('error', () => undefined);
    try {
      return await ask(side);
    } finally {
      hangUp(side);
    }
  }
}
