/** Resource settings × catalogue → the table as the resource shows it, or all complaints about it. */

import type { ResourceSettings } from '../config/assemble.ts';
import type { Finding, Path } from '../config/complaints.ts';
import type { Catalog, CatalogTable } from '../model/catalog.ts';
import { byLabel, type Column, isComparable, type Table, type TieBreak } from '../model/table.ts';
import { suggestion } from '../values/nearest.ts';
import { about } from './about.ts';
import { bindRows } from './bind-rows.ts';
import { sameNames, searchOf } from './bind-search.ts';
import { warningOfChildren, warningWithoutKey } from './keyless.ts';
import { denials } from './rights.ts';

export interface Bound {
  /** Null if a complaint forbids serving the table. */
  readonly table: Table | null;
  readonly complaints: readonly Finding[];
  /** Settings that work, but not as well as the operator may expect. */
  readonly warnings: readonly Finding[];
  /** Rights that the database user lacks, and broken views. An administrator can fix both in the database while the gateway runs. */
  readonly denials: readonly Finding[];
}

/** A resource's table; undefined if the database has no table of this name. */
export const tableOf = (
  { tables }: Catalog,
  { schema, table }: Pick<ResourceSettings, 'schema' | 'table'>,
): CatalogTable | undefined => tables.find((one) => one.name === table && (schema === null || one.schema === schema));

/** Whether the database lists a table or view of this name. */
export const isNamed = ({ names }: Catalog, { schema, table }: Pick<ResourceSettings, 'schema' | 'table'>): boolean =>
  names.some((one) => one.name === table && (schema === null || one.schema === schema));

/** Checks one resource against the database. Each complaint has the path of the wrong setting. */
export function bind(settings: ResourceSettings, catalog: Catalog): Bound {
  const path: Path = ['resources', settings.name];
  const found = tableOf(catalog, settings);
  if (found === undefined) {
    const at = (says: string): readonly Finding[] => [{ path: [...path, 'table'], says }];
    const absent = { table: null, complaints: [], warnings: [], denials: [] };
    // A broken view is listed, but without columns. The configuration is not at fault; the view has to be fixed.
    if (isNamed(catalog, settings)) return { ...absent, denials: at(broken(settings, catalog)) };
    return { ...absent, complaints: at(noTable(settings, catalog)) };
  }
  return new Binding(settings, found, catalog, path).bind();
}

class Binding {
  readonly #settings: ResourceSettings;
  readonly #found: CatalogTable;
  readonly #catalog: Catalog;
  readonly #path: Path;
  readonly #complaints: Finding[] = [];
  readonly #warnings: Finding[] = [];

  constructor(settings: ResourceSettings, found: CatalogTable, catalog: Catalog, path: Path) {
    this.#settings = settings;
    this.#found = found;
    this.#catalog = catalog;
    this.#path = path;
  }

