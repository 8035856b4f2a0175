/** Pure. Finds views that may show secrets from the tables they read, even under another column name. */
import type { Catalog, SurveyedTable, TableName } from '../model/catalog.ts';
import { type PrivacyOf, tableKey } from './privacy-in.ts';
import { nameSays } from './private.ts';

/** The names of all tables and views that a view reads, directly or through other views. */
export function allBelow(view: TableName, { effects }: Catalog): readonly string[] {
  const relations = new Map<string, TableName>();
  const queue: TableName[] = [view];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const { from, to } of effects.shows) {
      if (to.name !== next.name || to.schema !== next.schema || relations.has(tableKey(from))) continue;
      relations.set(tableKey(from), from);
      queue.push(from);
    }
  }
  return [...new Set([...relations.values()].map(({ name }) => name))];
}

/** Matches system tables and views that contain the passwords of the database server's own users. */
const accounts =
  /\b(?:pg_authid|pg_shadow|pg_user_mappings?|pg_subscription|pg_stat_activity|pg_hba_file_rules)\b|`mysql`\.`(?:user|global_priv|db)`/;

/**
 * Matches a table or a join with renamed columns, such as `FROM users u(id, b, c)`: the view's definition then lacks the real column names.
 * It also matches a function in FROM.
 */
const renamed = /(?:\b(?:FROM|JOIN)|,)\s+(?:ONLY\s+)?[\w."]+\s+(?:AS\s+)?[\w"]+\(|\)\s+(?:AS\s+)?[\w"]+\(/i;

/**
 * The views that may show a secret, with the reason, by `tableKey`: the view's query names a table's secret column, renames columns, selects
 * whole rows, calls a function, or reads another such view. A view whose query we cannot see counts only if `leaveOut` is `unusable`, because
 * nobody reviews that proposal.
 */
export function leakingViews(
  all: readonly SurveyedTable[],
  catalog: Catalog,
  privacy: PrivacyOf,
  leaveOut: 'unusable' | 'unwanted',
): ReadonlyMap<string, string> {
  const secrets = new Map(
    catalog.tables.map((table) => [
      tableKey(table),
      table.columns.filter((column) => privacy(table, column) === 'secret').map(({ name }) => name),
    ]),
  );
  const hasSecrets = [...secrets.values()].some((columns) => columns.length > 0);
  const leaks = new Map<string, string>();
  const reasonFor = (view: SurveyedTable): string | null => {
    const { definition } = view;
    if (definition === null) return leaveOut === 'unusable' ? `${catalog.user} may not see what it reads` : null;
    if (accounts.test(definition)) return 'reads what the server keeps of its users';
    if (hasSecrets && catalog.effects.mayShowAnything.some(({ table }) => isSame(table, view)))
      return 'calls functions or reads elsewhere, which may show a secret';
    for (const { from, to } of catalog.effects.shows) {
      if (!isSame(to, view)) continue;
      if (leaks.has(tableKey(from))) return `reads ${from.name}, which may show a secret`;
      // We don't have the columns of a table in another database, so check all names in the query.
      const isHere = from.database === catalog.effects.database;
      const names = (isHere ? secrets.get(tableKey(from)) : null) ?? wordsIn(definition);
      const shown = names.find((name) => mentions(definition, name));
      if (shown !== undefined)
        return `reads ${from.name}.${shown}, ${nameSays(shown) === 'secret' ? 'whose name says a secret' : 'which holds secrets'}`;
    }
    return null;
  };
  const views = all.filter(({ is }) => is === 'view');
  // A view may read a leaking view that comes later in the list, so repeat until nothing new is found.
  for (let previousSize = -1; previousSize < leaks.size; ) {
    previousSize = leaks.size;
    for (const view of views) {
      const why = leaks.has(tableKey(view)) ? null : reasonFor(view);
      if (why !== null) leaks.set(tableKey(view), why);
    }
  }
  return leaks;
}

/** Names in a query that suggest secrets. */
const wordsIn = (definition: string): readonly string[] =>
  [...new Set(definition.match(/[\p{L}\p{N}_]+/gu))].filter((name) => nameSays(name) === 'secret');

const isSame = (a: TableName, b: TableName): boolean => a.name === b.name && a.schema === b.schema;

/** Whether a view's query names the column, or selects whole rows (`u.*`), whose columns PostgreSQL does not list. */
function mentions(definition: string, column: string): boolean {
  const escaped = column.replace(/[\\^$.*+?|()[\]{}/]/gu, '\\$&');
  return (
    /\.\*/.test(definition) ||
    renamed.test(definition) ||
    new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u').test(definition)
  );
}
