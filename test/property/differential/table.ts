/** The kinds of columns in these tests. */
export type Kind =
  | { readonly is: 'int'; readonly bits: 16 | 32 | 64 }
  | { readonly is: 'numeric'; readonly precision: number; readonly scale: number }
  | { readonly is: 'double' | 'boolean' | 'text' | 'date' | 'bytes' }
  | { readonly is: 'varchar' | 'char'; readonly length: number }
  | { readonly is: 'timestamp' | 'time'; readonly digits: number };

/**
 * A stored value as text, in a canonical form: integers and numerics as digits, doubles as JavaScript prints them, times with six decimals, bytes as
 * hex, booleans as `true` and `false`.
 */
export type Cell = string | null;

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly notNull: boolean;
  /** The value if none is given. */
  readonly default: Cell;
}

export interface Table {
  readonly name: string;
  /** The names of the key columns; empty for a table without a key. */
  readonly key: readonly string[];
  /** A column with a unique index besides the key. */
  readonly unique: string | null;
  readonly columns: readonly Column[];
}

/** Names that clients cannot use, so the configuration renames these columns. */
const renamed: Readonly<Record<string, string>> = { 'quo te': 'quo"te', under: '_under', line: 'li\nne' };

/** The name of a column in the database. */
export const stored = (name: string): string => (Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name);

export const isText = ({ is }: Kind): boolean => is === 'text' || is === 'varchar' || is === 'char';

/** Whether the values of a column are unique. */
export const isUnique = ({ key, unique }: Table, name: string): boolean => key.includes(name) || unique === name;

type Client = 'postgres' | 'mysql';

/** The CREATE TABLE statement. */
export function ddl(table: Table, client: Client): string {
  const quote = (name: string) =>
    client === 'mysql' ? `\`${name.replace(/`/g, '``')}\`` : `"${name.replace(/"/g, '""')}"`;
  const columns = table.columns.map((column) =>
    [
      quote(stored(column.name)),
      sqlType(column.kind, client),
      column.notNull ? 'NOT NULL' : '',
      column.default === null ? '' : `DEFAULT ${literal(column.kind, column.default, client)}`,
    ].join(' '),
  );
  const key =
    table.key.length === 0 ? [] : [`PRIMARY KEY (${table.key.map((name) => quote(stored(name))).join(', ')})`];
  const unique = table.unique === null ? [] : [`UNIQUE (${quote(stored(table.unique))})`];
  return `CREATE TABLE ${quote(table.name)} (${[...columns, ...key, ...unique].join(', ')});`;
}

function sqlType(kind: Kind, client: Client): string {
  const mysql = client === 'mysql';
  // Collations with which both engines sort by code point.
  const collation = mysql ? 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin' : 'COLLATE "C"';
  switch (kind.is) {
    case 'int':
      return { 16: 'smallint', 32: 'int', 64: 'bigint' }[kind.bits];
    case 'numeric':
      return `numeric(${kind.precision},${kind.scale})`;
    case 'varchar':
    case 'char':
      return `${kind.is}(${kind.length}) ${collation}`;
    case 'text':
      return `text ${collation}`;
    case 'timestamp':
      return `${mysql ? 'datetime' : 'timestamp'}(${kind.digits})`;
    case 'time':
      return `time(${kind.digits})`;
    case 'boolean':
      return mysql ? 'tinyint(1)' : 'boolean';
    case 'bytes':
      return mysql ? 'varbinary(255)' : 'bytea';
    case 'double':
      return 'double precision';
    case 'date':
      return 'date';
  }
}

function literal(kind: Kind, cell: string, client: Client): string {
  if (['int', 'numeric', 'double', 'boolean'].includes(kind.is)) return cell;
  if (kind.is === 'bytes') return client === 'mysql' ? `x'${cell}'` : `'\\x${cell}'`;
  const text = kind.is === 'timestamp' || kind.is === 'time' ? cell.replace('T', ' ').replace(/\.?0+$/, '') : cell;
  return `'${(client === 'mysql' ? text.replace(/\\/g, '\\\\') : text).replace(/'/g, "''")}'`;
}
