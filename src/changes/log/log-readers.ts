import type { Emit } from '../../model/events.ts';
import type { FeedSource } from '../../model/feed.ts';
import { LogReader } from './log-reader.ts';
import { logs } from './logs.ts';
import type { ChangeFeed } from './names.ts';

/** Milliseconds without a query until we close a log, because decoding it costs the server time. */
const idleTimeoutMs = 5 * 60_000;

/** Reads logs in this thread, with one reader per server and login. All queries about a server share its reader. */
export function logReaders(emit: Emit, openers: typeof logs = logs): ChangeFeed {
  const readers = new Map<string, { readonly database: string; readonly reader: LogReader }>();
  const sweep = setInterval(() => {
    for (const [key, { database, reader }] of readers) {
      if (performance.now() - reader.askedAt < idleTimeoutMs) continue;
      reader.close();
      readers.delete(key);
      // After a reload, another reader may read the same log with a new login.
      const isRead = [...readers.values()].some((other) => other.database === database);
      if (!isRead) emit({ on: 'log closed', database, commits: null });
    }
  }, idleTimeoutMs / 10).unref();
  const open = (source: FeedSource) => {
    const { database, client, maxCommitsPerSecond } = source;
    let isLost = false;
    return new LogReader({
      open: (listener) => openers[client](source, listener),
      opened() {
        isLost = false;
        emit({ on: 'log opened', database });
      },
      lost(cause) {
        // Report it once per outage, because the reader keeps trying to open the log.
        if (!isLost) emit({ on: 'log lost', database, cause });
        isLost = true;
      },
      tooBusy: (commits) => emit({ on: 'log closed', database, commits }),
      maxCommitsPerSecond,
    });
  };
  return {
    tablesOf(source, question) {
      const key = JSON.stringify(source);
      const entry = readers.get(key) ?? { database: source.database, reader: open(source) };
      readers.set(key, entry);
      return entry.reader.tablesOf(question);
    },
    close() {
      clearInterval(sweep);
      for (const { reader } of readers.values()) reader.close();
      readers.clear();
    },
  };
}
