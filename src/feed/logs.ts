import { decoding } from '../dialects/postgres/decoding.ts';
import { openLogicalLog } from '../execute/drivers/postgres/logical-log.ts';
import type { ServerClient } from '../model/engines.ts';
import type { LogListener, LogStream } from '../model/feed.ts';
import type { FeedSource } from './names.ts';

/** Opens the log of a server. Throws the driver's error. */
type OpenLog = (source: FeedSource, listener: LogListener) => Promise<LogStream>;

/** The registry: the configuration's `client` → how the log of its server is opened. */
export const logs: Readonly<Partial<Record<ServerClient, OpenLog>>> = {
  postgres: ({ connection }, listener) => openLogicalLog(connection, decoding, listener),
};
