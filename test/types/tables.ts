/** The tables of the families: `f…` is searched, `d…` deleted from, `w…` written by the gateway. */
import type { TextRow } from '../servers/sessions.ts';
import type { EngineName, Family } from './family.ts';
import { families } from './tables/index.ts';

export interface Table extends Family {
  /** Number of the family on this engine: `f7` is its table. */
  readonly at: number;
}

export function tablesOf(engine: EngineName): readonly Table[] {
  return families.filter((family) => family.on.includes(engine)).map((family, at) => ({ ...family, at }));
}

/** The rows: id 1, 2 … in the order of `values`, then `foreign`, then `zero`; id 0 is NULL. */
export function setup(tables: readonly Table[], mysql: boolean): string {
  const charset = mysql ? ' CHARACTER SET utf8mb4' : '';
  return tables
    .flatMap(({ at, before, column, values, foreign = [], zero = [] }) => {
      const literals = ['NULL', ...[...values, ...foreign].map(([sql]) => sql), ...zero];
      const rows = literals.map((sql, id) => `(${id}, ${sql})`).join(', ');
      return [
        ...(before === undefined ? [] : [before]),
        ...['f', 'd', 'w'].map((kind) => `CREATE TABLE ${kind}${at} (id int PRIMARY KEY, v ${column})${charset};`),
        `INSERT INTO f${at} VALUES ${rows}; INSERT INTO d${at} SELECT * FROM f${at};`,
      ];
    })
    .concat(stored(tables, mysql))
    .join('\n');
}

/** What SQL literals of `stores` are, to compare with what the gateway made of the JSON: table `s…`. */
function stored(tables: readonly Table[], mysql: boolean): readonly string[] {
  const charset = mysql ? ' CHARACTER SET utf8mb4' : '';
  return tables.map(({ at, column, stores = [] }) => {
    const rows = stores.map(([, sql], nth) => `INSERT INTO s${at} VALUES (${nth}, ${sql});`).join(' ');
    return `CREATE TABLE s${at} (id int PRIMARY KEY, v ${column})${charset}; ${rows}`;
  });
}

/** Everything in the tables of these kinds, read by one statement: table → id → the value's exact text. */
export async function readAll(
  query: (sql: string) => Promise<readonly TextRow[]>,
  tables: readonly Table[],
  kinds: string,
  mysql: boolean,
): Promise<ReadonlyMap<string, ReadonlyMap<number, string | null>>> {
  const parts = tables.flatMap(({ at, read = mysql ? 'HEX(CONCAT(v))' : 'v::text' }) =>
    [...kinds].map((kind) => `SELECT '${kind}${at}', id, ${read} FROM ${kind}${at}`),
  );
  const found = new Map<string, Map<number, string | null>>();
  for (const [table, id, value] of await query(parts.join(' UNION ALL '))) {
    const rows = found.get(String(table)) ?? new Map<number, string | null>();
    found.set(String(table), rows.set(Number(id), value ?? null));
  }
  return found;
}
