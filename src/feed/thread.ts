/** The thread that reads logs: decoding a large transaction would stall the answers of the process. */
import { parentPort } from 'node:worker_threads';
import type { Event } from '../model/events.ts';
import { logReaders } from './log-readers.ts';
import type { FromThread, ToThread } from './names-in-thread.ts';

const send = (message: FromThread): void => parentPort?.postMessage(message);
/** An error would lose its code on the way. */
function portable(event: Event): Event {
  if (!('cause' in event && event.cause instanceof Error)) return event;
  const code: unknown = Reflect.get(event.cause, 'code');
  return { ...event, cause: new Error(`${code === undefined ? '' : `${code}: `}${event.cause.message}`) };
}

const names = logReaders((event) => send({ event: portable(event) }));
parentPort?.on('message', async ({ ask, source, question }: ToThread) => {
  send({ answer: ask, tables: await names.tablesOf(source, question) });
});
