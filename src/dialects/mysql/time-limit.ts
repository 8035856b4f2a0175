/** Whether the server ends a statement by itself, and the SQL that asks for it. */
import type { Server } from '../../model/catalog.ts';

/** MySQL does since 5.7.8, and only SELECT; MariaDB all. */
export const endsReads = ({ product, version: [major = 0, minor = 0, patch = 0] }: Server): boolean =>
  product === 'mariadb' || major > 5 || (major === 5 && (minor > 7 || (minor === 7 && patch >= 8)));

/** MariaDB counts in seconds. */
export function readTimeout(server: Server, milliseconds: number): readonly string[] {
  if (!endsReads(server)) return [];
  if (server.product === 'mariadb') return [`SET SESSION max_statement_time = ${milliseconds / 1000}`];
  return [`SET SESSION max_execution_time = ${milliseconds}`];
}
