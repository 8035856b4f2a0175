/** Whether the server is a replica, and how far behind. The query needs a separate privilege; without it, we cannot tell. */
import type { Replica } from '../../model/advice.ts';
import type { Server } from '../../model/catalog.ts';
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';

/** Lists all replication connections of the server. */
export function replicaQuery({ product, version: [major = 0, minor = 0, patch = 0] }: Server): string {
  if (product === 'mariadb') return 'SHOW ALL SLAVES STATUS';
  const isNew = major > 8 || (major === 8 && (minor > 0 || patch >= 22));
  return isNew ? 'SHOW REPLICA STATUS' : 'SHOW SLAVE STATUS';
}

/** @param isReadOnly false for a promoted replica: it may still list its old connections */
export function replicaOf(answer: Answer | null, isReadOnly: boolean): Replica | null {
  if (answer === null) return null;
  const { names, cells } = answer;
  const at = (row: Answer['cells'][number], name: RegExp) => text(row[names.findIndex((one) => name.test(one))]);
  const threads = cells.map((row) => [
    at(row, /^(Slave|Replica)_IO_Running$/),
    at(row, /^(Slave|Replica)_SQL_Running$/),
  ]);
  const isUsed = isReadOnly || threads.some((states) => states.some((state) => state !== 'No'));
  if (cells.length === 0 || !isUsed) return null;
  const lags = cells.map((row) => at(row, /^Seconds_Behind_(Master|Source)$/));
  return {
    lag: lags.includes('') ? null : Math.max(...lags.map(Number)) * 1000,
    isReceiving: threads.every((states) => states.every((state) => state === 'Yes')),
  };
}
