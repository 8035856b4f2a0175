import { binlogSource } from '../../src/dialects/mysql/binlog-source.ts';
import { mysql } from '../../src/dialects/mysql.ts';
import { openBinlog } from '../../src/execute/drivers/mysql/binlog.ts';
import type { Server } from '../../src/model/catalog.ts';
import type { Connection } from '../../src/model/engines.ts';
import type { Logged, LogStream } from '../../src/model/feed.ts';
import type { Session, TextRow } from './servers/sessions.ts';

export const answer = (cells: readonly TextRow[]) => ({ names: [], types: [], cells, found: cells.length });

export const serverOf = async (session: Pick<Session, 'query'>): Promise<Server> =>
  mysql.server(answer(await session.query(mysql.serverQuery)));

export function addressOf(url: string): Connection {
  const { hostname, port, username, password } = new URL(url);
  const login = { user: username, password: password || null, database: 'information_schema' };
  return { host: hostname, port: Number(port), ...login, socketPath: null, tls: null };
}

/** A binlog stream, and everything it has reported so far. */
export interface Followed {
  readonly stream: LogStream;
  readonly transactions: readonly Logged[];
  readonly position: number;
  /** Why the stream ended, if it ended by itself. */
  readonly causes: readonly unknown[];
}

/** @param log the identity that the server's log must have */
export async function follow(url: string, server: Server, log?: string): Promise<Followed> {
  const transactions: Logged[] = [];
  const causes: unknown[] = [];
  let position = 0;
  const stream = await openBinlog(addressOf(url), binlogSource(server, log), {
    committed: (transaction) => transactions.push(transaction),
    reached(next) {
      if (next <= position) throw new RangeError(`${next} after ${position}`);
      position = next;
    },
    ended: (cause) => causes.push(cause),
  });
  return {
    ...{ stream, transactions, causes },
    get position() {
      return position;
    },
  };
}

/** The number of binlog streams that the server is sending. */
export const streams = async (session: Pick<Session, 'query'>): Promise<number> =>
  (await session.query('SHOW PROCESSLIST')).filter((row) => row[4]?.startsWith('Binlog Dump')).length;
