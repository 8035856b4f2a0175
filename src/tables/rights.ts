/** Rights that a resource needs and its database user lacks, each with the GRANT that adds it. */

import type { ResourceSettings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import type { Catalog, CatalogTable, Grant, TableRights } from '../model/catalog.ts';
import type { Table } from '../model/table.ts';
import { filterColumns } from './bind-rows.ts';

/**
 * Complaints about missing rights.
 * @param found the table in the catalogue
 * @param bound the table as the resource shows it
 */
export function denials(
  settings: ResourceSettings,
  found: CatalogTable,
  bound: Table,
  catalog: Catalog,
): readonly Finding[] {
  const { name, access } = settings;
  const { rights } = found;
  const { user } = catalog;
  const findings: Finding[] = [];
  const complain = (at: readonly string[], says: string) => findings.push({ path: ['resources', name, ...at], says });
  /** The missing grant for these columns, if any. Its `columns` are null, for all, if the user has the privilege on no column of the table. */
  const lacking = (privilege: keyof TableRights['without'], among: ReadonlySet<string>): readonly Grant[] => {
    const without = rights.without[privilege];
    const needed = without.filter((column) => among.has(column));
    if (needed.length === 0) return [];
    return [{ privilege, columns: without.length === found.columns.length ? null : needed }];
  };

  if (rights.schema !== null) complain(['table'], `is in a schema that ${user} may not use: ${rights.schema}`);
  const needed = needs(settings, bound, catalog);
  const [select] = lacking('SELECT', needed.SELECT);
  if (select !== undefined) {
    const what = select.columns === null ? `may not be read by ${user}` : `has columns that ${user} may not read`;
    const otherwise = select.columns === null ? '' : '; or hide them';
    complain(['table'], `${what}: ${catalog.grant(found, [select])}${otherwise}`);
  }
  if (access.write === 'none') return findings;

  const grants: readonly Grant[] = [
    ...lacking('INSERT', needed.INSERT),
    ...lacking('UPDATE', needed.UPDATE),
    ...(rights.mayDelete === false ? [{ privilege: 'DELETE', columns: null } as const] : []),
  ];
  if (grants.length > 0) {
    const what = grants.map(({ privilege }) => privilege).join(', ');
    complain(['access', 'write'], `is token, but ${user} may not ${what}: ${catalog.grant(found, grants)}`);
  }
  for (const grant of rights.sequences)
    complain(['access', 'write'], `is token, but ${user} may not use the sequence of new records: ${grant}`);
  return findings;
}

/** The columns for which a resource needs each privilege; a resource that is written also needs DELETE. */
function needs(
  settings: ResourceSettings,
  bound: Table,
  { locksByUpdate }: Pick<Catalog, 'locksByUpdate'>,
): Readonly<Record<Columnwise, ReadonlySet<string>>> {
  const keys = bound.key.map((column) => column.name);
  const filtered = filterColumns(settings, bound);
  // New records get their filter's values, even in columns that the client may not see.
  const filled = bound.all.filter((column) => !column.readOnly && filtered.includes(column.name));
  const written = [...bound.columns.filter(({ readOnly }) => !readOnly), ...filled].map((column) => column.name);
  const isWritten = settings.access.write !== 'none';
  const others = written.filter((name) => !keys.includes(name));
  // An upsert locks existing records. On some servers, locking takes the UPDATE right even if only the key can be written.
  const changed = others.length === 0 && locksByUpdate === true ? keys : others;
  return {
    SELECT: new Set([
      ...[...bound.columns, ...bound.key, ...bound.search.columns].map((column) => column.name),
      ...filtered,
    ]),
    INSERT: new Set(isWritten ? written : []),
    UPDATE: new Set(isWritten && bound.keyIs !== 'none' ? changed : []),
  };
}

/** All privileges that a resource needs, for a user that has none yet. */
export function neededGrants(
  settings: ResourceSettings,
  found: CatalogTable,
  bound: Table,
  catalog: Pick<Catalog, 'locksByUpdate'>,
): readonly Grant[] {
  const wanted = needs(settings, bound, catalog);
  const grants = (['SELECT', 'INSERT', 'UPDATE'] as const).flatMap((privilege): readonly Grant[] => {
    const columns = found.columns.map(({ name }) => name).filter((name) => wanted[privilege].has(name));
    if (columns.length === 0) return [];
    return [{ privilege, columns: columns.length === found.columns.length ? null : columns }];
  });
  return settings.access.write !== 'none' ? [...grants, { privilege: 'DELETE', columns: null }] : grants;
}

type Columnwise = 'SELECT' | 'INSERT' | 'UPDATE';
