import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Connection } from '../../../model/engines.ts';
import { type Answer, type JsonRowWriter, plain, type Statement } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import { type Activity, type Driver, ResultRoom } from '../../connection/session.ts';
import { asideTimeout } from '../address.ts';
import { clientOf, configOf, hangUp } from './connection.ts';
import { isOfOtherSession, PreparedStatements } from './prepared.ts';
import { copiedBytes, rowBatches, shortResult, wholeResult } from './results.ts';
import { type Identity, selectFromSession, selectIdentity } from './session-identity.ts';

const unbounded = Number.MAX_SAFE_INTEGER;

export class PostgresDriver implements Driver {
  readonly knex: Driver['knex'];
  readonly single = false;
  readonly interruptible = true;
  readonly lines = null;
  readonly copy = copiedBytes;
  readonly stream: NonNullable<Driver['stream']> = (raw, statement, signal) =>
    rowBatches(raw, statement, this.#prepared, signal);
  readonly #config: pg.ClientConfig;
  readonly #prepared = new PreparedStatements();
  readonly #identities = new WeakMap<object, Identity>();
  /** Whether a pooler is in front of the server that gives each client its own session. */
  #isSessionPooler = false;

  constructor(address: Connection) {
    const config = configOf(address);
    this.#config = config;
    this.knex = { client: 'pg', connection: config };
  }

  run(raw: unknown, statement: Statement, maxBytes: number | null, into?: JsonRowWriter): Promise<Answer> {
    const client = clientOf(raw);
    const { text, values, template } = statement;
    if (maxBytes === null && template === undefined) return shortResult(client, statement);
    const room = new ResultRoom(maxBytes ?? unbounded, () => void this.cancel(raw).catch(() => client.end()));
    const answer = wholeResult(client, statement, this.#prepared, room, into);
    if (template === undefined) return answer;
    return answer.catch((error: unknown) => {
      if (!isOfOtherSession(error)) throw error;
      // The session no longer has the prepared statement: try again without one.
      return this.run(raw, { text, values }, maxBytes, into);
    });
  }

  async setup(raw: unknown, text: string): Promise<void> {
    await this.run(raw, plain(text), unbounded);
  }

  async identify(raw: unknown): Promise<void> {
    const { cells } = await this.run(raw, selectIdentity, unbounded);
    const [[pid, began] = []] = cells;
    if (typeof pid === 'string' && typeof began === 'string') this.#identities.set(clientOf(raw), [pid, began]);
  }

  cancel(raw: unknown): Promise<void> {
    return this.#aside('pg_cancel_backend(pid)', raw).then(() => undefined, unlessOfServer);
  }

  end(raw: unknown): Promise<void> {
    return this.#aside('pg_terminate_backend(pid)', raw).then(() => undefined, unlessOfServer);
  }

  async activity(raw: unknown): Promise<Activity> {
    const row = await this.#aside('state', raw);
    if (row === null) return 'ended';
    return String(row[0]).startsWith('idle') ? 'idle' : 'busy';
  }

  async leaksSettings(raw: unknown): Promise<boolean> {
    const client = clientOf(raw);
    // Without a pooler, the client knows the server's own pid. We check a session pooler only once, because it may have no connection left.
    if (this.#isSessionPooler || Number(this.#identities.get(client)?.[0]) === Reflect.get(client, 'processID'))
      return false;
    const ask = (of: unknown, text: string, ...values: readonly string[]) =>
      this.run(of, { text, values }, unbounded).then(({ cells }) => cells[0]?.[0]);
    const mark = randomUUID();
    const set = `SELECT set_config('datastore_gateway.session', $1, false)`;
    const get = `SELECT current_setting('datastore_gateway.session', true)`;
    return this.#onSideConnection(async (side) => {
      await ask(raw, set, mark);
      // A pooler may lend another of its sessions each time, so look several times.
      for (let look = 0; look < 5; look++) if ((await ask(side, get)) === mark) return true;
      this.#isSessionPooler = true;
      return false;
    });
  }

  reach(): Promise<void> {
    return this.#onSideConnection(async () => undefined).catch(unlessOfServer);
  }

  isLost(error: unknown): boolean {
    if (!(error instanceof Error)) return false;
    // Errors of these classes end a session. We ignore the severity, because the server translates that word.
    return !isOfServer(error) || /^(08|57P|25P03)/.test(String(Reflect.get(error, 'code')));
  }

  isCancelled(error: unknown): boolean {
    return error instanceof Error && Reflect.get(error, 'code') === '57014';
  }

  destroy(raw: unknown): void {
    hangUp(clientOf(raw));
  }

  /** Selects `what` about a session on a separate connection; null if the server no longer has the session. */
  async #aside(what: string, raw: unknown): Promise<readonly Cell[] | null> {
    const identity = this.#identities.get(clientOf(raw));
    if (identity === undefined) return null;
    const { cells } = await this.#onSideConnection((side) =>
      this.run(side, selectFromSession(what, identity), unbounded),
    );
    return cells[0] ?? null;
  }

  async #onSideConnection<T>(ask: (side: pg.Client) => Promise<T>): Promise<T> {
    const side = new pg.Client({ ...this.#config, connectionTimeoutMillis: asideTimeout });
    side.on('error', () => undefined);
    let timer: NodeJS.Timeout | undefined;
    try {
      await side.connect();
      timer = setTimeout(hangUp, asideTimeout, side);
      return await ask(side);
    } finally {
      clearTimeout(timer);
      hangUp(side);
    }
  }
}

/** Whether the server has sent this error: the driver's own errors, such as socket errors, have no severity. */
function isOfServer(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'severity') !== undefined;
}

function unlessOfServer(error: unknown): void {
  if (!isOfServer(error)) throw error;
}
