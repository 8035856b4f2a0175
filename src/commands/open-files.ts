import type { Settings } from '../config/assemble.ts';

/** Open files that are neither client sockets nor spool files: code, log, admin port, channels to other processes. */
const baseFiles = 64;

/** How many client connections a process can accept while it can still open connections to the databases and the upstream. */
export interface ClientRoom {
  readonly connections: number;
  /** A sentence for the log if that is less than `limits.connections`; else null. */
  readonly warning: string | null;
}

/**
 * Divides a process's open files between clients, databases, the upstream and the spool.
 * @param openFiles the number of open files that the system allows the process
 * @param spoolFiles the number of open files that the spool may need
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
    // Four connections are outside the pools: one samples the commit marker, one reads the log, and two cancel statements or probe.
    if (!('directory' in database)) reserved += servers * (database.pool.max + dumpsPerDatabase + 4);
  }
  // A forwarded request needs two connections: one to the client, one to the upstream.
  const half = Math.max(0, Math.floor((openFiles - reserved) / 2));
  if (upstream !== null) reserved += Math.min(upstream.maxRequests, half);
  const room = Math.max(Math.floor(openFiles / 4), openFiles - reserved);
  if (room >= connections) return { connections, warning: null };
  return {
    connections: room,
    warning: `limits.connections is ${connections}, but the system allows this process ${openFiles} open files: at most ${room} clients are connected at once, as the rest is for databases, the upstream and downloads. Raise it (LimitNOFILE= of systemd, ulimit -Hn) or lower limits.connections`,
  };
}

/** The hard limit of open files, to which Node raises the soft limit; Infinity if the system does not report it. */
export function openFilesLimit(): number {
  // Without `excludeNetwork`, the report would look up each peer's host name.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = Object(report.getReport());
  const hard: unknown = userLimits?.open_files?.hard;
  return typeof hard === 'number' ? hard : Number.POSITIVE_INFINITY;
}
