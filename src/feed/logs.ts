import { binlogSource } from '../dialects/mysql/binlog-source.ts';
import { decoding } from '../dialects/postgres/decoding.ts';
import { openBinlog } from '../execute/drivers/mysql/binlog.ts';
import { openLogicalLog } from '../execute/drivers/postgres/logical-log.ts';
import type { ServerClient } from '../model/engines.ts';
import type { LogListener, LogStream } from '../model/feed.ts';
import type { FeedSource } from './names.ts';

/** Opens the log of a server. Throws the driver's error. */
type OpenLog = (source: FeedSource, listener: LogListener) => Promise<LogStream>;

/** The registry: the configuration's `client` → how the log of its server is opened. */
export const logs: Readonly<Record<ServerClient, OpenLog>> = {
  mysql: ({ connection, server, log }, listener) => openBinlog(connection, binlogSource(server, log), listener),
  postgres: ({ connection }, listener) => openLogicalLog(connection, decoding, listener),
};
