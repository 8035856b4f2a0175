/**
 * XA transactions of MariaDB. XA COMMIT of many words of a FULLTEXT index is in the log long before its rows are visible. It leaves the list
 * of prepared transactions after that.
 */
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';

/** Needs no right. */
export const listPrepared = 'XA RECOVER';

/** Their ids, sorted. */
export const preparedIn = (answer: Answer | null | undefined): readonly string[] =>
  (answer?.cells ?? [])
    .map(([format, length, , data]) => {
      const bytes = data instanceof Uint8Array ? data : Buffer.from(text(data));
      const end = Number(text(length));
      return xid(Number(text(format)), bytes.subarray(0, end), bytes.subarray(end));
    })
    .sort();

/** An id as statements in the log write it, in lower case. */
export const xid = (format: number, first: Uint8Array, second: Uint8Array): string =>
  [...[first, second].map((part) => `x'${Buffer.from(part).toString('hex')}'`), format].join();
