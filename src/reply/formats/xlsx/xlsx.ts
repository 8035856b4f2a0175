import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { Pace } from '../../../values/slices.ts';
import type { BinaryFormat, FileContent } from '../format.ts';
import { cellWriter, type Exceptions, style, textCell } from './cells.ts';
import { aboutSheet, frameOf, sheetHead, sheetTail, widthOf } from './parts.ts';
import { RemainingRows } from './remaining-rows.ts';

/** A sheet's limits; the next record begins another sheet. */
export interface SheetLimits {
  /** The number of rows, including the header. */
  readonly rows: number;
  /** Bytes of XML. Old readers accept zip entries up to 4 GB (no Zip64). One record may exceed the limit. */
  readonly bytes: number;
}

/** Approximate number of characters per piece. */
const pieceLength = 64 * 1024;

/** A format that writes workbooks whose sheets have these limits. */
export function workbook(limits: SheetLimits): BinaryFormat {
  return {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    async *write(content) {
      const rows = new RemainingRows(content.rows);
      const end = new AbortController();
      const output = new PassThrough();
      try {
        // Write nothing before the first row has arrived: an error can still become a status code until then.
        await rows.fill();
        const zip = new ZipFile();
        const fail = (error: Error) => output.destroy(error);
        zip.on('error', fail).outputStream.pipe(output);
        zipSheets(zip, content, rows, limits, end.signal).catch(fail);
        for await (const piece of output) yield piece;
      } finally {
        output.destroy();
        end.abort();
        await rows.close();
      }
    },
  };
}

export const xlsx: BinaryFormat = workbook({ rows: 1_048_576, bytes: 3.5e9 });

/** Compresses one sheet after the other in the thread pool, as fast as the output is read. */
async function zipSheets(
  zip: ZipFile,
  content: FileContent,
  rows: RemainingRows,
  limits: SheetLimits,
  signal: AbortSignal,
): Promise<void> {
  const counts: Exceptions = { cut: 0, numbers: 0, times: 0 };
  const sheetOf = sheets(content, rows, limits, counts);
  const names: string[] = [];
  do {
    const sheet = Readable.from(sheetOf(), { objectMode: false, highWaterMark: 4 * pieceLength, signal });
    names.push(names.length === 0 ? 'Data' : `Data ${names.length + 1}`);
    zip.addReadStream(sheet, `xl/worksheets/sheet${names.length}.xml`);
    await finished(sheet);
  } while (await rows.fill());
  names.push('About');
  const about = aboutSheet(content.about, rows.taken, counts);
  zip.addBuffer(Buffer.from(about), `xl/worksheets/sheet${names.length}.xml`);
  for (const [path, xml] of Object.entries(frameOf(names))) zip.addBuffer(Buffer.from(xml), path);
  zip.end();
}

/** Returns a function that writes the next sheet. Widths come from the first batch, which `rows` already has. */
function sheets({ columns }: FileContent, rows: RemainingRows, limits: SheetLimits, counts: Exceptions) {
  const writers = columns.map(({ type }) => cellWriter(type, counts));
  const plain = columns.map(({ encoder }) => encoder.plain);
  const widths = columns.map((column, nth) => widthOf(column, rows.batch.slice(0, 100), nth));
  const head = `${sheetHead(widths, true)}<row>${columns.map(({ name }) => textCell(name, style.header)).join('')}</row>`;
  return async function* (): AsyncGenerator<Uint8Array, void> {
    const pace = new Pace();
    let [text, count, bytes] = [head, 1, 0];
    for (; count < limits.rows && bytes < limits.bytes && (rows.hasRow || (await rows.fill())); count++) {
      const cells = rows.take();
      text += '<row>';
      for (let at = 0; at < writers.length; at++) {
        const shown = plain[at]?.(cells[at] ?? null) ?? null;
        text += shown === null ? '<c/>' : writers[at]?.(shown);
      }
      text += '</row>';
      // Without a pause, this loop would never wait for a fast client, and no other call would run.
      if (pace.isDue()) await pace.turn();
      if (text.length < pieceLength) continue;
      const piece = Buffer.from(text);
      bytes += piece.length;
      text = '';
      yield piece;
    }
    yield Buffer.from(text + sheetTail({ columns: columns.length, rows: count }));
  };
}
