/** Which resources refer to which, by their tables' foreign keys or by `columns.*.references` in the configuration. */
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import type { References } from '../model/http.ts';
import type { Table } from '../model/table.ts';
import { suggestion } from '../values/nearest.ts';
import type { Absent, DatabaseSnapshot } from './served.ts';

type Snapshots = ReadonlyMap<string, Pick<DatabaseSnapshot, 'tables'>>;

/** A reference between two resources, by their field labels. */
interface Link {
  readonly from: string;
  readonly fields: readonly string[];
  readonly target: string;
  readonly to: readonly string[];
}

/** The tables that a reference may lead to. */
interface Targets {
  /** The table at this place in the same database, once for each resource that shows it. */
  at(place: Pick<Table, 'schema' | 'name'>): readonly Table[];
  of(resource: string): readonly Table[];
}

/** Finds all references between resources, whether or not a given caller may see them. @returns a function from a resource's id to its references */
export function readReferences(settings: Settings, snapshots: Snapshots): (id: string) => References {
  const resources = [...settings.resources.values()];
  const tables = resources.flatMap((resource) => servedTable(resource, snapshots) ?? []);
  const [byPlace, byResource] = [grouped(tables, placeOf), grouped(tables, ({ resource }) => resource)];
  const links = tables.flatMap((table) =>
    linksFrom(table, settings.resources.get(table.resource), {
      at: ({ schema, name }) => byPlace.get(placeOf({ database: table.database, schema, name })) ?? [],
      of: (resource) => byResource.get(resource) ?? [],
    }),
  );
  const [bySource, byTarget] = [grouped(links, ({ from }) => from), grouped(links, ({ target }) => target)];
  return (id) => ({
    references: (bySource.get(id) ?? []).map(({ target, fields, to }) => ({ resource: target, fields, to })),
    referencedBy: (byTarget.get(id) ?? []).map(({ from, fields, to }) => ({ resource: from, fields, to })),
  });
}

/** Identifies a table by its place, because several resources may show it. */
const placeOf = ({ database, schema, name }: Pick<Table, 'database' | 'schema' | 'name'>): string =>
  JSON.stringify([database, schema, name]);

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** Complains about references to columns that their resources do not show. Resources that cannot be served now are not checked. */
export function complaintsOfReferences({ resources }: Settings, snapshots: Snapshots): readonly Finding[] {
  return [...resources.values()].flatMap(({ name, columns }) =>
    [...columns].flatMap(([from, { references }]): readonly Finding[] => {
      if (references === null) return [];
      const { resource, column } = references;
      const table = servedTable(resources.get(resource), snapshots);
      if (table === null || labelsOf(table, [column]) !== null) return [];
      const shown = table.columns.map((one) => one.name);
      return [
        {
          path: ['resources', name, 'columns', from, 'references', 'column'],
          says: `must name a column that resource "${resource}" shows${suggestion(column, shown)}, got: ${JSON.stringify(column)}`,
        },
      ];
    }),
  );
}

function servedTable(resource: ResourceSettings | undefined, snapshots: Snapshots): Table | null {
  if (resource === undefined) return null;
  const table: Table | Absent | undefined = snapshots.get(resource.database)?.tables.get(resource.name);
  return typeof table === 'object' ? table : null;
}

/** A table's references: the configured ones, and the foreign keys whose columns have no configured one. */
function linksFrom(table: Table, settings: ResourceSettings | undefined, targets: Targets): readonly Link[] {
  const configured = [...(settings?.columns ?? [])].flatMap(([name, { references }]) =>
    references === null ? [] : [{ name, ...references }],
  );
  const foreign = table.foreignKeys.filter(({ columns }) => !configured.some(({ name }) => columns.includes(name)));
  const links = [
    ...foreign.flatMap(({ columns, to }) =>
      targets.at(to).flatMap((target) => link(table, columns, target, to.columns)),
    ),
    ...configured.flatMap(({ name, resource, column }) =>
      targets.of(resource).flatMap((target) => link(table, [name], target, [column])),
    ),
  ];
  // A table may have the same foreign key twice, under two names.
  return [...new Map(links.map((one) => [JSON.stringify(one), one])).values()];
}

/** The reference between these columns; empty if one of them is hidden. */
function link(
  from: Table,
  columns: readonly string[],
  target: Table,
  targetColumns: readonly string[],
): readonly Link[] {
  const [fields, to] = [labelsOf(from, columns), labelsOf(target, targetColumns)];
  return fields === null || to === null ? [] : [{ from: from.resource, fields, target: target.resource, to }];
}

/**
 * The columns' labels; null if one of them is hidden. A column that is also shown as `_id` has the label that `datastore_info` lists. MySQL
 * tables have no schema, and MySQL may store a foreign key's column names in another case than the columns'.
 */
function labelsOf({ columns, schema }: Table, names: readonly string[]): readonly string[] | null {
  const folded = (name: string) => (schema === null ? name.toLowerCase() : name);
  const labels = names.flatMap((name) => columns.findLast((one) => folded(one.name) === folded(name))?.label ?? []);
  return labels.length < names.length ? null : labels;
}
