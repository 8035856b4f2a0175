import type { Emit } from '../../model/events.ts';
import type { FeedSource } from '../../model/feed.ts';
import { LogReader } from './log-reader.ts';
import { logs } from './logs.ts';
import type { Names } from './names.ts';

/** Milliseconds without a question after which a log is not read any more: decoding costs the server work. */
const idle = 5 * 60_000;

/** Reads logs in this thread: one for each server and login, however many ask. */
export function logReaders(emit: Emit, openers: typeof logs = logs): Names {
  const readers = new Map<string, { readonly database: string; readonly reader: LogReader }>();
  const sweep = setInterval(() => {
    for (const [key, { database, reader }] of readers) {
      if (performance.now() - reader.askedAt < idle) continue;
      reader.close();
      readers.delete(key);
      // After a reload another login may read it.
      const isRead = [...readers.values()].some((other) => other.database === database);
      if (!isRead) emit({ on: 'log closed', database, commits: null });
    }
  }, idle / 10).unref();
  const open = (source: FeedSource) => {
    const { database, client, mostCommits } = source;
    let isLost = false;
    return new LogReader({
      open: (listener) => openers[client](source, listener),
      opened() {
        isLost = false;
        emit({ on: 'log opened', database });
      },
      lost(cause) {
        // It is tried again and again.
        if (!isLost) emit({ on: 'log lost', database, cause });
        isLost = true;
      },
      tooBusy: (commits) => emit({ on: 'log closed', database, commits }),
      mostCommits,
    });
  };
  return {
    tablesOf(source, question) {
      const key = JSON.stringify(source);
      const known = readers.get(key) ?? { database: source.database, reader: open(source) };
      readers.set(key, known);
      return known.reader.tablesOf(question);
    },
    close() {
      clearInterval(sweep);
      for (const { reader } of readers.values()) reader.close();
      readers.clear();
    },
  };
}