  bind(): Bound {
    const { allowPartial } = this.#settings;
    const allColumns = this.#columns();
    const id = this.#id(allColumns);
    const columns = this.#visibleColumns(allColumns, id);
    const { key, keyIs } = this.#key(allColumns);
    const order = this.#order(columns, key);
    const table: Table = {
      resource: this.#settings.name,
      database: this.#settings.database,
      schema: this.#found.schema,
      name: this.#found.name,
      columns,
      all: allColumns.map((column, at) => ({
        ...column,
        label: column.name,
        readOnly: this.#found.columns[at]?.readOnly === true,
      })),
      labels: byLabel(columns),
      key,
      keyIs,
      order,
      uniqueKeys: this.#found.uniqueKeys,
      sequence: this.#found.sequence,
      mayDefer: this.#found.mayDefer,
      definition: this.#found.definition,
      foreignKeys: this.#found.foreignKeys,
      transactional: this.#found.transactional,
      allowPartial,
      search: searchOf(this.#settings.search, columns, this.#found, this.#catalog, {
        complain: (at, says) => this.#complain(['search', ...at], says),
        warn: (at, says) => this.#warn(['search', ...at], says),
        has: (name) => this.#findColumn(name, ['search', 'columns']) !== null,
      }),
      about: about(this.#settings, this.#found, columns, (path, says) => this.#complaints.push({ path, says })),
    };
    const rows = bindRows(this.#settings, this.#found, table);
    const complaints = [...this.#complaints, ...rows.complaints];
    return {
      table: complaints.length > 0 ? null : table,
      complaints,
      warnings: [...this.#warnings, ...rows.warnings],
      denials: denials(this.#settings, this.#found, table, this.#catalog),
    };
  }

  /** All of the table's columns, with their settings applied. */
  #columns(): readonly Column[] {
    const { columns: settings } = this.#settings;
    for (const [name, { hidden }] of settings) {
      const isUnseen =
        hidden && this.#found.rights.hidesColumns && this.#found.columns.every((one) => one.name !== name);
      if (isUnseen)
        this.#warn(['columns', name], `is not shown to ${this.#catalog.user}, so it is hidden if it is there`);
      else this.#findColumn(name, ['columns', name]);
    }
    return this.#found.columns.map((column) => {
      const columnSettings = settings.get(column.name);
      if (columnSettings === undefined) return column;
      if (columnSettings.boolean && column.type.kind !== 'int')
        this.#complain(['columns', column.name, 'boolean'], `must stand at an integer column, got: ${column.native}`);
      return {
        ...column,
        label: columnSettings.as ?? column.name,
        type: columnSettings.boolean ? { kind: 'bool', stored: column.type } : column.type,
        readOnly: column.readOnly || columnSettings.readOnly,
        equality: columnSettings.match === 'collation' && column.equality === 'folds' ? 'engine' : column.equality,
        info: columnSettings.info,
      };
    });
  }

  /** The column that is also shown as `_id`: the configured one, else the primary key if it is a single integer column. */
  #id(columns: readonly Column[]): Column | null {
    const { id } = this.#settings;
    if (id !== null) {
      const column = this.#findColumn(id, ['id']);
      if (column !== null && column.type.kind !== 'int')
        this.#complain(['id'], `must be an integer column, got: "${id}" of type ${column.native}`);
      else if (column !== null && this.#found.kind === 'table' && !this.#isUnique([id]))
        this.#complain(['id'], `must be a column with a unique index of its own, got: "${id}"`);
      return columns.find((candidate) => candidate.name === id) ?? null;
    }
    const [only, ...others] = this.#found.primaryKey;
    if (only === undefined || others.length > 0) return null;
    return columns.find((one) => one.name === only && one.type.kind === 'int' && !this.#isInvisible(one)) ?? null;
  }

  /** The columns that a caller sees, `_id` first. A table's own `_id` column stays as it is. */
  #visibleColumns(columns: readonly Column[], id: Column | null): readonly Column[] {
    const { expose, columns: settings } = this.#settings;
    const offered = columns
      .filter((column) => !this.#isInvisible(column))
      .filter(
        (column) => settings.get(column.name)?.hidden !== true && (expose === 'all' || settings.has(column.name)),
      );
    const visible = offered.filter((column) => column.label === '_id' || !/^_|["\p{Cc}]/u.test(column.label));
    for (const column of offered) {
      // The configuration can't have a key `__proto__`, so `as` is no remedy.
      const remedy = column.name === '__proto__' ? 'a view can rename it' : 'give it a name with `as`';
      if (!visible.includes(column))
        this.#warn(
          ['columns', column.name],
          `cannot be named by a client and stays invisible; ${remedy}, got: ${JSON.stringify(column.name)}`,
        );
      if (offered.filter((other) => other.label === column.label).length > 1)
        this.#complain(
          ['columns', column.name, 'as'],
          `must be a name that no other column has, got: ${JSON.stringify(column.label)}`,
        );
    }
    const ownId = visible.find((column) => column.label === '_id');
    if (ownId !== undefined) return [ownId, ...visible.filter((column) => column !== ownId)];
    return id === null ? visible : [{ ...id, label: '_id', info: null }, ...visible];
  }

  #isInvisible({ name, invisible }: Column): boolean {
    return invisible === true && !this.#settings.columns.has(name);
  }

  #key(columns: readonly Column[]): Pick<Table, 'key' | 'keyIs'> {
    const names = this.#keyNames();
    const key = names
      .map((name) => columns.find((column) => column.name === name))
      .filter((column) => column !== undefined);
    for (const name of this.#settings.key ?? []) this.#findColumn(name, ['key']);
    // A key with missing columns was already complained about above, so don't check it further.
    if (key.length < names.length || key.length === 0) return { key, keyIs: 'none' };
    if (this.#isUnique(names)) return { key, keyIs: this.#found.keysHold ? 'proved' : 'claimed' };
    if (this.#found.kind === 'view') return { key, keyIs: 'claimed' };
    if (this.#writes())
      this.#complain(
        ['key'],
        `must be columns with a unique index over exactly them, because the resource is written, got: ${names.join(', ')}`,
      );
    return { key, keyIs: 'none' };
  }

  /** Orders by `_id` as CKAN does. If `_id` may repeat or be NULL, also orders by the key. */
  #order(columns: readonly Column[], key: readonly Column[]): TieBreak {
    const id = columns.find(({ label, type }) => label === '_id' && isComparable(type));
    const isIdUnique = id !== undefined && !id.nullable && this.#found.keysHold && this.#isUnique([id.name]);
    const by = [...(id === undefined ? [] : [id]), ...(isIdUnique ? [] : key)];
    const { key: claimed } = this.#settings;
    const isTotal = isIdUnique || (key.length > 0 && (this.#found.keysHold || claimed !== null));
    const writes = this.#writes();
    const says =
      this.#keyNames().length === 0
        ? warningWithoutKey({ isOrdered: isIdUnique, hasId: id !== undefined, writes })
        : !isTotal && key.length > 0
          ? warningOfChildren(key, writes)
          : null;
    if (says !== null) this.#warn(['table'], says);
    return { by, isTotal, ...(this.#found.hasPlaces ? { hasPlaces: true } : {}) };
  }

  /** Finds a column of the table by its exact name; complains otherwise. */
  #findColumn(name: string, at: Path): Column | null {
    const names = this.#found.columns.map((column) => column.name);
    const column = this.#found.columns.find((candidate) => candidate.name === name);
    if (column === undefined)
      this.#complain(
        at,
        `must name a column of "${this.#found.name}"${suggestion(name, names)}, got: ${JSON.stringify(name)}`,
      );
    return column ?? null;
  }

  #keyNames(): readonly string[] {
    return this.#settings.key ?? this.#found.primaryKey;
  }

  #writes(): boolean {
    return this.#settings.access.write !== 'none';
  }

  #isUnique(names: readonly string[]): boolean {
    return this.#found.uniqueKeys.some((key) => sameNames(key.columns, names));
  }

  #complain(at: Path, says: string): void {
    this.#complaints.push({ path: [...this.#path, ...at], says });
  }

  #warn(at: Path, says: string): void {
    this.#warnings.push({ path: [...this.#path, ...at], says });
  }
}

function broken({ table, schema }: ResourceSettings, { user, grant }: Catalog): string {
  const granted = grant({ schema, name: table }, [{ privilege: 'SELECT', columns: null }]);
  return `shows ${user} no columns: a view is broken if a table, column, function or definer that it needs is gone; a table needs ${granted}`;
}

function noTable({ table, schema, database }: ResourceSettings, catalog: Catalog): string {
  const inSchema = catalog.names.filter((name) => schema === null || name.schema === schema).map(({ name }) => name);
  const elsewhere = catalog.names.find((name) => name.name === table);
  const hint =
    elsewhere !== undefined && elsewhere.schema !== null
      ? ` (there is one in schema "${elsewhere.schema}")`
      : suggestion(table, inSchema);
  const { user, hidesTables } = catalog;
  const grant = catalog.grant({ schema, name: table }, [{ privilege: 'SELECT', columns: null }]);
  const unseen = hint === '' && hidesTables ? ` (if it is there, ${user} has no right to it: ${grant})` : '';
  return `must name a table or view of database "${database}"${hint}${unseen}, got: ${JSON.stringify(table)}`;
}
