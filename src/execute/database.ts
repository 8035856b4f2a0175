import knex from 'knex';
import type { Answer, Statement } from '../plan.ts';
import { Busy, type Driver, Overdue, Retyped, TooLarge } from './session.ts';

export interface Session {
  /** Runs one statement; throws the driver's error, `Overdue` after `deadline` milliseconds, `TooLarge` above `maxBytes`. */
  run(statement: Statement, bounds?: { readonly deadline?: number; readonly maxBytes?: number }): Promise<Answer>;
}

export interface Database {
  readonly name: string;
  /** Lends a session for `work`. A session whose statement was cancelled, or that broke, is not lent again. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly name: string;
  readonly driver: Driver;
  readonly max: number;
  /** Milliseconds to wait for a free connection. */
  readonly acquireTimeout: number;
  /** Milliseconds a statement may take. */
  readonly statementTimeout: number;
  /** Tells a new session what it must know before it is lent. */
  greet(run: (text: string) => Promise<Answer>, setup: (text: string) => Promise<void>): Promise<void>;
}

/** The server's own limit comes first; ours is for statements that it does not limit. */
const grace = 300;
const unbounded = Number.MAX_SAFE_INTEGER;

/** One pool of connections to one database. Nothing is connected before the first use. */
export function openDatabase({
  name,
  driver,
  max,
  acquireTimeout,
  statementTimeout,
  greet,
}: DatabaseOptions): Database {
  const quiet = () => undefined;
  const pool = knex({
    ...driver.knex,
    pool: {
      min: 0,
      max: driver.single ? 1 : max,
      afterCreate(raw: unknown, done: (error: unknown, raw: unknown) => void) {
        const run = (text: string) => driver.run(raw, { text, values: [] }, unbounded);
        greet(run, (text) => driver.setup(raw, text)).then(
          () => done(null, raw),
          (error) => done(error, raw),
        );
      },
    },
    acquireConnectionTimeout: acquireTimeout,
    log: { warn: quiet, error: quiet, debug: quiet, deprecate: quiet },
  }).client;

  return {
    name,
    async use(work) {
      const raw: unknown = await pool.acquireConnection().catch((error: unknown) => {
        throw error instanceof Error && error.name === 'KnexTimeoutError'
          ? new Busy(`no connection to ${name} was free`, { cause: error })
          : error;
      });
      try {
        return await work({
          run: (statement, { deadline = statementTimeout + grace, maxBytes = unbounded } = {}) =>
            within(
              driver.interruptible ? deadline : null,
              driver.run(raw, statement, maxBytes).then((answer) => sameTypes(answer, statement)),
              async () => {
                discard(raw);
                await driver.cancel(raw);
              },
            ).catch((error: unknown) => {
              // A session in an unknown state is never lent again; a statement the server refused leaves it sound.
              if (error instanceof Overdue) driver.destroy(raw);
              else if (!(error instanceof TooLarge || error instanceof Retyped) && driver.isLost(error)) discard(raw);
              throw error;
            }),
        });
      } finally {
        await pool.releaseConnection(raw);
      }
    },
    close: () => pool.destroy(),
  };
}

/** Encoders and comparisons are made for the types of the catalogue; a column retyped to text would otherwise inject JSON. */
function sameTypes(answer: Answer, { types = [] }: Statement): Answer {
  if (types.every((type, at) => type === '' || answer.types[at] === type)) return answer;
  throw new Retyped('the result has other types than the catalogue');
}

/** knex checks this mark before it lends a connection again, and destroys one that has it. */
function discard(raw: unknown): void {
  if (typeof raw === 'object' && raw !== null) Reflect.set(raw, '__knex__disposed', new Error('cancelled'));
}

/** Waits for `work`, cancels it when it takes too long, and then does not wait for ever either. */
async function within<T>(milliseconds: number | null, work: Promise<T>, cancel: () => Promise<void>): Promise<T> {
  if (milliseconds === null) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const give = () => reject(new Overdue(`the statement took longer than ${milliseconds} ms`));
      cancel().then(give, give);
    }, milliseconds);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
