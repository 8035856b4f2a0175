/** Parses PostgreSQL's commit markers: the snapshot, the server that it is from, and the ids of transactions. */

/** The cells of a commit marker. */
export function cells(marker: string): readonly string[] {
  const row: unknown = JSON.parse(marker);
  return Array.isArray(row) ? row.map(String) : [];
}

/** Transactions below `end` have ended, except those in `running`. All below `first` have ended. */
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

/** Makes a transaction's id from `startId` or `logId` and its number. */
export const transactionIdOf = (start: string | null | undefined, id: string): string => `${start} ${id}`;

/** The number in an id that `transactionIdOf` made. */
export const numberOf = (id: string): string => id.slice(id.lastIndexOf(' ') + 1);

/** Whether one of the transactions may have begun before a commit marker. */
export function isAnyBefore(ids: readonly string[], marker: string): boolean {
  const end = snapshotOf(marker)?.end;
  return end === undefined || ids.some((id) => BigInt(numberOf(id)) < end);
}
