import type { Dialect } from '../model/dialect.ts';
import type { Describe, Read, Sizes } from '../model/plan.ts';
import type { Sessions } from './connection/call-sessions.ts';
import { type KnownTotal, type ReadBounds, type ReadResult, read } from './read.ts';

/**
 * Reads sizes and total of a table. Throws the driver's error, and `SchemaChanged` where its columns no longer match the plan.
 */
export async function describe(
  database: Sessions,
  dialect: Dialect,
  { table, count }: Describe,
  bounds: ReadBounds,
  known: (read: Read) => KnownTotal,
): Promise<{ readonly sizes: Sizes | null; readonly total: ReadResult['total'] }> {
  const sizes = await database.use(async (session) => {
    await session.run(dialect.check(table, table.columns));
    return count === null ? null : dialect.sized(await session.run(dialect.sizes(table)));
  }, bounds.gone);
  const total = count === null ? null : (await read(database, dialect, count, bounds, known(count))).total;
  return { sizes, total };
}
