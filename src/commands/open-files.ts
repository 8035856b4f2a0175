import type { Settings } from '../config/assemble.ts';

/** Files of a process beside its sockets and the spool: its code, the log, the admin port, the other processes. */
const baseFiles = 64;

/** How many clients a process can have, so that databases, the upstream and the admin port can still be reached. */
export interface ClientRoom {
  readonly connections: number;
  /** A sentence where that is less than `limits.connections`; else null. */
  readonly warning: string | null;
}

/**
 * @param openFiles that the system allows the process
 * @param spoolFiles that the spool may have
 */
export function clientRoom(
  { databases, limits, upstream }: Settings,
  openFiles: number,
  spoolFiles: number,
): ClientRoom {
  const { connections, dumpsPerDatabase } = limits;
  let reserved = baseFiles + spoolFiles;
  for (const database of databases.values()) {
    const servers = 1 + database.replicas.length;
    // One proves cached answers, one reads the log, two cancel statements or look whether the server is there.
    if (!('directory' in database)) reserved += servers * (database.pool.max + dumpsPerDatabase + 4);
  }
  // A forwarded request has a connection on each side.
  const half = Math.max(0, Math.floor((openFiles - reserved) / 2));
  if (upstream !== null) reserved += Math.min(upstream.maxRequests, half);
  const room = Math.max(Math.floor(openFiles / 4), openFiles - reserved);
  if (room >= connections) return { connections, warning: null };
  return {
    connections: room,
    warning: `limits.connections is ${connections}, but the system allows this process ${openFiles} open files: at most ${room} clients are connected at once, as the rest is for databases, the upstream and downloads. Raise it (LimitNOFILE= of systemd, ulimit -Hn) or lower limits.connections`,
  };
}

/** The hard limit of open files: Node raises the soft one to it. Infinity where the system does not say. */
export function openFilesLimit(): number {
  // Otherwise the report would look up the name of each peer.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = Object(report.getReport());
  const hard: unknown = userLimits?.open_files?.hard;
  return typeof hard === 'number' ? hard : Number.POSITIVE_INFINITY;
}
