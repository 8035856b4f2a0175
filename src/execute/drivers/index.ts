/** The drivers, by the configuration's `client`. A process loads only the drivers that it uses. */
import type { Connection } from '../../model/engines.ts';
import type { Driver } from '../connection/session.ts';

export async function mysql(address: Connection): Promise<Driver> {
  const driver = await import('./mysql/driver.ts');
  return driver.mysql(address);
}

export async function pglite(directory: string | null): Promise<Driver> {
  const driver = await import('./pglite.ts');
  return driver.pglite(directory);
}

export async function postgres(address: Connection): Promise<Driver> {
  const driver = await import('./postgres/driver.ts');
  return driver.postgres(address);
}
