/** Pure. What views show of the tables below them: a secret under another name is a secret all the same. */
import type { Catalog, SurveyedTable, TableName } from '../model/catalog.ts';
import { type PrivacyOf, tableKey } from './privacy-in.ts';
import { nameSays } from './private.ts';

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
const accounts =
  /\b(?:pg_authid|pg_shadow|pg_user_mappings?|pg_subscription|pg_stat_activity|pg_hba_file_rules)\b|`mysql`\.`(?:user|global_priv|db)`/;

/**
 * Names given to the columns of a table or a join, which PostgreSQL does not write out again: `FROM users u(id, b, c)`. A source
 * that is a function looks alike.
 */
const renamed = /(?:\b(?:FROM|JOIN)|,)\s+(?:ONLY\s+)?[\w."]+\s+(?:AS\s+)?[\w"]+\(|\)\s+(?:AS\s+)?[\w"]+\(/i;

/**
 * Views that may show a secret, with the reason, by `tableKey`. A view is one if its query names a secret column of a table below
 * it, renames its columns, or takes its whole rows. So is one that calls a function, or reads another such view. Where the query
 * cannot be seen, it is one only if everything is to be served unseen (`unusable`).
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
      // Of a table of another database only the names in the query are there to be judged.
      const isHere = from.database === catalog.effects.database;
      const names = (isHere ? secrets.get(tableKey(from)) : null) ?? wordsIn(definition);
      const shown = names.find((name) => mentions(definition, name));
      if (shown !== undefined)
        return `reads ${from.name}.${shown}, ${nameSays(shown) === 'secret' ? 'whose name says a secret' : 'which holds secrets'}`;
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

/** The names in a query that say secrets. */
const wordsIn = (definition: string): readonly string[] =>
  [...new Set(definition.match(/[\p{L}\p{N}_]+/gu))].filter((name) => nameSays(name) === 'secret');

const isSame = (a: TableName, b: TableName): boolean => a.name === b.name && a.schema === b.schema;

/** Whether a query names the column, or takes whole rows (`u.*`), which PostgreSQL does not write out. */
function mentions(definition: string, column: string): boolean {
  const escaped = column.replace(/[\\^$.*+?|()[\]{}/]/gu, '\\$&');
  return (
    /\.\*/.test(definition) ||
    renamed.test(definition) ||
    new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u').test(definition)
  );
}
