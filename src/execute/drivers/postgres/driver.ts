import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Connection } from '../../../model/engines.ts';
import { type Answer, plain } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import { type CopyChunk, type Driver, ResultRoom, roomForEach, TooLarge, weigh } from '../../connection/session.ts';
import { asideTimeout } from '../address.ts';
import { Flow } from '../flow.ts';
import { paceSocket } from '../paced.ts';
import { configOf, hangUp, socketOf } from './connection.ts';
import { CopyOut } from './copy-out.ts';
import { isOfOtherSession, PreparedStatements } from './prepared.ts';
import { RowBytes, texts, written } from './row-bytes.ts';
import { type Identity, selectFromSession, selectIdentity } from './session-identity.ts';

export function postgres(address: Connection): Driver {
  const connection = configOf(address);
  const identities = new WeakMap<object, Identity>();
  /** Whether there is a pooler in front of the server that gives each client a session of its own. */
  let isSessionPooler = false;
  /** Selects `what` about a session on a separate connection; null if the server does not have the session any more. */
  async function aside(what: string, raw: unknown): Promise<readonly Cell[] | null> {
    const identity = identities.get(clientOf(raw));
    if (identity === undefined) return null;
    const { cells } = await onSideConnection((side) => once(side, selectFromSession(what, identity), unbounded));
    return cells[0] ?? null;
  }
  async function onSideConnection<T>(ask: (side: pg.Client) => Promise<T>): Promise<T> {
    const side = new pg.Client({ ...connection, connectionTimeoutMillis: asideTimeout });
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

  const cancel = (raw: unknown) => aside('pg_cancel_backend(pid)', raw).then(() => undefined, unlessOfServer);
  const prepared = new PreparedStatements();
  const once: Driver['run'] = (raw, statement, maxBytes, into) => {
    const client = clientOf(raw);
    return new Promise((resolve, reject) => {
      const cells: (readonly Cell[])[] = [];
      const room = new ResultRoom(maxBytes, () => void cancel(raw).catch(() => client.end()));
      let settled = () => {};
      const taker = {
        row: (row: readonly Cell[]) => {
          if (room.has(weigh(row))) cells.push(row);
        },
        failed: (error: unknown) => {
          settled();
          reject(room.isOver ? new TooLarge() : error);
        },
        ended: (answer: Omit<Answer, 'cells'>) => {
          settled();
          if (room.isOver) reject(new TooLarge());
          else resolve({ cells, ...answer });
        },
      };
      const taking = into === undefined ? texts(taker, room) : written(into, room);
      client.query(new RowBytes(statement, taker, taking, prepared));
      settled = paceSocket(socketOf(client));
    });
  };

  return {
    knex: { client: 'pg', connection },
    single: false,
    interruptible: true,

    run(raw, statement, maxBytes, into) {
      // The session does not have the prepared statement any more: try again, this time unnamed.
      return once(raw, statement, maxBytes, into).catch((error: unknown) => {
        if (statement.template === undefined || !isOfOtherSession(error)) throw error;
        return once(raw, statement, maxBytes, into);
      });
    },

    async *stream(raw, statement, signal) {
      const client = clientOf(raw);
      const flow = new Flow<readonly Cell[]>(socketOf(client), signal);
      const taker = {
        row: (row: readonly Cell[]) => flow.push(row, weigh(row)),
        failed: (error: unknown) => flow.fail(error),
        ended: () => flow.end(),
      };
      const rows = new RowBytes(statement, taker, texts(taker, roomForEach), prepared);
      client.query(rows);
      for await (const cells of flow.taken()) yield { types: rows.types, cells };
    },

    lines: null,

    async *copy(raw, text, signal) {
      const client = clientOf(raw);
      const flow = new Flow<CopyChunk>(socketOf(client), signal);
      client.query(new CopyOut(text, flow));
      for await (const chunks of flow.taken()) yield* chunks;
    },

    async setup(raw, text) {
      await once(raw, plain(text), unbounded);
    },

    async identify(raw) {
      const { cells } = await once(raw, selectIdentity, unbounded);
      const [[pid, began] = []] = cells;
      if (typeof pid === 'string' && typeof began === 'string') identities.set(clientOf(raw), [pid, began]);
    },

    cancel,

    end: (raw) => aside('pg_terminate_backend(pid)', raw).then(() => undefined, unlessOfServer),

    async activity(raw) {
      const row = await aside('state', raw);
      if (row === null) return 'ended';
      return String(row[0]).startsWith('idle') ? 'idle' : 'busy';
    },

    async leaksSettings(raw) {
      const client = clientOf(raw);
      // Without a pooler, the pid that the client got is the server's. Don't check a session pooler again: it may have no connection left.
      if (isSessionPooler || Number(identities.get(client)?.[0]) === Reflect.get(client, 'processID')) return false;
      const ask = (of: unknown, text: string, ...values: readonly string[]) =>
        once(of, { text, values }, unbounded).then(({ cells }) => cells[0]?.[0]);
      const mark = randomUUID();
      const set = `SELECT set_config('datastore_gateway.session', $1, false)`;
      const get = `SELECT current_setting('datastore_gateway.session', true)`;
      return onSideConnection(async (side) => {
        await ask(raw, set, mark);
        // A pooler may lend another of its sessions each time, so look several times.
        for (let look = 0; look < 5; look++) if ((await ask(side, get)) === mark) return true;
        isSessionPooler = true;
        return false;
      });
    },

    reach: () => onSideConnection(async () => undefined).catch(unlessOfServer),

    // These error classes end a session. We don't look at the severity, because the server translates that word.
    isLost: (error) =>
      error instanceof Error && (!isOfServer(error) || /^(08|57P|25P03)/.test(String(Reflect.get(error, 'code')))),
    isCancelled: (error) => error instanceof Error && Reflect.get(error, 'code') === '57014',

    destroy: (raw) => hangUp(clientOf(raw)),
  };
}

const unbounded = Number.MAX_SAFE_INTEGER;

/** Whether the server has sent this error: errors of the driver, such as of its socket, have no severity. */
function isOfServer(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'severity') !== undefined;
}

function unlessOfServer(error: unknown): void {
  if (!isOfServer(error)) throw error;
}

function clientOf(raw: unknown): pg.Client {
  if (raw instanceof pg.Client) return raw;
  throw new TypeError('not a connection of this driver');
}
