/** Checks a resource's row filters against its table: its own filter, and those of tokens and grants. */
import { where } from '../actions/query/filters.ts';
import { withoutClaims } from '../actions/query/row-template.ts';
import type { ResourceSettings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import type { CatalogTable } from '../model/catalog.ts';
import type { RowTemplate } from '../model/claim.ts';
import { Refusal } from '../model/errors.ts';
import { columnsOf } from '../model/plan.ts';
import type { Table } from '../model/table.ts';
import { filterLimits, forFilters } from './row-rules.ts';

export interface BoundRows {
  readonly complaints: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Finds filters that do not fit the table, that writes could not respect, or that are slow. */
export function bindRows(settings: ResourceSettings, found: CatalogTable, table: Table): BoundRows {
  const complaints: Finding[] = [];
  const warnings: Finding[] = [];
  for (const { path, where: filter } of filtersOf(settings)) {
    const compared = comparedIn(filter, table);
    if ('says' in compared) {
      complaints.push({ path, ...compared });
      continue;
    }
    const isWritten = settings.access.write !== 'none';
    const at = (says: string): Finding => ({ path, says });
    if (isWritten) complaints.push(...unkept(table).map(at));
    if (isWritten) warnings.push(...leaks(found, table, compared.columns).map(at));
    if (found.kind === 'table' && !found.indexes.some(({ columns: [first = ''] }) => compared.columns.includes(first)))
      warnings.push(
        at(
          `has no index that begins with one of its columns (${compared.columns.join(', ')}), so a search may read the whole table`,
        ),
      );
  }
  return { complaints, warnings };
}

/** The names of the columns that a resource's filters compare, including hidden ones. */
export const filterColumns = (settings: Filtered, table: Table): readonly string[] =>
  filtersOf(settings).flatMap(({ where: filter }) => {
    const compared = comparedIn(filter, table);
    return 'says' in compared ? [] : compared.columns;
  });

type Filtered = Pick<ResourceSettings, 'name' | 'where' | 'callerFilters'>;

const filtersOf = ({ name, where: own, callerFilters }: Filtered) => [
  ...(own === null ? [] : [{ path: ['resources', name, 'where'], where: own }]),
  ...callerFilters,
];

/** The names of the columns that a filter compares, or why it does not fit the table. */
function comparedIn(
  filter: RowTemplate,
  table: Table,
): { readonly columns: readonly string[] } | { readonly says: string } {
  try {
    const condition = where(withoutClaims(filter), forFilters(table), filterLimits);
    return { columns: columnsOf(condition).map(({ name }) => name) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { filters: texts } = error.details;
    return { says: `does not fit the table: ${Array.isArray(texts) ? texts.join('; ') : error.message}` };
  }
}

/** Why writes could not respect the filter. */
const unkept = ({ keyIs, transactional }: Table): readonly string[] => [
  ...(keyIs === 'proved'
    ? []
    : ['needs a unique key for writes: name its columns in `key`, or set `access.write: none`']),
  ...(transactional ? [] : ['needs transactions for writes, which the table does not have: set `access.write: none`']),
];

/** What writers can learn about rows outside their filter, or do to them. */
function leaks({ uniqueKeys }: CatalogTable, { sequence }: Table, compared: readonly string[]): readonly string[] {
  const oracle = uniqueKeys.find(({ columns }) => !columns.some((column) => compared.includes(column)));
  return [
    ...(oracle === undefined
      ? []
      : [
          `does not hide which values of ${oracle.columns.join(', ')} other rows have: a writer learns it from the refusal of a duplicate`,
        ]),
    ...(sequence.records === 'alone'
      ? ['does not hold for rows that a foreign key of the table to itself deletes or changes along']
      : []),
  ];
}
