import { dumpFormats } from '../../src/model/http.ts';
import type { Type } from '../../src/model/table.ts';
import type { Cell } from '../../src/model/value.ts';
import { type BinaryFormat, type FileContent, isBinary } from '../../src/reply/formats/format.ts';
import * as formats from '../../src/reply/formats/index.ts';
import { encoder } from '../../src/values/encode.ts';

export type Batches = readonly (readonly (readonly Cell[])[])[];

/** The formats of downloads that are text; a binary file also tells its URL and time. */
export const textFormats = dumpFormats.filter((name) => !isBinary(formats[name]));

/** The content of a file: columns by name and type, and rows in batches. */
export const content = (
  columns: readonly (readonly [name: string, type: Type])[],
  rows: Batches | FileContent['rows'],
): FileContent => ({
  columns: columns.map(([name, type]) => ({ name, type, encoder: encoder(type), label: null })),
  rows: Symbol.asyncIterator in rows ? rows : batches(rows),
  about: {
    ...{ resource: 'r', title: 'A <title>', licence: 'Free (https://free.example)', time: '2026-01-02T03:04:05.678Z' },
    address: 'https://data.example/datastore/dump/r?format=xlsx',
  },
});

async function* batches(all: Batches): AsyncGenerator<Batches[number], void> {
  yield* all;
}

export async function bytesOf(format: BinaryFormat, given: FileContent): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of format.write(given)) pieces.push(piece);
  return Buffer.concat(pieces);
}
