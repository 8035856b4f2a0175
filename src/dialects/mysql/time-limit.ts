/** Whether the server can time out statements, and the SQL that sets the timeout. */
import type { Server } from '../../model/catalog.ts';

/** Whether the server can time out reads. MySQL can since 5.7.8, but only SELECTs; MariaDB times out every statement. */
export const endsReads = ({ product, version: [major = 0, minor = 0, patch = 0] }: Server): boolean =>
  product === 'mariadb' || major > 5 || (major === 5 && (minor > 7 || (minor === 7 && patch >= 8)));

/** Sets the timeout for a session's reads. MariaDB counts in seconds. */
export function readTimeout(server: Server, milliseconds: number): readonly string[] {
  if (!endsReads(server)) return [];
  if (server.product === 'mariadb') return [`SET SESSION max_statement_time = ${milliseconds / 1000}`];
  return [`SET SESSION max_execution_time = ${milliseconds}`];
}
