/** The bytes of a download: reads rows from a replica or the primary, and encodes them in the format. */
import { ClientGone } from '../accept/body.ts';
import { field } from '../actions/query/columns.ts';
import { meteredBatches } from '../execute/connection/meter.ts';
import { dump, type Piece } from '../execute/dump/dump.ts';
import type { Rows } from '../execute/dump/streams.ts';
import type { DumpFormat } from '../model/http.ts';
import { isRank, type Read } from '../model/plan.ts';
import type { Guarded } from '../model/row-filter.ts';
import type { DelimitedLines } from '../model/rows.ts';
import type { Type } from '../model/table.ts';
import { type DownloadFormat, type FileContent, isBinary } from '../reply/formats/format.ts';
import * as formats from '../reply/formats/index.ts';
import { rowParts } from '../reply/formats/long-cells.ts';
import type { Connected, Resolved } from '../tables/served.ts';
import { Pace } from '../values/slices.ts';
import type { Call } from './call.ts';
import { emitQueried } from './finish.ts';
import { leaveReplica, type Reading, replicaFor } from './replica-of-read.ts';
import { nameFlag } from './run-read.ts';
import { excludes, maxExcludedCharacters, translate } from './translate.ts';

/** What is downloaded, from where, and how it is written. */
export interface Download {
  readonly resource: Resolved;
  readonly connected: Connected;
  readonly plan: Guarded<Read>;
  readonly format: DumpFormat;
  readonly bom: boolean;
  /** The URL of the download, without a token. */
  readonly address: string;
}

/** Approximate number of characters per piece. */
const pieceLength = 64 * 1024;

/** The bytes of a file. Throws a `Refusal` or `ClientGone`. */
export async function* downloadBytes(call: Call, file: Download): AsyncGenerator<Uint8Array, void> {
  const { resource, connected, plan } = file;
  for (let attempt = 1; ; attempt++) {
    const reading: Reading = { call, resource, connected, spent: { waited: 0, queried: 0 }, server: 'primary' };
    try {
      yield* encoded(reading, file);
      return;
    } catch (error) {
      // The filter has a character that the database encoding lacks. The server reports that before the first row, so we can retry.
      if (attempt < maxExcludedCharacters && excludes(error, plan, connected)) continue;
      const refused = errorOf(call, call.signal.aborted ? call.signal.reason : error, file);
      throw await nameFlag(refused, call, resource, plan);
    } finally {
      emitQueried(call, reading.server, 'dump', plan, reading.spent);
    }
  }
}

/** Translates an error of the source or the reason of an abort into a `Refusal`; keeps `ClientGone`. */
export function errorOf({ gateway }: Call, reason: unknown, { plan, connected }: Download): unknown {
  if (reason instanceof ClientGone) return reason;
  return translate(reason, plan, connected, gateway.settings.limits.responseBytes);
}

function encoded(reading: Reading, file: Download): AsyncGenerator<Uint8Array, void> {
  const format = formats[file.format];
  return isBinary(format) ? format.write(contentOf(reading, file)) : encodedText(reading, file, format);
}

/** The type that a rank has in files. */
const rankType: Type = { kind: 'float', bits: 32, nan: false };

function contentOf(reading: Reading, { plan, resource, address }: Download): FileContent {
  const { licence } = resource.settings.metadata;
  return {
    columns: plan.columns.map((shown) => ({
      name: shown.label,
      type: isRank(shown) ? rankType : shown.type,
      encoder: reading.connected.dialect.encoder(shown),
      label: isRank(shown) || typeof shown.info?.label !== 'string' ? null : shown.info.label,
    })),
    rows: cellsOf(meteredBatches(rows(reading, plan, null), reading.spent)),
    about: {
      ...{ resource: resource.id, title: resource.settings.title, address, time: new Date().toISOString() },
      licence: licence === null ? '' : `${licence.title} (${licence.url})`,
    },
  };
}

/** The batches of a source that got no `DelimitedLines`, so that no piece is bytes. */
async function* cellsOf(pieces: AsyncIterable<Piece>): AsyncGenerator<Rows, void> {
  for await (const piece of pieces) if (!(piece instanceof Uint8Array)) yield piece;
}

/** Encodes rows as text. Rows that the driver delivers as bytes in this format pass through unchanged. */
async function* encodedText(
  reading: Reading,
  { plan, bom }: Download,
  maker: DownloadFormat,
): AsyncGenerator<Uint8Array, void> {
  const fields = plan.columns.map(field);
  const encoders = plan.columns.map(reading.connected.dialect.encoder);
  const writing = maker.format(fields, encoders);
  const pace = new Pace();
  let text = (bom && maker.bom ? '\ufeff' : '') + (maker.header?.(fields) ?? writing.head);
  let gap = '';
  for await (const some of meteredBatches(rows(reading, plan, maker.lines?.(encoders) ?? null), reading.spent)) {
    if (some instanceof Uint8Array) {
      if (text !== '') yield Buffer.from(text);
      text = '';
      yield some;
      // With a fast client, this loop would handle two megabytes of buffered rows before any other call runs.
      if (pace.isDue()) await pace.turn();
      continue;
    }
    for (const cells of some) {
      text += gap;
      gap = writing.between;
      for (const part of rowParts(writing, encoders, cells)) {
        text += part;
        // With a fast client, this loop would never wait, and no other call would run.
        if (pace.isDue()) await pace.turn();
        if (text.length < pieceLength) continue;
        // Yield bytes: a socket writes them three times as fast as a string.
        yield Buffer.from(text);
        text = '';
      }
    }
  }
  yield Buffer.from(text + writing.tail);
}

/** All rows of a plan, from a replica if possible. The primary takes over only if the replica fails before its first row. */
async function* rows(reading: Reading, plan: Guarded<Read>, lines: DelimitedLines | null): AsyncGenerator<Piece, void> {
  const { call, connected } = reading;
  const { database, dialect } = connected;
  const replica = await replicaFor(reading, true);
  if (replica !== null) {
    let isBegun = false;
    try {
      for await (const piece of dump(replica.sessions, dialect, plan, lines, call.signal)) {
        isBegun = true;
        yield piece;
      }
      return;
    } catch (error) {
      if (isBegun && !call.signal.aborted) throw error;
      leaveReplica(reading, replica, error);
    }
  }
  yield* dump(database, dialect, plan, lines, call.signal);
}
