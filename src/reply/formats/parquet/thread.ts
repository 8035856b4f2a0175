/** The thread that encodes one download as Parquet. */
import { parentPort, workerData } from 'node:worker_threads';
import { ParquetFile, type Sent } from './file.ts';

/** Rows to encode, or null after the last ones. */
export type ToThread = readonly (readonly Sent[])[] | null;
/** Bytes of the file; `taken` after each batch, `end` after the last bytes. */
export type FromThread = Uint8Array | 'taken' | 'end';

const send = (message: FromThread, transferred: readonly ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transferred);
const file = new ParquetFile(workerData, (bytes) => send(bytes, [bytes.buffer]));
parentPort?.on('message', (rows: ToThread) => {
  if (rows === null) file.finish();
  else file.add(rows);
  send(rows === null ? 'end' : 'taken');
});
