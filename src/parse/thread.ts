/** The thread that parses long texts. In the main thread, a hostile text would block all requests. */
import { parentPort } from 'node:worker_threads';
import { SqlFault } from '../model/select.ts';
import type { FromParseThread } from './parse-thread.ts';
import { loadParser } from './postgres-parser.ts';
import { readTree } from './tree/read-select.ts';

const send = (message: FromParseThread): void => parentPort?.postMessage(message);
const parse = await loadParser();

parentPort?.on('message', (sql: string) => {
  try {
    send({ select: readTree(parse(sql)) });
  } catch (error) {
    // Any other error ends the thread, because the parser's memory may be corrupt.
    if (!(error instanceof SqlFault)) throw error;
    send({ fault: { text: error.message, at: error.at } });
  }
});
send('ready');
