/** The database for a page of the docs: the sample tables, with the rights of the page's user. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scene } from '../support/docs/coverage.ts';
import { root } from '../support/docs/fences.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';

/** The password of the database user on every page. */
export const password = 'a-password-of-the-tests';

export type PageDatabase = Pick<ServerDatabase, 'exec' | 'drop'>;

/** Null if the page needs no database. If the page creates it itself, it is only removed afterwards. */
export async function openPageDatabase(server: ServerEngine, { database }: Scene): Promise<PageDatabase | null> {
  if (database === 'none') return null;
  const admin = async (...statements: readonly string[]) => {
    const session = await openSession(server);
    try {
      for (const sql of statements) await session.exec(sql);
    } finally {
      await session.close();
    }
  };
  if (database === 'made by the page') {
    const remove = () => admin('DROP DATABASE IF EXISTS shop', 'DROP USER IF EXISTS gateway');
    await remove();
    return { exec: admin, drop: remove };
  }
  const { name, user } = database;
  const forget = () => admin(`DROP USER IF EXISTS ${user}`);
  await forget();
  const fresh = await freshDatabase(server, name);
  const drop = () => fresh.drop().then(forget);
  const kind = server.client === 'mysql' ? 'mariadb' : 'postgres';
  const setup = {
    mariadb: `CREATE USER ${user} IDENTIFIED BY '${password}'`,
    postgres: `CREATE USER ${user} PASSWORD '${password}'`,
  };
  const all = { mariadb: '*', postgres: 'ALL TABLES IN SCHEMA public' };
  try {
    await fresh.exec(readFileSync(join(root, `config/compose/shop-${kind}.sql`), 'utf8'));
    await fresh.exec(`${setup[kind]}; GRANT SELECT ON ${all[kind]} TO ${user}`);
    return { exec: fresh.exec, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}
