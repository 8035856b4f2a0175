import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { messages, PGlite } from '@electric-sql/pglite';
import knex from 'knex';
import type { Cell } from '../../model/value.ts';
import { type Driver, TooLarge, weigh } from '../connection/session.ts';

const identity = <T>(value: T): T => value;

/**
 * Makes PGlite pass every value in PostgreSQL's text format, in both directions, with an identity parser for each type. Array types are
 * known only once the instance has started. If we passed these hundreds of parsers to each query, it would copy them all.
 */
function keepText(client: PGlite): void {
  client.parsers = Object.fromEntries(Object.keys(client.parsers).map((oid) => [oid, identity]));
  client.serializers = { ...client.serializers, ...client.parsers };
}

/**
 * A PGlite that keeps a leading U+FEFF of a value. PGlite's TextDecoder drops it. PGlite creates that decoder with the instance, hence
 * `open`, and again after each error that it throws itself, hence `throwOnError: false`.
 */
class Verbatim extends PGlite {
  /** Replaces the global TextDecoder while the instance is created. No other code runs meanwhile, so none gets the replacement. */
  static open(directory: string | undefined): Verbatim {
    const { TextDecoder } = globalThis;
    globalThis.TextDecoder = class extends TextDecoder {
      constructor(label?: string, options?: ConstructorParameters<typeof TextDecoder>[1]) {
        super(label, { ...options, ignoreBOM: true });
      }
    };
    try {
      return new Verbatim(directory);
    } finally {
      globalThis.TextDecoder = TextDecoder;
    }
  }

  override async execProtocolStream(...[message, options]: Parameters<PGlite['execProtocolStream']>) {
    const answers = await super.execProtocolStream(message, { ...options, throwOnError: false });
    const error = answers.find((answer) => answer instanceof messages.DatabaseError);
    if (error !== undefined) throw error;
    return answers;
  }
}

/** PostgreSQL inside this process: one session, no timeouts, no cancelling. Without a directory, the data is in memory only. */
export function pglite(directory: string | null): Driver {
  class Client extends knex.Client {
    _driver(): object {
      return {};
    }

    override async acquireRawConnection(): Promise<PGlite> {
      if (directory !== null) lock(directory);
      const client = Verbatim.open(directory ?? undefined);
      await client.waitReady;
      keepText(client);
      return client;
    }

    override async destroyRawConnection(raw: unknown): Promise<void> {
      await clientOf(raw).close();
      if (directory !== null) rmSync(lockFile(directory), { force: true });
    }
  }
  // knex creates a pool only for a client with a driver name. It reads the name inside the constructor, so set it on the prototype.
  Client.prototype.driverName = 'pglite';
  return {
    knex: { client: Client, connection: {} },
    single: true,
    interruptible: false,

    async run(raw, { text, values }, maxBytes) {
      const result = await clientOf(raw).query<Cell[]>(text, [...values], { rowMode: 'array' });
      if (result.rows.reduce((bytes, row) => bytes + weigh(row), 0) > (maxBytes ?? Number.POSITIVE_INFINITY))
        throw new TooLarge();
      return {
        names: result.fields.map((field) => field.name),
        types: result.fields.map((field) => String(field.dataTypeID)),
        cells: result.rows,
        found: result.affectedRows ?? 0,
      };
    },

    stream: null,
    lines: null,
    copy: null,

    async setup(raw, text) {
      await clientOf(raw).exec(text);
    },

    identify: async () => undefined,
    cancel: async () => undefined,
    end: async () => undefined,
    // The engine is in this process: no pooler, and no connection that could be lost.
    leaksSettings: async () => false,

    activity: async () => 'ended',
    reach: async () => undefined,
    isLost: () => false,
    isCancelled: () => false,
    destroy: () => undefined,
  };
}

function clientOf(raw: unknown): PGlite {
  if (raw instanceof PGlite) return raw;
  throw new TypeError('not a connection of this driver');
}

const lockFile = (directory: string): string => `${directory.replace(/\/+$/, '')}.lock`;

/** Locks the directory by a file with the process id: two processes on one directory would corrupt it, and PGlite has no lock. */
function lock(directory: string): void {
  const file = lockFile(directory);
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
  } catch (error) {
    const owner = Number(readFileSync(file, 'utf8'));
    if (isRunning(owner))
      throw Object.assign(
        new Error(`the directory ${directory} is in use by process ${owner} (${file})`, { cause: error }),
        { code: 'EBUSY' },
      );
    rmSync(file, { force: true });
    lock(directory);
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}
