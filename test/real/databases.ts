/** Sakila and Northwind, loaded by the server's own client, and their description from information_schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freshDatabase, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { find, thisMachine } from '../support/servers/programs.ts';
import { type Client, clientOf, programs } from './clients.ts';

const data = join(import.meta.dirname, 'data');

export interface RealColumn {
  readonly name: string;
  /** Such as `smallint unsigned` or `character varying`, without length and enum labels. */
  readonly type: string;
  readonly required: boolean;
}
export interface RealTable {
  readonly name: string;
  readonly isView: boolean;
  readonly columns: readonly RealColumn[];
  /** The primary key; for a view, the columns that the configuration declares as its key. */
  readonly key: readonly string[];
  /** The primary key and all other unique keys. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly references: readonly { readonly column: string; readonly table: string; readonly to: string }[];
}
export interface RealDatabase {
  readonly engine: ServerEngine;
  readonly database: ServerDatabase;
  readonly client: Client;
  readonly tables: readonly RealTable[];
}

/** The columns that identify a row of Sakila's views, which the catalogue does not contain. */
const viewKeys: Readonly<Record<string, readonly string[]>> = {
  actor_info: ['actor_id'],
  customer_list: ['ID'],
  film_list: ['FID'],
  nicer_but_slower_film_list: ['FID'],
  sales_by_film_category: ['category'],
  sales_by_store: ['store'],
  staff_list: ['ID'],
};

/** Why the databases cannot be loaded into this engine; null if they can. */
export function missing({ client }: ServerEngine): string | null {
  return programOf(client) === null ? `there is no ${programs[client].join(' or ')} on this machine` : null;
}

function programOf(client: ServerEngine['client']): string | null {
  const machine = thisMachine();
  return programs[client].map((program) => find(program, machine)).find((path) => path !== null) ?? null;
}

/** Loads Northwind into PostgreSQL, and Sakila into the other engines. */
export async function loadReal(engine: ServerEngine): Promise<RealDatabase> {
  const program = programOf(engine.client);
  if (program === null) throw new Error(`no client for ${engine.name}`);
  const database = await freshDatabase(engine);
  try {
    const client = clientOf(engine.client, program, database.url);
    await client.load(engine.client === 'postgres' ? dump('northwind-postgres') : sakila(database.url));
    return { engine, database, client, tables: await tablesOf(database) };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** The SQL of a published database, as its authors wrote it. */
export const dump = (name: string): string => gunzipSync(readFileSync(join(data, `${name}.sql.gz`))).toString();

/** The dumps create a schema named sakila. We load them into one with a unique name, so that two runs can share a server. */
function sakila(url: string): string {
  const name = new URL(url).pathname.slice(1);
  const schema = dump('sakila-mysql-schema').replace(/^(DROP|CREATE) SCHEMA .*$/gm, '');
  return schema.replace(/\bsakila\b/g, name) + dump('sakila-mysql-data').replace(/^USE sakila;$/m, '');
}

const columnsOf = (
  schema: string,
  type: string,
) => `SELECT c.table_name, t.table_type, c.column_name, ${type}, c.is_nullable
  FROM information_schema.columns c JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
  WHERE c.table_schema = ${schema} ORDER BY c.table_name, c.ordinal_position`;
const keysOf = (
  schema: string,
  to: string,
  join: string,
) => `SELECT k.table_name, k.constraint_name, t.constraint_type, k.column_name, ${to}
  FROM information_schema.table_constraints t JOIN information_schema.key_column_usage k
    ON k.constraint_schema = t.constraint_schema AND k.constraint_name = t.constraint_name AND k.table_name = t.table_name ${join}
  WHERE t.table_schema = ${schema} ORDER BY k.table_name, k.constraint_name, k.ordinal_position`;
const queries = {
  mysql: [
    columnsOf('database()', 'c.column_type'),
    keysOf('database()', 'k.referenced_table_name, k.referenced_column_name', ''),
  ],
  postgres: [
    columnsOf('current_schema()', 'c.data_type'),
    keysOf(
      'current_schema()',
      'r.table_name, r.column_name',
      `LEFT JOIN information_schema.referential_constraints f ON f.constraint_name = t.constraint_name
       LEFT JOIN information_schema.key_column_usage r
         ON r.constraint_name = f.unique_constraint_name AND r.ordinal_position = k.position_in_unique_constraint`,
    ),
  ],
} as const;

async function tablesOf(database: ServerDatabase): Promise<readonly RealTable[]> {
  const [columnsQuery, keysQuery] = queries[database.client];
  const text = async (query: string) => (await database.query(query)).map((row) => row.map((cell) => cell ?? ''));
  const [columns, keys] = [await text(columnsQuery), await text(keysQuery)];
  const distinct = (names: readonly (string | undefined)[]) => [...new Set(names)];
  return distinct(columns.map(([table]) => table)).map((name = ''): RealTable => {
    const columnsOfTable = columns.filter(([table]) => table === name);
    const constraints = keys.filter(([table]) => table === name);
    const unique = constraints.filter(([, , kind]) => kind !== 'FOREIGN KEY');
    const columnNames = (rows: readonly (readonly string[])[]) => rows.map(([, , , column = '']) => column);
    return {
      name,
      isView: columnsOfTable[0]?.[1] === 'VIEW',
      columns: columnsOfTable.map(([, , column = '', type = '', nullable]) => ({
        name: column,
        type: type.replace(/\(.*\)/, ''),
        required: nullable === 'NO',
      })),
      key: viewKeys[name] ?? columnNames(unique.filter(([, , kind]) => kind === 'PRIMARY KEY')),
      uniqueKeys: distinct(unique.map(([, constraint]) => constraint)).map((constraint) =>
        columnNames(unique.filter(([, other]) => other === constraint)),
      ),
      references: constraints
        .filter(([, , kind]) => kind === 'FOREIGN KEY')
        .map(([, , , column = '', table = '', to = '']) => ({ column, table, to })),
    };
  });
}
