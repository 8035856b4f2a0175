import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Type } from '../../../model/table.ts';
import type { FileAbout } from '../format.ts';
import { longValue, type ParquetColumn, parquetColumn, type Value } from './columns.ts';

/** What the thread needs to know about a file. */
export interface FileFacts {
  readonly columns: readonly { readonly name: string; readonly type: Type; readonly label: string | null }[];
  readonly about: FileAbout;
}

/** A value as it is sent to the thread. */
export type Sent = string | Uint8Array | null;

/** Limits of a row group, which is in memory twice: as values and encoded. */
const [maxRows, maxLength] = [20_000, 16_000_000];
/** Longer values get no statistics: the writer would keep each group's least and greatest one until the end of the file. */
const maxStatisticsLength = 1000;

class Output extends ByteWriter {
  readonly #take: (bytes: Uint8Array<ArrayBuffer>) => void;

  constructor(take: (bytes: Uint8Array<ArrayBuffer>) => void) {
    super(longValue);
    this.#take = take;
  }

  flush(): void {
    if (this.index > 0) this.#take(this.getBytes().slice());
    this.index = 0;
  }

  override appendBytes(value: Uint8Array): void {
    if (value.length < longValue) super.appendBytes(value);
    else {
      this.flush();
      const { buffer, length } = value;
      // The writer does not reuse the memory of a page, so we may hand it over.
      const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === length;
      this.#take(isWhole ? new Uint8Array(buffer) : value.slice());
      this.offset += length;
    }
  }

  override finish(): void {
    this.flush();
  }
}

/** Encodes a Parquet file group by group. Encoding a group takes 200 ms, so it runs in a thread. */
export class ParquetFile {
  readonly #facts: FileFacts;
  readonly #columns: readonly ParquetColumn[];
  readonly #writer: ParquetWriter;
  #values: Value[][];
  #length = 0;
  /** The length of the longest value in each column of the group. */
  #longest: number[];
  /** For each column, the values that Parquet cannot hold and that became null, with how often each occurred. */
  readonly #lost: Record<string, Record<string, number>> = {};
  readonly #losers: readonly ((text: string) => null)[];

  /** @param take receives the file's bytes as they are finished */
  constructor(facts: FileFacts, take: (bytes: Uint8Array<ArrayBuffer>) => void) {
    this.#facts = facts;
    this.#columns = facts.columns.map(({ name, type }) => parquetColumn(name, type));
    this.#values = this.#columns.map(() => []);
    this.#longest = this.#columns.map(() => 0);
    this.#losers = facts.columns.map(({ name }) => (text) => {
      const reason = /^-?(?:inf|nan)/i.test(text) ? text : text.startsWith('0000-00-00') ? '0000-00-00' : 'other';
      this.#lost[name] ??= {};
      const counts = this.#lost[name];
      counts[reason] = (counts[reason] ?? 0) + 1;
      return null;
    });
    const root = { name: 'root', num_children: this.#columns.length };
    this.#writer = new ParquetWriter({
      writer: new Output(take),
      schema: [root, ...this.#columns.flatMap(({ elements }) => elements)],
      createdBy: 'datastore-gateway',
    });
  }

  add(rows: readonly (readonly Sent[])[]): void {
    for (const row of rows) {
      for (let at = 0; at < this.#columns.length; at++) {
        const sent = row[at] ?? null;
        const lose = this.#losers[at];
        const length = sent?.length ?? 0;
        this.#length += length;
        if (length > (this.#longest[at] ?? 0)) this.#longest[at] = length;
        this.#values[at]?.push((sent === null || !lose ? null : this.#columns[at]?.value(sent, lose)) ?? null);
      }
      if (this.#length >= maxLength || (this.#values[0]?.length ?? 0) >= maxRows) this.#writeGroup();
    }
  }

  finish(): void {
    this.#writeGroup();
    const { about, columns } = this.#facts;
    const labels = columns.flatMap(({ name, label }) => (label === null ? [] : [[name, label] as const]));
    const facts = {
      ...about,
      labels: JSON.stringify(Object.fromEntries(labels)),
      null_for: JSON.stringify(this.#lost),
    };
    this.#writer.kvMetadata = Object.entries(facts).map(([key, value]) => ({ key: `datastore:${key}`, value }));
    this.#writer.finish();
  }

  #writeGroup(): void {
    const rowGroupSize = this.#values[0]?.length ?? 0;
    if (rowGroupSize === 0) return;
    const columnData = this.#facts.columns.map(({ name }, at) => {
      const longest = this.#longest[at] ?? 0;
      const way = longest > longValue ? ({ encoding: 'PLAIN', codec: 'UNCOMPRESSED' } as const) : {};
      return { name, data: this.#values[at] ?? [], statistics: longest <= maxStatisticsLength, ...way };
    });
    this.#writer.write({ columnData, rowGroupSize });
    this.#values = this.#columns.map(() => []);
    this.#longest = this.#columns.map(() => 0);
    this.#length = 0;
  }
}
