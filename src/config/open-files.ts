import type { Settings } from './assemble.ts';

/** Files that a process opens beside its connections: its code, the log, the admin port, the other processes. */
const others = 64;
/** Bytes of one file of the spool. */
const spoolFileBytes = 8e6;

/** How many clients a process can have, so that databases, the upstream and the admin port can still be reached. */
export interface ClientRoom {
  readonly connections: number;
  /** A sentence where that is less than `limits.connections`; else null. */
  readonly warning: string | null;
}

/** @param openFiles that the system allows the process */
export function clientRoom({ databases, limits, upstream }: Settings, openFiles: number): ClientRoom {
  const { connections, dumpsPerDatabase, spoolBytes } = limits;
  let own = others + Math.ceil(spoolBytes / spoolFileBytes);
  for (const database of databases.values()) {
    const servers = 1 + database.replicas.length;
    // One proves cached answers, one reads the log, two cancel statements or look whether the server is there.
    if (!('directory' in database)) own += servers * (database.pool.max + dumpsPerDatabase + 4);
  }
  // A forwarded request has a connection on each side.
  const left = openFiles - own;
  if (upstream !== null) own += Math.min(upstream.maxRequests, Math.max(0, Math.floor(left / 2)));
  const room = Math.max(Math.floor(openFiles / 4), openFiles - own);
  if (room >= connections) return { connections, warning: null };
  return {
    connections: room,
    warning: `limits.connections is ${connections}, but the system allows this process ${openFiles} open files: at most ${room} clients are connected at once, as the rest is for databases, the upstream and downloads. Raise it (LimitNOFILE= of systemd, ulimit -Hn) or lower limits.connections`,
  };
}
