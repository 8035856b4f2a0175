/** Pure. Tables that a proposal leaves out, with the reason. */
import type { CatalogTable, SurveyedTable } from '../model/catalog.ts';
import { listed, wordsOf } from './words.ts';

const copies = new Set(listed('bak, backup, backups, old, tmp, temp, copy, kopie, alt, orig, sav, save'));
const migrations = new Set(
  listed(`
  schema migrations, schema migration, schema version, schemaversion, flyway schema history, ef migrations history, knex migrations,
  knex migrations lock, django migrations, alembic version, ar internal metadata, migrations, doctrine migration versions,
  migration versions, databasechangelog, databasechangeloglock, phinxlog, prisma migrations, goose db version, sequelize meta,
  pgmigrations, typeorm migrations`),
);
const ofTheApplication = new Set(
  listed(`
  session, sessions, django session, user sessions, jobs, job, failed jobs, delayed jobs, queue, queues, cache, caches, cache locks,
  messenger messages, telescope entries, watchdog, semaphore`),
);
const holdsTokens =
  /^(?:password resets?(?: tokens?)?|personal access tokens|(?:oauth|api|auth|access|refresh|authtoken)(?: \w+)* tokens?|tokens?)$/;

/**
 * Why a table is not proposed, or null. `its` is the table as the catalogue describes it; null where the user cannot see its
 * columns.
 */
export function reasonToLeaveOut(table: SurveyedTable, its: CatalogTable | null, user: string): string | null {
  return unusable(table, its, user) ?? reasonNotWanted(table);
}

/** Why a table cannot be served at all. */
export function unusable({ is }: SurveyedTable, its: CatalogTable | null, user: string): string | null {
  if (its === null) return is === 'view' ? 'a view that cannot be read' : `has no columns that ${user} may see`;
  if (its.rights.schema !== null) return `is in a schema that ${user} may not use`;
  if (its.rights.without.SELECT.length === its.columns.length) return `${user} may not read it`;
  return null;
}

/** Why a table that can be served is not proposed: a copy, a partition, or a table for the application itself. */
export function reasonNotWanted({ name, is }: Pick<SurveyedTable, 'name' | 'is'>): string | null {
  if (is === 'partition') return 'a partition: its parent shows its rows';
  if (is === 'table of an extension' || is === 'foreign table') return `a ${is}`;
  const words = wordsOf(name);
  const all = words.join(' ');
  const [first = '', last = ''] = [words[0], words.filter((word) => !/^\d+$/.test(word)).at(-1)];
  if (words.length > 1 && (copies.has(first) || copies.has(last))) return 'looks like a copy';
  if (migrations.has(all)) return 'of a migration tool';
  if (holdsTokens.test(all)) return 'holds tokens';
  return ofTheApplication.has(all) ? 'of the application' : null;
}
