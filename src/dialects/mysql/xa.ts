/**
 * XA transactions of MariaDB. XA COMMIT of many words of a FULLTEXT index is in the log long before its rows are visible. It leaves the list
 * of prepared transactions after that.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Relation } from '../../model/catalog.ts';
import type { Answer } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';

/** Needs no right. */
export const listPrepared = 'XA RECOVER';

/** The ids of a longer list take milliseconds to read: it is compared as a whole, by a hash. */
const mostListed = 500;

/** Their ids, sorted. */
export const preparedIn = (answer: Answer | null | undefined): readonly string[] =>
  (answer?.cells ?? []).map(idOf).sort();

function idOf([format, length, , data]: readonly Cell[]): string {
  const bytes = bytesOf(data);
  const end = Number(text(length));
  return xid(Number(text(format)), bytes.subarray(0, end), bytes.subarray(end));
}

/** An id as statements in the log write it, in lower case. */
export const xid = (format: number, first: Uint8Array, second: Uint8Array): string =>
  [...[first, second].map((part) => `x'${Buffer.from(part).toString('hex')}'`), format].join();

/**
 * Those that were prepared at a moment, as a part of a token, without blanks. Empty: there were none.
 * @param counts how often one was prepared, before they were listed and after: with another count an id may stand for another one
 */
export function preparedPart(listed: Answer | undefined, counts: readonly string[]): string {
  const cells = listed?.cells ?? [];
  if (cells.length === 0) return '';
  const ids = cells.length > mostListed ? [`#${wholeOf(cells)}`] : preparedIn(listed);
  return [counts.join(), ...ids].join(';');
}

function wholeOf(cells: Answer['cells']): string {
  const lengths = cells.map(([format, first, second]) => `${text(format)} ${text(first)} ${text(second)}`).join();
  const all = [Buffer.from(lengths), ...cells.map(([, , , data]) => bytesOf(data))];
  return hash('sha256', Buffer.concat(all), 'hex');
}

const bytesOf = (cell: Cell | undefined): Uint8Array => (cell instanceof Uint8Array ? cell : Buffer.from(text(cell)));

/** The ids of those that may have ended between two such parts; null: there are too many. */
export function endedXas(before: string, after: string): readonly string[] | null {
  if (before === after) return [];
  const [[counts, ...ids], [others, ...left]] = [before.split(';'), after.split(';')];
  if (ids[0]?.startsWith('#')) return null;
  const still = new Set(counts === others ? left : []);
  return ids.filter((id) => !still.has(id));
}

/**
 * The ids that such a part lists; none where there are too many. Each may be visible already: with many rows it leaves the list up to a
 * tenth of a second later.
 */
export const listedXas = (part: string): readonly string[] =>
  part
    .split(';')
    .slice(1)
    .filter((id) => !id.startsWith('#'));

/** The tables that a transaction has changed, by their keys; null: anything. */
export type Changed = ReadonlyMap<string, Relation> | null;

/** Of each table a transaction has its name, some 300 bytes. */
const most = { transactions: 20_000, tables: 100_000 };

/**
 * What the last XA transactions have changed, by their ids. The oldest are forgotten where there are many. Where there are many tables
 * of them, the oldest may have changed anything: forgotten, the next one with its id would seem to be the first.
 */
export class LastXas {
  /** Those of `#ids` whose tables are kept. */
  readonly #tables = new LRUCache<string, NonNullable<Changed>>({
    maxSize: most.tables,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });
  readonly #ids = new LRUCache<string, true>({
    maxSize: most.transactions,
    sizeCalculation: () => 1,
    dispose: (_, xid) => this.#tables.delete(xid),
  });

  get(xid: string): Changed | undefined {
    return this.#tables.peek(xid) ?? (this.#ids.has(xid) ? null : undefined);
  }

  set(xid: string, changed: Changed): void {
    this.#ids.set(xid, true);
    if (changed === null) this.#tables.delete(xid);
    else this.#tables.set(xid, changed);
  }

  delete(xid: string): void {
    this.#ids.delete(xid);
  }
}
