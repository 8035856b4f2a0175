import type { Describe, Read, Sizes } from '../model/plan.ts';
import type { Answer, Statement } from '../model/rows.ts';
import type { Table } from '../model/table.ts';
import type { Lender } from './connection/database.ts';
import { type Found, type KnownTotal, type ReadBounds, type Reader, read } from './read.ts';

/** The statements for a description, made by the dialect. */
export interface Describer extends Reader {
  sizes(table: Table): Statement;
  sized(answer: Answer): Sizes;
}

/**
 * Reads sizes and total of a table. Throws the driver's error, and `SchemaChanged` where its columns no longer match the plan.
 */
export async function describe(
  database: Lender,
  describer: Describer,
  { table, count }: Describe,
  bounds: ReadBounds,
  known: (read: Read) => KnownTotal,
): Promise<{ readonly sizes: Sizes | null; readonly total: Found['total'] }> {
  const sizes = await database.use(async (session) => {
    await session.run(describer.check(table, table.columns));
    return count === null ? null : describer.sized(await session.run(describer.sizes(table)));
  }, bounds.gone);
  const total = count === null ? null : (await read(database, describer, count, bounds, known(count))).total;
  return { sizes, total };
}
