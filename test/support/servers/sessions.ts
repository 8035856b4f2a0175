import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';

/** A row with all values as text. */
export type TextRow = readonly (string | null)[];

/** A session of a test with a server. Its settings last until it is closed. */
export interface Session {
  /** Runs a script of one or more statements. */
  exec(sql: string): Promise<void>;
  /** Runs one statement and returns its rows. */
  query(sql: string): Promise<readonly TextRow[]>;
  close(): Promise<void>;
}

const connectLimit = 10_000;

/** Opens a session with a PostgreSQL server. */
export async function openPostgres(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectLimit });
  // If a test kills this session, the next call fails; without this listener the whole process would.
  client.on('error', () => undefined);
  await client.connect();
  const types = { getTypeParser: () => (text: string) => text };
  return {
    exec: async (sql) => void (await client.query(sql)),
    query: async (text) => textRows((await client.query({ text, rowMode: 'array', types })).rows),
    close: () => client.end(),
  };
}

/** Opens a session with a MySQL or MariaDB server. Its sql_mode is the server's default. */
export async function openMysql(url: string): Promise<Session> {
  const connection = await createConnection({ uri: url, multipleStatements: true, connectTimeout: connectLimit });
  connection.on('error', () => undefined);
  return {
    exec: async (sql) => void (await connection.query(sql)),
    query: async (sql) => {
      // Decoded as UTF-8 explicitly, because JSON columns are flagged as binary. Tests read real binary values as HEX(…).
      const ask = () => connection.query({ sql, rowsAsArray: true, typeCast: (field) => field.string('utf8') });
      for (let time = 1; ; time++) {
        const answer = await ask().catch((error: unknown) => {
          if (time === 50 || !isUnlisted(error)) throw error;
          return null;
        });
        if (answer !== null) return textRows(answer[0]);
        await sleep(20);
      }
    },
    close: () => connection.end(),
  };
}

/** MySQL 9 fails to list the running statements while one of them, in any session, contains a four-byte character. */
const isUnlisted = (error: unknown) => error instanceof Error && Reflect.get(error, 'errno') === 3854;

/** Opens a PGlite directory. It must not be opened again until `close`. */
export async function openPglite(directory: string): Promise<Session> {
  const db = await PGlite.create(directory);
  return {
    exec: async (sql) => void (await db.exec(sql)),
    query: async (sql) => {
      // PGlite looks parsers up by their type number and has no default parser, so we register one for every type.
      const { rows: types } = await db.query<{ oid: number }>('SELECT oid FROM pg_type');
      const parsers = Object.fromEntries(types.map(({ oid }) => [oid, (text: string) => text]));
      return textRows((await db.query(sql, [], { rowMode: 'array', parsers })).rows);
    },
    close: () => db.close(),
  };
}

function textRows(rows: unknown): TextRow[] {
  const isText = (cell: unknown): cell is string | null => cell === null || typeof cell === 'string';
  const isRow = (row: unknown): row is TextRow => Array.isArray(row) && row.every(isText);
  if (!Array.isArray(rows) || !rows.every(isRow)) throw new TypeError('the statement did not answer with rows of text');
  return rows;
}
