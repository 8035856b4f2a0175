/** Settings × catalogues → which tables and columns are exposed, and which are not. */
import { stringify } from 'lossless-json';
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import { type Finding, show } from '../config/complaints.ts';
import type { CatalogTable, SurveyedTable } from '../model/catalog.ts';
import type { RowTemplate } from '../model/claim.ts';
import { isDeclaredBoolean } from '../model/table.ts';
import { reasonNotWanted } from '../propose/left-out.ts';
import { privacyIn, tableKey } from '../propose/privacy-in.ts';
import { key } from '../values/yaml-scalar.ts';
import { tableOf } from './bind.ts';
import type { DatabaseSnapshot, Resolved } from './served.ts';

/** A resource as `check --list` shows it. */
export interface ExposedResource {
  readonly id: string;
  readonly database: string;
  readonly schema: string | null;
  readonly table: string;
  readonly kind: CatalogTable['kind'] | null;
  readonly access: Pick<ResourceSettings['access'], 'read' | 'write'>;
  /** The resource's row filters, as JSON: its own filter, then those of tokens and grants. */
  readonly rows: readonly { readonly callers: string | null; readonly where: string }[];
  /** The table's columns that identify a record; empty if there are none. */
  readonly key: readonly string[];
  /** All columns of the table, in its order; null if the resource cannot be served. */
  readonly columns: readonly ExposedColumn[] | null;
}

export interface ExposedColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** The column's name in the API; null if it is hidden. */
  readonly as: string | null;
  readonly type: string;
}

/** The tables of a database that no resource shows. */
export interface Unlisted {
  readonly database: string;
  /** The tables for which `init` would propose a resource. */
  readonly tables: readonly string[];
  /** The other tables, with the reason why `init` leaves them out. */
  readonly leftOut: readonly { readonly table: string; readonly why: string }[];
}

/** The part of its table that a resource shows. */
export function exposureOf({ id, settings, table }: Resolved, found: CatalogTable | null): ExposedResource {
  const { database, schema, access } = settings;
  const isShown = typeof table !== 'string';
  /** A column may be shown twice: as `_id`, and by a name of its own. */
  const shownAs = (name: string): string | null => {
    const labels = isShown ? table.columns.filter((one) => one.name === name).map(({ label }) => label) : [];
    return labels.find((label) => label !== '_id') ?? labels[0] ?? null;
  };
  return {
    ...{ id, database, schema, table: settings.table, kind: found?.kind ?? null },
    access: { read: access.read, write: access.write },
    rows: [
      ...(settings.where === null ? [] : [{ callers: null, where: filterText(settings.where) }]),
      ...settings.callerFilters.map(({ callers, where }) => ({ callers, where: filterText(where) })),
    ],
    key: isShown ? table.key.map(({ name }) => name) : [],
    columns:
      !isShown || found === null
        ? null
        : found.columns.map(({ name, declared }) => ({ name, as: shownAs(name), type: declared })),
  };
}

const filterText = (where: RowTemplate): string => stringify(where) ?? '';

/** A resource's table in the catalogue; null if the catalogue does not have it. */
export function tableIn(settings: ResourceSettings, { catalog }: DatabaseSnapshot): CatalogTable | null {
  return (catalog && tableOf(catalog, settings)) ?? null;
}

/** The tables of a database that no resource shows. */
export function unlisted(
  database: string,
  tables: readonly SurveyedTable[],
  settings: Settings,
  defaultSchema: string | null,
): Unlisted {
  const mine = [...settings.resources.values()].filter((resource) => resource.database === database);
  const servedTables = new Set(mine.map(({ schema, table }) => tableKey({ schema, name: table })));
  const others = tables.filter((table) => !servedTables.has(tableKey(table)));
  const nameOf = (table: SurveyedTable) =>
    table.schema === null || table.schema === defaultSchema ? table.name : `${table.schema}.${table.name}`;
  const reasons = others.map((table) => ({
    table: nameOf(table),
    why: table.unreadable === true ? 'this user may not read it' : reasonNotWanted(table),
  }));
  return {
    database,
    tables: reasons.flatMap(({ table, why }) => (why === null ? [table] : [])),
    leftOut: reasons.flatMap(({ table, why }) => (why === null ? [] : [{ table, why }])),
  };
}

/** How many table names fit into one line. */
const maxNames = 10;

/** Warns about tables that no resource shows: one may be new, and the operator may not know about it. */
export function warningOfUnlisted({ database, tables }: Unlisted): readonly Finding[] {
  if (tables.length === 0) return [];
  const names = tables.slice(0, maxNames).map(plain).join(', ');
  const more = tables.length > maxNames ? `, … and ${tables.length - maxNames} more` : '';
  const count = tables.length === 1 ? '1 table that is' : `${tables.length} tables that are`;
  return [{ path: ['databases', database], says: `has ${count} not in the file: ${names}${more}` }];
}

/** Warns about visible columns with names like `password`. If the configuration mentions a column, the operator has already decided. */
export function warningsOfSecrets({ id, settings, table }: Resolved, found: CatalogTable | null): readonly Finding[] {
  if (typeof table === 'string' || found === null) return [];
  const isShown = (name: string) => table.columns.some((column) => column.name === name);
  return found.columns
    .filter((column) => isShown(column.name) && !settings.columns.has(column.name))
    .filter((column) => privacyIn(found, column) === 'secret')
    .map(({ name }) => ({
      path: ['resources', id],
      says: `shows the column ${plain(name)}, whose name says a secret: hide it, or write \`hidden: false\``,
    }));
}

/** MySQL's only boolean is TINYINT(1), which may also hold small numbers. Warns about such columns that the configuration does not mention. */
export function warningsOfNumbers({ id, settings, table }: Resolved): readonly Finding[] {
  if (typeof table === 'string') return [];
  const flags = table.columns.filter(
    ({ type, name, label }) => isDeclaredBoolean(type) && label !== '_id' && !settings.columns.has(name),
  );
  return flags.map(({ name }) => ({
    path: ['resources', id, 'columns'],
    says: `shows ${plain(name)}, a BOOLEAN (tinyint(1)), as a number: write \`${key(name)}: { boolean: true }\` for true and false, or \`boolean: false\``,
  }));
}

/** The name, in quotes unless it is a plain word. */
const plain = (name: string): string => (/^[\p{L}\p{N}_.$-]+$/u.test(name) ? name : show(name));
