/** Pure. What views show of the tables below them: a secret under another name is a secret all the same. */
import type { Catalog, SurveyedTable, TableName } from '../model/catalog.ts';
import { privacyIn, tableKey } from './privacy-in.ts';

/** The names of all tables and views below a view, however far. */
export function allBelow(view: TableName, { effects }: Catalog): readonly string[] {
  const found = new Map<string, TableName>();
  const queue: TableName[] = [view];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const { from, to } of effects.shows) {
      if (to.name !== next.name || to.schema !== next.schema || found.has(tableKey(from))) continue;
      found.set(tableKey(from), from);
      queue.push(from);
    }
  }
  return [...new Set([...found.values()].map(({ name }) => name))];
}

/** Tables and views in which a server keeps the passwords of its own users. */
const accounts = /\b(?:pg_authid|pg_shadow|pg_user_mappings?)\b|`mysql`\.`(?:user|global_priv|db)`/;

/**
 * Views that may show a secret, with the reason, by `tableKey`. A view is one if its query names a secret column of a table
 * below it, takes whole rows of such a table, or reads another such view. Where the query cannot be seen, it is one only if
 * everything is to be served unseen (`unusable`).
 */
export function leakingViews(
  all: readonly SurveyedTable[],
  catalog: Catalog,
  leaveOut: 'unusable' | 'unwanted',
): ReadonlyMap<string, string> {
  const secrets = new Map(
    catalog.tables.map((table) => [
      tableKey(table),
      table.columns.filter((column) => privacyIn(table, column) === 'secret').map(({ name }) => name),
    ]),
  );
  const leaks = new Map<string, string>();
  const reasonFor = (view: SurveyedTable): string | null => {
    const { definition } = view;
    if (definition === null) return leaveOut === 'unusable' ? `${catalog.user} may not see what it reads` : null;
    if (accounts.test(definition)) return "reads the server's own users";
    for (const { from, to } of catalog.effects.shows) {
      if (to.name !== view.name || to.schema !== view.schema) continue;
      if (leaks.has(tableKey(from))) return `reads ${from.name}, which may show a secret`;
      const shown = (secrets.get(tableKey(from)) ?? []).find((name) => mentions(definition, name));
      if (shown !== undefined) return `reads ${from.name}.${shown}, whose name says a secret`;
    }
    return null;
  };
  const views = all.filter(({ is }) => is === 'view');
  // A view may read another one that comes later: until nothing new is found.
  for (let found = -1; found < leaks.size; ) {
    found = leaks.size;
    for (const view of views) {
      const why = leaks.has(tableKey(view)) ? null : reasonFor(view);
      if (why !== null) leaks.set(tableKey(view), why);
    }
  }
  return leaks;
}

/** Whether a query names the column, or takes whole rows (`u.*`), which PostgreSQL does not write out. */
function mentions(definition: string, column: string): boolean {
  const escaped = column.replace(/[\\^$.*+?|()[\]{}/]/gu, '\\$&');
  return (
    /\.\*/.test(definition) || new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u').test(definition)
  );
}
