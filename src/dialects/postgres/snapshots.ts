/** Parses PostgreSQL's commit markers (a snapshot and the identity of its server), and the ids of transactions. */

/** The cells of a commit marker. */
export function cells(marker: string): readonly string[] {
  const row: unknown = JSON.parse(marker);
  return Array.isArray(row) ? row.map(String) : [];
}

/** All transactions below `first` have ended, and so have those below `end`, except the ones in `running`. */
export interface Snapshot {
  readonly first: bigint;
  readonly end: bigint;
  readonly running: readonly string[];
}

/** `first:end:running,running…` */
export function snapshot(text = ''): Snapshot | null {
  const [, first, end, running = ''] = /^(\d+):(\d+):([\d,]*)$/.exec(text) ?? [];
  return first === undefined || end === undefined
    ? null
    : { first: BigInt(first), end: BigInt(end), running: running === '' ? [] : running.split(',') };
}

export const snapshotOf = (marker: string): Snapshot | null => snapshot(cells(marker)[0]);

/** A transaction's id, made from `startId` or `logId` and its number. */
export const transactionIdOf = (start: string | null | undefined, id: string): string => `${start} ${id}`;

/** The number in an id made by `transactionIdOf`. */
export const numberOf = (id: string): string => id.slice(id.lastIndexOf(' ') + 1);

/** Whether one of the transactions may have begun before a commit marker. */
export function isAnyBefore(ids: readonly string[], marker: string): boolean {
  const end = snapshotOf(marker)?.end;
  return end === undefined || ids.some((id) => BigInt(numberOf(id)) < end);
}
