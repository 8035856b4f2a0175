import type { RealDatabase, RealTable } from './databases.ts';
import { typeOf } from './types.ts';

/** A quoted name. */
export function quote({ engine }: RealDatabase, name: string): string {
  return engine.client === 'mysql' ? `\`${name}\`` : `"${name}"`;
}

/** The rows of a table in key order, as the server's own client prints them: all, or the first `most`. */
export function printed(real: RealDatabase, table: RealTable, most: number | null) {
  const columns = table.columns.map((column) => {
    const quoted = quote(real, column.name);
    return typeOf(table, column).select?.(quoted) ?? quoted;
  });
  const order = table.key.map((name) => quote(real, name));
  return real.client.print(
    `SELECT ${columns.join(', ')} FROM ${quote(real, table.name)} ORDER BY ${order.join(', ')}${most === null ? '' : ` LIMIT ${most}`}`,
  );
}

/** `count(*)` of each base table, as the client prints it. (Counting a view would compute it again, so its printed rows are counted.) */
export async function counted(real: RealDatabase): Promise<ReadonlyMap<string, string | null>> {
  const names = real.tables.filter((table) => !table.isView).map((table) => table.name);
  const counts = names.map((name) => `(SELECT count(*) FROM ${quote(real, name)}) AS ${quote(real, name)}`);
  const [row = []] = await real.client.print(`SELECT ${counts.join(', ')}`);
  return new Map(names.map((name, at) => [name, row[at] ?? null]));
}

/** The server's own checksum over all rows of each base table. */
export async function checksums(real: RealDatabase) {
  const tables = real.tables.filter((table) => !table.isView);
  const names = tables.map((table) => quote(real, table.name));
  const texts = names.map(
    (name) => `(SELECT coalesce(md5(string_agg(t::text, ' ' ORDER BY t::text)), 'empty') FROM ${name} t)`,
  );
  const rows = await real.database.query(
    real.engine.client === 'mysql' ? `CHECKSUM TABLE ${names.join(', ')}` : `SELECT ${texts.join(', ')}`,
  );
  const sums = real.engine.client === 'mysql' ? rows.map(([, sum]) => sum) : rows.flat();
  return Object.fromEntries(tables.map((table, at) => [table.name, sums[at]]));
}
