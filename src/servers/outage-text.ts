import type { Database } from '../config/assemble.ts';
import type { Outage } from '../model/catalog.ts';
import { serverEngine } from '../model/engines.ts';

/**
 * Says in a sentence for the operator why a database cannot be used. It names only host, port, user and database, which are no secrets.
 * @param names whether to name user and database; host and port are always named
 */
export function outageText(outage: Outage, database: Database, names: boolean): string {
  if ('directory' in database) return embedded(outage, database.directory);
  const { host, port, socketPath, user, database: name, tls } = database.connection;
  const where = socketPath ?? `${host?.includes(':') ? `[${host}]` : host}:${port}`;
  const { product } = serverEngine(database.client);
  const login = names && user !== null ? `login of ${user}` : 'the login';
  const base = names ? `database ${name}` : 'the database';
  switch (outage.is) {
    case 'refused':
      return `nothing listens on ${where} (connection refused)`;
    case 'unknown host':
      return `host name ${host} is not known`;
    case 'silent':
      return `${where} did not answer ${outage.milliseconds === null ? 'in time' : `within ${seconds(outage.milliseconds)}`}`;
    case 'unreachable':
      return `there is no route to ${where}`;
    case 'closed':
      return `${where} closed the connection; does ${product} listen there?`;
    case 'no socket':
      return `socket ${where} is not there, or may not be opened`;
    case 'login':
      return `${login} was refused by ${where}`;
    case 'no login from here':
      return `${login} is not allowed from this machine by ${where}${tls === null ? ', or only with tls' : ''}`;
    case 'blocked':
      return `${where} has blocked this machine after too many failed connections; FLUSH HOSTS ends that`;
    case 'no database':
      return `${base} does not exist on ${where}`;
    case 'no right':
      return `${login} has no right to ${base} on ${where}`;
    case 'full':
      return `${where} takes no more connections`;
    case 'late':
      return `${where} did not finish a statement within its time limit; a table may be locked`;
    case 'starting':
      return `${where} is starting or stopping`;
    case 'cut off':
      return `${where} is cut off from its cluster (wsrep_ready is OFF)`;
    case 'offline':
      return `${where} is in offline mode (offline_mode)`;
    case 'tls required':
      return `${where} takes encrypted connections only; set tls`;
    case 'no tls':
      return `${where} takes no encrypted connections, but tls asks for one`;
    case 'tls failed':
      return `encrypting the connection to ${where} failed: ${outage.why}`;
    case 'shared':
      return `${where} is a pooler in transaction mode: settings of a session, such as read-only, would reach other programs; connect to the server itself, or to a pool in session mode`;
    case 'busy':
      return `all connections to ${where} are in use (pool.max) and none was free within ${seconds(database.pool.acquireTimeout)}`;
    case 'other':
      return `${where} cannot be used (${outage.code})`;
  }
}

function embedded(outage: Outage, directory: string | null): string {
  const what = directory === null ? 'the embedded database' : `the embedded database in ${directory}`;
  if (outage.is === 'other' && outage.code === 'EBUSY') return `${what} is in use by another process`;
  return `${what} cannot be opened${outage.is === 'other' ? ` (${outage.code})` : ''}`;
}

const seconds = (milliseconds: number): string =>
  milliseconds % 100 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
