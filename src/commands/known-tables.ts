/** Reports new columns in tables that the file already has. `--merge` must not change existing entries, so it only prints them. */
import type { Settings } from '../config/assemble.ts';
import { tableKey } from '../propose/privacy-in.ts';
import type { SurveyedDatabase } from './survey-database.ts';

/** How many columns a line names before "and 3 more". */
const maxNames = 10;

/** A line for each resource with new columns to review. Columns whose names suggest secrets are omitted: `check` reports them. */
export function newColumnsOf(
  { database, selected, catalog, privacy }: SurveyedDatabase,
  settings: Settings,
): readonly string[] {
  const selectedKeys = new Set(selected.map(tableKey));
  const resources = [...settings.resources.values()].filter((one) => one.database === database.name);
  return resources.flatMap(({ name, schema, table, expose, columns }) => {
    const catalogTable = catalog.tables.find((one) => one.schema === schema && one.name === table);
    if (catalogTable === undefined || !selectedKeys.has(tableKey(catalogTable))) return [];
    const others = catalogTable.columns.filter((column) => !columns.has(column.name) && !column.invisible);
    const reported =
      expose === 'listed' ? others : others.filter((column) => privacy(catalogTable, column) === 'personal');
    if (reported.length === 0) return [];
    const names = reported.slice(0, maxNames).map((column) => column.name);
    const all = [...names, ...(reported.length > maxNames ? [`… and ${reported.length - maxNames} more`] : [])].join(
      ', ',
    );
    return expose === 'listed'
      ? [`not listed, so nobody sees them: ${name}: ${all}`]
      : [`look personal, and are shown: ${name}: ${all}: hide them, or write \`hidden: false\``];
  });
}
