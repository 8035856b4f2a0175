/** The drivers, by the configuration's `client`. A process loads only the drivers that it uses. */
import type { Connection } from '../../model/engines.ts';
import type { Driver } from '../connection/session.ts';

export async function mysql(address: Connection): Promise<Driver> {
  const { MysqlDriver } = await import('./mysql/driver.ts');
  return new MysqlDriver(address);
}

export async function pglite(directory: string | null): Promise<Driver> {
  const driver = await import('./pglite.ts');
  return driver.pglite(directory);
}

export async function postgres(address: Connection): Promise<Driver> {
  const { PostgresDriver } = await import('./postgres/driver.ts');
  return new PostgresDriver(address);
}
