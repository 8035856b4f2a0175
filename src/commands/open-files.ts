import type { Settings } from '../config/assemble.ts';

/** Open files that are neither sockets of clients nor the spool: code, log, admin port, channels to other processes. */
const baseFiles = 64;

/** How many client connections a process can accept, and still open connections to databases and the upstream. */
export interface ClientRoom {
  readonly connections: number;
  /** A sentence for the log if that is less than `limits.connections`; else null. */
  readonly warning: string | null;
}

/**
 * Divides the open files of a process between clients, databases, the upstream and the spool.
 * @param openFiles the open files that the system allows the process
 * @param spoolFiles the open files that the spool may need
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
    // Four connections are outside the pools: one samples the commit marker, one reads the log, two cancel statements or probe.
    if (!('directory' in database)) reserved += servers * (database.pool.max + dumpsPerDatabase + 4);
  }
  // A forwarded request needs a connection on each side.
  const half = Math.max(0, Math.floor((openFiles - reserved) / 2));
  if (upstream !== null) reserved += Math.min(upstream.maxRequests, half);
  const room = Math.max(Math.floor(openFiles / 4), openFiles - reserved);
  if (room >= connections) return { connections, warning: null };
  return {
    connections: room,
    warning: `limits.connections is ${connections}, but the system allows this process ${openFiles} open files: at most ${room} clients are connected at once, as the rest is for databases, the upstream and downloads. Raise it (LimitNOFILE= of systemd, ulimit -Hn) or lower limits.connections`,
  };
}

/** The hard limit of open files, to which Node raises the soft one; Infinity if the system does not report it. */
export function openFilesLimit(): number {
  // Without `excludeNetwork` the report would look up the host name of each peer.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = Object(report.getReport());
  const hard: unknown = userLimits?.open_files?.hard;
  return typeof hard === 'number' ? hard : Number.POSITIVE_INFINITY;
}
