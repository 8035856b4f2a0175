/** The drivers, by the configuration's `client`. A process loads only the drivers that it uses. */
import type { Connection } from '../../model/engines.ts';
import type { Driver } from '../connection/session.ts';

export async function mysql(address: Connection): Promise<Driver> {
  const { MysqlDriver } = await import('./mysql/driver.ts');
  return new MysqlDriver(address);
}

/** Throws an error that names the package, which `npm install --omit=optional` leaves out: PGlite is most of the installation's size. */
export async function pglite(directory: string | null): Promise<Driver> {
  const driver = await import('./pglite.ts').catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const missing = 'the demo and databases with `client: pglite` need the package @electric-sql/pglite';
    const remedy = 'Install it with `npm install @electric-sql/pglite`, or serve your own database: `serve URL`.';
    throw new Error(`${missing}, which this installation has left out. ${remedy}`, { cause: error });
  });
  return driver.pglite(directory);
}

export async function postgres(address: Connection): Promise<Driver> {
  const { PostgresDriver } = await import('./postgres/driver.ts');
  return new PostgresDriver(address);
}
