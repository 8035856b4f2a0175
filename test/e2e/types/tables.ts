/** The tables of each type: we search `f…`, the gateway writes to `w…` and deletes from `d…`, and `s…` holds what SQL stores for the `stores` literals. */
import { type Engine, engines } from '../../support/servers/engines.ts';
import type { TextRow } from '../../support/servers/sessions.ts';
import type { Family } from './family.ts';
import { families } from './tables/index.ts';

export interface Table extends Family {
  /** The index of the type on this engine: `f7` is the table of type 7. */
  readonly at: number;
  /** Whether each value is tested separately, which needs more tables. */
  readonly thorough: boolean;
}

/**
 * The types of an engine. Conversion depends on the dialect, so only the last engine of each dialect in this run tests every value separately. `npm
 * run fuzz` does so on all engines.
 */
export function tablesOf(engine: Engine): readonly Table[] {
  const supported = families.filter((family) => family.on.includes(engine.name));
  const alike = engines().filter((other) => (other.client === 'mysql') === (engine.client === 'mysql'));
  return supported.map((family, at) => {
    const last = alike.findLast((other) => family.on.includes(other.name));
    return { ...family, at, thorough: last === engine || process.env.FUZZ_CASES !== undefined };
  });
}

function kindsOf({ thorough, stores }: Table): readonly string[] {
  return ['f', 'w', ...(thorough ? ['d'] : []), ...(stores === undefined ? [] : ['s'])];
}

/** SQL for the rows: ids from 1 for `values`, then `foreign`, then `zero`; id 0 is NULL. */
export function setup(tables: readonly Table[], mysql: boolean): string {
  const charset = mysql ? ' CHARACTER SET utf8mb4' : '';
  return tables
    .flatMap((table) => {
      const { at, before, column, values, foreign = [], zero = [], stores = [] } = table;
      const literals = ['NULL', ...[...values, ...foreign].map(([sql]) => sql), ...zero];
      const rows = literals.map((sql, id) => `(${id}, ${sql})`).join(', ');
      return [
        ...(before === undefined ? [] : [before]),
        ...kindsOf(table).map((kind) => `CREATE TABLE ${kind}${at} (id int PRIMARY KEY, v ${column})${charset};`),
        `INSERT INTO f${at} VALUES ${rows};`,
        ...(table.thorough ? [`INSERT INTO d${at} SELECT * FROM f${at};`] : []),
        ...stores.map(([, sql], nth) => `INSERT INTO s${at} VALUES (${nth}, ${sql});`),
      ];
    })
    .join('\n');
}

/** All values of these tables in one query: table → id → the exact text of the value. */
export async function readAll(
  query: (sql: string) => Promise<readonly TextRow[]>,
  tables: readonly Table[],
  kinds: string,
  mysql: boolean,
): Promise<ReadonlyMap<string, ReadonlyMap<number, string | null>>> {
  const parts = tables.flatMap((table) => {
    const { at, read = mysql ? 'HEX(CONCAT(v))' : 'v::text' } = table;
    const there = kindsOf(table).filter((kind) => kinds.includes(kind));
    return there.map((kind) => `SELECT '${kind}${at}', id, ${read} FROM ${kind}${at}`);
  });
  const found = new Map<string, Map<number, string | null>>();
  for (const [table, id, value] of await query(parts.join(' UNION ALL '))) {
    const rows = found.get(String(table)) ?? new Map<number, string | null>();
    found.set(String(table), rows.set(Number(id), value ?? null));
  }
  return found;
}
