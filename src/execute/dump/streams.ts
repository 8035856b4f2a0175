import { type Answer, type Lines, plain, type Statement } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import type { Pool } from '../connection/pool.ts';
import { type CopyChunk, checkTypes, type Driver } from '../connection/session.ts';

export type Rows = readonly (readonly Cell[])[];

/**
 * Streams results with backpressure, each on a session of its own. If the caller stops early, or `signal` is aborted, the server
 * ends the statement at once, and the session is discarded. Every stream throws `PoolTimeout`, the driver's error, or the
 * signal's reason.
 */
export interface Streams {
  rows(statement: Statement, signal: AbortSignal): AsyncGenerator<Rows, void>;
  /** Runs statements one after the other, each built from the previous one's rows. */
  pages(statements: Generator<Statement, void, Rows>, signal: AbortSignal): AsyncGenerator<Rows, void>;
  /** Rows as bytes, formatted by a `Lines` writer; null if the driver does not expose the bytes that it receives. */
  readonly lines:
    | ((statement: Statement, lines: Lines, signal: AbortSignal) => AsyncGenerator<Uint8Array, void>)
    | null;
  /** The bytes of a COPY … TO STDOUT, in one transaction with `check`; null if the engine has no COPY. */
  readonly copy: ((check: Statement, text: string, signal: AbortSignal) => AsyncGenerator<CopyChunk, void>) | null;
  /** The same streams, but each first runs this check on its session, and throws the check's errors. */
  after(check: SessionCheck): Streams;
}

export type SessionCheck = (run: (statement: Statement) => Promise<Answer>) => Promise<void>;

/** Lends sessions to streams, and runs a check on each of them first. */
interface Lender {
  readonly driver: Driver;
  readonly pool: Pool;
  readonly check: SessionCheck | null;
}

/** Opens streams on the sessions of a pool; null if the driver cannot stream. */
export const openStreams = (driver: Driver, pool: Pool): Streams | null =>
  driver.stream === null ? null : streamsOf({ driver, pool, check: null }, driver.stream);

function streamsOf(lender: Lender, stream: NonNullable<Driver['stream']>): Streams {
  const { lines, copy } = lender.driver;
  const run = (raw: unknown, statement: Statement) => lender.driver.run(raw, statement, Number.MAX_SAFE_INTEGER);
  return {
    after: (check) => streamsOf({ ...lender, check }, stream),
    rows: (statement, signal) =>
      lend(lender, signal, async function* (raw) {
        for await (const { types, cells } of stream(raw, statement, signal)) {
          checkTypes(types, statement);
          yield cells;
        }
      }),
    pages: (statements, signal) =>
      lend(lender, signal, async function* (raw) {
        for (let next = statements.next([]); !next.done; ) {
          const { types, cells } = await run(raw, next.value);
          checkTypes(types, next.value);
          yield cells;
          next = statements.next(cells);
        }
      }),
    lines:
      lines &&
      ((statement, writer, signal) =>
        lend(lender, signal, async function* (raw) {
          for await (const { types, bytes } of lines(raw, statement, writer, signal)) {
            checkTypes(types, statement);
            yield* bytes;
          }
        })),
    copy:
      copy &&
      ((check, text, signal) =>
        lend(lender, signal, async function* (raw) {
          // The check locks the table's definition until the transaction ends.
          await run(raw, plain('BEGIN'));
          checkTypes((await run(raw, check)).types, check);
          yield* copy(raw, text, signal);
          await run(raw, plain('COMMIT'));
        })),
  };
}

/** Lends a session to a generator, and takes it back even if the caller never reads to the end. */
async function* lend<T>(
  { driver, pool, check }: Lender,
  signal: AbortSignal,
  work: (raw: unknown) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const raw = await pool.acquire();
  // The client has left while it waited for a connection. The connection was not used yet: return it to the pool.
  if (signal.aborted) {
    await pool.release(raw);
    throw signal.reason;
  }
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    pool.discard(raw);
    // Tell the server to end the session: even if the network connection is lost, its transaction would keep its locks.
    stopped ??= driver
      .end(raw)
      .catch(() => undefined)
      .then(() => {
        driver.destroy(raw);
        return pool.release(raw);
      });
    return stopped;
  };
  signal.addEventListener('abort', stop, { once: true });
  let isWhole = false;
  try {
    signal.throwIfAborted();
    if (check !== null) await check((statement) => driver.run(raw, statement, Number.MAX_SAFE_INTEGER));
    yield* work(raw);
    isWhole = true;
  } finally {
    signal.removeEventListener('abort', stop);
    await (isWhole && stopped === undefined ? pool.release(raw) : stop());
  }
}
