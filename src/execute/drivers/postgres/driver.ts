import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Connection } from '../../../model/engines.ts';
import type { Answer } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import { type Copied, type Driver, ResultRoom, TooLarge, weigh } from '../../connection/session.ts';
import { asideTimeout } from '../address.ts';
import { Flow } from '../flow.ts';
import { paced } from '../paced.ts';
import { configOf, hangUp, socketOf } from './connection.ts';
import { CopyOut } from './copy-out.ts';
import { isOfOtherSession, PreparedStatements } from './prepared.ts';
import { RowBytes, texts, written } from './row-bytes.ts';
import { type Identity, identityOf, ofSession } from './shown-session.ts';

export function postgres(address: Connection): Driver {
  const connection = configOf(address);
  const identities = new WeakMap<object, Identity>();
  /** Selects `what` of a session over a separate connection. */
  async function aside(what: string, raw: unknown): Promise<readonly object[]> {
    const identity = identities.get(clientOf(raw));
    return identity === undefined ? [] : asked(async (side) => (await side.query(ofSession(what, identity))).rows);
  }
  async function asked<T>(ask: (side: pg.Client) => Promise<T>): Promise<T> {
    const side = new pg.Client({
      ...connection,
      connectionTimeoutMillis: asideTimeout,
      query_timeout: asideTimeout,
    });
    side.on('error', () => undefined);
    try {
      await side.connect();
      return await ask(side);
    } finally {
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
      const taking = into === undefined ? texts(taker) : written(into, room);
      client.query(new RowBytes(statement, taker, taking, prepared));
      settled = paced(socketOf(client));
    });
  };

  return {
    knex: { client: 'pg', connection },
    single: false,
    interruptible: true,

    run(raw, statement, maxBytes, into) {
      // After such an error it has no name.
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
      const rows = new RowBytes(statement, taker, texts(taker), prepared);
      client.query(rows);
      for await (const cells of flow.taken()) yield { types: rows.types, cells };
    },

    lines: null,

    async *copy(raw, text, signal) {
      const client = clientOf(raw);
      const flow = new Flow<Copied>(socketOf(client), signal);
      client.query(new CopyOut(text, flow));
      for await (const chunks of flow.taken()) yield* chunks;
    },

    async setup(raw, text) {
      await clientOf(raw).query(text);
    },

    async identify(raw) {
      const client = clientOf(raw);
      const identity = await identityOf(client);
      if (identity !== undefined) identities.set(client, identity);
    },

    cancel,

    end: (raw) => aside('pg_terminate_backend(pid)', raw).then(() => undefined, unlessOfServer),

    async activity(raw) {
      const [row] = await aside('state', raw);
      if (row === undefined) return 'ended';
      return String(Reflect.get(row, 'state')).startsWith('idle') ? 'idle' : 'busy';
    },

    async leaksSettings(raw) {
      const client = clientOf(raw);
      if (identities.get(client)?.pid === Reflect.get(client, 'processID')) return false;
      const mark = randomUUID();
      const set = `SELECT set_config('datastore_gateway.session', $1, false)`;
      const get = `SELECT current_setting('datastore_gateway.session', true) AS mark`;
      return asked(async (side) => {
        await client.query(set, [mark]);
        // The next session of the pooler may be another.
        for (let look = 0; look < 5; look++) {
          const { rows } = await side.query<{ readonly mark: unknown }>(get);
          if (rows[0]?.mark === mark) return true;
        }
        return false;
      });
    },

    reach: () => asked(async () => undefined).catch(unlessOfServer),

    // These classes end a session (the severity's word is translated).
    isLost: (error) =>
      error instanceof Error && (!isOfServer(error) || /^(08|57P|25P03)/.test(String(Reflect.get(error, 'code')))),
    isCancelled: (error) => error instanceof Error && Reflect.get(error, 'code') === '57014',

    destroy: (raw) => hangUp(clientOf(raw)),
  };
}

/** An error without severity comes from the driver, about its socket. */
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
