import { expect } from 'vitest';
import type { Session } from './servers/sessions.ts';

/** The number of sockets, pipes and servers that this process has open. */
export function handles(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Pipe|Connect/.test(name)).length;
}

const sql = {
  postgres: (database: string) =>
    `SELECT count(*), count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid() AND application_name = 'datastore-gateway'`,
  // The tests' own sessions are connected to the database `mysql`, so they are not counted.
  mysql: (database: string) =>
    `SELECT count(*), sum(command <> 'Sleep') FROM information_schema.processlist WHERE db = '${database}' AND id <> connection_id()`,
};

/** The gateway's sessions with a database, as the server lists them, and how many of them are busy. */
export async function onServer(admin: Session, client: 'postgres' | 'mysql', database: string) {
  const [row] = await admin.query(sql[client](database));
  return { sessions: Number(row?.[0]), busy: Number(row?.[1] ?? 0) };
}

/** Waits until a count is back at its earlier value, or lower. */
export async function backTo(before: number, now: () => number | Promise<number>): Promise<void> {
  await expect.poll(now, { timeout: 5000, interval: 20 }).toBeLessThanOrEqual(before);
}
