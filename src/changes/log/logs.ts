import { binlogSource } from '../../dialects/mysql/binlog-source.ts';
import { decoding } from '../../dialects/postgres/decoding.ts';
import type { ServerClient } from '../../model/engines.ts';
import type { FeedSource, LogListener, LogStream } from '../../model/feed.ts';

/** Opens the log of a server. Throws the driver's error. */
type OpenLog = (source: FeedSource, listener: LogListener) => Promise<LogStream>;

/** How to open the log of a server, by the configuration's `client`. A process loads only the drivers that it uses. */
export const logs: Readonly<Record<ServerClient, OpenLog>> = {
  async mysql({ connection, server, log }, listener) {
    const { openBinlog } = await import('../../execute/drivers/mysql/binlog.ts');
    return openBinlog(connection, binlogSource(server, log), listener);
  },
  async postgres({ connection }, listener) {
    const { openLogicalLog } = await import('../../execute/drivers/postgres/logical-log.ts');
    return openLogicalLog(connection, decoding, listener);
  },
};
