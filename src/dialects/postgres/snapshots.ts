/** The parts of a token of PostgreSQL: the snapshot, whose server it is of, and the ids of transactions. */

/** The cells of a token. */
export function cells(token: string): readonly string[] {
  const row: unknown = JSON.parse(token);
  return Array.isArray(row) ? row.map(String) : [];
}

/** Transactions below `end` have ended, but for those that are `running`. All below `first` have. */
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

export const snapshotOf = (token: string): Snapshot | null => snapshot(cells(token)[0]);

/** @param start as `startId` or `logId` reads it */
export const transaction = (start: string | null | undefined, id: string): string => `${start} ${id}`;

/** @param id as `transaction` makes it */
export const numberOf = (id: string): string => id.slice(id.lastIndexOf(' ') + 1);

/** Whether one of the transactions may have begun before a token. */
export function isAnyBefore(ids: readonly string[], token: string): boolean {
  const end = snapshotOf(token)?.end;
  return end === undefined || ids.some((id) => BigInt(numberOf(id)) < end);
}
