/** News about tables that the file has already. It is printed and never written: the file is the operator's. */
import type { Settings } from '../config/assemble.ts';
import { tableKey } from '../propose/privacy-in.ts';
import type { SurveyedDatabase } from './survey-database.ts';

/** The most names of columns in one line. */
const mostNamed = 10;

/** A line for each resource with columns that the file does not mention. Those with secret names are a warning of `check`. */
export function newColumnsOf(
  { database, selected, catalog, privacy }: SurveyedDatabase,
  settings: Settings,
): readonly string[] {
  const asked = new Set(selected.map(tableKey));
  const resources = [...settings.resources.values()].filter((one) => one.database === database.name);
  return resources.flatMap(({ name, schema, table, expose, columns }) => {
    const found = catalog.tables.find((one) => one.schema === schema && one.name === table);
    if (found === undefined || !asked.has(tableKey(found))) return [];
    const others = found.columns.filter((column) => !columns.has(column.name) && !column.invisible);
    const told = expose === 'listed' ? others : others.filter((column) => privacy(found, column) === 'personal');
    if (told.length === 0) return [];
    const names = told.slice(0, mostNamed).map((column) => column.name);
    const all = [...names, ...(told.length > mostNamed ? [`… and ${told.length - mostNamed} more`] : [])].join(', ');
    return expose === 'listed'
      ? [`not listed, so nobody sees them: ${name}: ${all}`]
      : [`look personal, and are shown: ${name}: ${all}: hide them, or write \`hidden: false\``];
  });
}
