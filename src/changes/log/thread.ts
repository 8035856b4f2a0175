/** The thread that reads logs. In the main thread, decoding a large transaction would block all requests. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Event } from '../../model/events.ts';
import { logReaders } from './log-readers.ts';
import type { FromThread, ToThread } from './names-in-thread.ts';
import { ThreadSleep } from './naps.ts';

const send = (message: FromThread): void => parentPort?.postMessage(message);
/** Puts an error's code into its message, because a message between threads loses the property `code`. */
function portable(event: Event): Event {
  if (!('cause' in event && event.cause instanceof Error)) return event;
  const code: unknown = Reflect.get(event.cause, 'code');
  return { ...event, cause: new Error(`${code === undefined ? '' : `${code}: `}${event.cause.message}`) };
}

const naps = new ThreadSleep(new Int32Array(workerData));
const names = logReaders((event) => {
  if (event.on === 'log opened') naps.opened(event.database);
  if (event.on === 'log lost' || event.on === 'log closed') naps.closed(event.database);
  send({ event: portable(event) });
});
parentPort?.on('message', async ({ ask, source, question }: ToThread) => {
  send({ answer: ask, tables: await naps.awake(names.tablesOf(source, question)) });
});
