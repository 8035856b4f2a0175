/** Pure. Decides which tables a proposal leaves out, and why. */
import type { CatalogTable, SurveyedTable } from '../model/catalog.ts';
import { splitList, wordsOf } from './words.ts';

/** Words at the end (`copies`) or the beginning (`copiesBefore`) of a copied table's name. */
const copies = new Set(splitList('bak, backup, backups, old, tmp, copy, kopie, orig, sav'));
const copiesBefore = new Set(splitList('bak, backup, old, tmp'));
const migrations = new Set(
  splitList(`
  schema migrations, schema migration, schema version, schemaversion, flyway schema history, ef migrations history, knex migrations,
  knex migrations lock, django migrations, alembic version, ar internal metadata, migrations, doctrine migration versions,
  migration versions, databasechangelog, databasechangeloglock, phinxlog, prisma migrations, goose db version, sequelize meta,
  pgmigrations, typeorm migrations`),
);
const ofTheApplication = new Set(
  splitList(`
  session, sessions, django session, user sessions, jobs, job, failed jobs, delayed jobs, queue, queues, cache, caches, cache locks,
  messenger messages, telescope entries, watchdog, semaphore`),
);
const holdsSecrets =
  /(?:^| )(?:tokens?|access ?tokens?|password resets?|passwords?|password history|credentials|secrets|(?:api|access|secret|private) keys?|apikeys|totp devices)$/;

/**
 * Why a table is not proposed; null if it is.
 * @param catalogTable the table in the catalogue; null if the user cannot see its columns
 * @param leaveOut with `unusable`, all tables that can be served are proposed, except tables of secrets
 */
export function reasonToLeaveOut(
  table: SurveyedTable,
  catalogTable: CatalogTable | null,
  user: string,
  leaveOut: 'unusable' | 'unwanted',
): string | null {
  const why = unusable(table, catalogTable, user) ?? reasonOfSecrets(table);
  return why ?? (leaveOut === 'unwanted' ? reasonNotWanted(table) : null);
}

const reasonOfSecrets = ({ name }: Pick<SurveyedTable, 'name'>): string | null =>
  holdsSecrets.test(wordsOf(name).join(' ')) ? 'its name says that it holds secrets' : null;

/** Why a table cannot be served at all. */
export function unusable({ is }: SurveyedTable, catalogTable: CatalogTable | null, user: string): string | null {
  if (catalogTable === null)
    return is === 'view' ? 'a view that cannot be read' : `has no columns that ${user} may see`;
  if (catalogTable.rights.schema !== null) return `is in a schema that ${user} may not use`;
  const { SELECT: unread } = catalogTable.rights.without;
  if (unread.length === catalogTable.columns.length) return `${user} may not read it`;
  if (catalogTable.primaryKey.some((name) => unread.includes(name))) return `${user} may not read its key`;
  return null;
}

/** Why a table is not proposed although it could be served: it is a copy, a partition, or an internal table of some software. */
export function reasonNotWanted(table: Pick<SurveyedTable, 'name' | 'is'>): string | null {
  const { name, is } = table;
  if (is === 'partition') return 'a partition: its parent shows its rows';
  if (is === 'table of an extension' || is === 'foreign table') return `a ${is}`;
  const words = wordsOf(name);
  // Many applications prefix all their tables, so also try the name without its first word.
  const names = [words.join(' '), words.slice(1).join(' ')];
  const last = words.filter((word) => !/^\d+$/.test(word)).at(-1) ?? '';
  if (words.length > 1 && (copiesBefore.has(words[0] ?? '') || copies.has(last))) return 'looks like a copy';
  if (names.some((one) => migrations.has(one))) return 'of a migration tool';
  if (names.some((one) => ofTheApplication.has(one))) return 'of the application';
  return reasonOfSecrets(table);
}
