import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Cell } from '../../../model/value.ts';
import { Pace } from '../../../values/slices.ts';
import type { BinaryFormat, TypedColumn } from '../format.ts';
import { isList, longValue } from './columns.ts';
import type { FileFacts, Sent } from './file.ts';
import type { FromThread, ToThread } from './thread.ts';

/** The number of batches that the thread may lag behind. */
const maxBehind = 4;
/** The thread's memory limit in megabytes: enough for a row group in all its forms, and a record of 64 MB. */
const maxMemoryMb = 256;

/** Apache Parquet, encoded in a thread of its own. */
export const parquet: BinaryFormat = {
  mediaType: 'application/vnd.apache.parquet',
  async *write({ columns, rows, about }) {
    // Readers find columns by name, so a column that is selected twice appears once.
    const unique = columns.map((column, at) => ({ ...column, at })).filter(isFirst);
    const facts: FileFacts = { about, columns: unique.map(({ name, type, label }) => ({ name, type, label })) };
    const transferred: ArrayBuffer[] = [];
    const sent = unique.map((column) => sender(column, transferred));
    const thread = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: facts,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 16 },
    });
    try {
      const messages = on(thread, 'message');
      const post = (message: ToThread) => thread.postMessage(message, transferred.splice(0));
      const pace = new Pace();
      let behind = 0;
      /** Yields the file's bytes until the thread is at most `most` batches behind; with 0, until it has encoded everything. */
      async function* until(most: number): AsyncGenerator<Uint8Array, void> {
        while (behind > most) {
          const [message]: [FromThread] = (await messages.next()).value;
          if (typeof message === 'string') behind--;
          else yield message;
        }
      }
      for await (const batch of rows) {
        post(batch.map((row) => unique.map(({ at }, nth) => sent[nth]?.(row[at] ?? null) ?? null)));
        behind++;
        yield* until(maxBehind - 1);
        if (pace.isDue()) await pace.turn();
      }
      post(null);
      behind++;
      yield* until(0);
    } finally {
      await thread.terminate();
    }
  },
};

const isFirst = ({ name }: TypedColumn, at: number, all: readonly TypedColumn[]): boolean =>
  all.findIndex((other) => other.name === name) === at;

/**
 * Makes a function that turns a cell into what the thread needs: bytes, or the text that the API shows. It adds the memory of long values to
 * `transferred`: posting a message with that list hands this memory over and copies the rest.
 */
function sender({ type, encoder }: TypedColumn, transferred: ArrayBuffer[]): (cell: Cell) => Sent {
  const owned = (bytes: Uint8Array<ArrayBuffer>) => {
    if (bytes.length > longValue) transferred.push(bytes.buffer);
    return bytes;
  };
  if (isList(type)) return (cell) => (cell === null ? null : String(cell));
  // A copy, because posting part of a buffer would post the whole buffer.
  if (type.kind === 'binary')
    return (cell) => (cell instanceof Uint8Array ? owned(Uint8Array.from(cell)) : encoder.plain(cell));
  return (cell) => {
    if (cell === null) return null;
    // MySQL's zero date is shown as null; the thread counts it as a lost value.
    const text = encoder.plain(cell) ?? '0000-00-00';
    return text.length > longValue ? owned(new TextEncoder().encode(text)) : text;
  };
}
