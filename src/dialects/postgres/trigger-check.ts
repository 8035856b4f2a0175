/** Whether triggers note what others write to the tables of the resources, and the SQL that makes them. */
import type { Relation, Server } from '../../model/catalog.ts';
import type { FeedCheck, FeedFact } from '../../model/feed.ts';
import { text } from '../cells.ts';
import { quote } from './column.ts';
import { copyable } from './copyable.ts';
import { idsOf, namesOf } from './definitions.ts';
import * as note from './note-trigger.ts';

/** A name in a schema that the user may not use would be an error: hence the catalogue. */
const may = (table: string, ...rights: readonly string[]) =>
  rights.map(
    (right) => `(SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, '${right}') FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname || '.' || c.relname = '${table}')`,
  );
const installed = `SELECT pg_is_in_recovery(), quote_ident(current_user), ${note.touch} IS NOT NULL, ${note.isMeddled},
  ${[...may(note.notes, 'SELECT', 'DELETE'), ...may(note.swept, 'SELECT', 'UPDATE')].join(', ')}`;
const unnoted = `SELECT n.nspname, c.relname, c.relkind = 'm', EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = c.oid),
    EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgname = '${note.noteTrigger}')
  FROM (${idsOf('$1')}) ids JOIN pg_class c ON c.oid = id JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${note.isUnnoted} ORDER BY 1, 2`;

/** @returns the check for the tables and views below those of the resources */
export const triggerCheck =
  ({ version: [major = 0] }: Server) =>
  (shown: readonly Relation[]): FeedCheck => ({
    queries: [
      { text: installed, values: [] },
      { text: unnoted, values: [namesOf(shown)] },
    ],
    facts([are, tables]) {
      const [standby, role = '', isThere, isMeddled, ...rights] = (are?.cells[0] ?? []).map(text);
      const [maySelect, mayDelete] = [rights[0] === 't' && rights[2] === 't', rights[1] === 't' && rights[3] === 't'];
      const grants = [
        `GRANT USAGE ON SCHEMA ${note.notesSchema} TO ${role}`,
        `GRANT SELECT, DELETE ON ${note.notes} TO ${role}`,
        `GRANT SELECT, UPDATE ON ${note.swept} TO ${role}`,
      ];
      const isReady = isThere === 't' && rights[0] !== '' && rights[2] !== '';
      return {
        obstacles: [
          ...fact(major < 13, 'the server is older than version 13'),
          ...fact(standby === 't', 'the server is a standby'),
          ...fact(!isReady, `there is no ${note.notes}, or no function that writes to it`, [
            ...note.notesSql,
            ...grants,
          ]),
          ...fact(isReady && !maySelect, `${role} may not read ${note.notes} and ${note.swept}`, grants),
          ...fact(isMeddled === 't', `${note.notes} or ${note.swept} has policies, rules or triggers, or is no table`),
        ],
        remarks: [
          ...fact(
            isReady && maySelect && !mayDelete,
            `${role} may not delete old notes, so they fill the disk`,
            grants,
          ),
          ...(tables?.cells ?? []).flatMap((row) => tableFact(row.map(text))),
        ],
      };
    },
  });

const fact = (isIn: boolean, why: string, sql: readonly string[] = []): readonly FeedFact[] =>
  isIn ? [{ why, remedy: sql.length === 0 ? null : copyable(sql.join('; ')) }] : [];

function tableFact([
  schema = '',
  name = '',
  isStored,
  isReplicated,
  hasTrigger,
]: readonly string[]): readonly FeedFact[] {
  const table = `${quote(schema)}.${quote(name)}`;
  const counts = 'each commit of others counts as a change of it';
  if (isStored === 't') return fact(true, `${table} is a materialized view, which has no triggers: ${counts}`);
  if (isReplicated === 't') return fact(true, `a subscription writes to ${table}, and fires no triggers: ${counts}`);
  const [make, enable = ''] = note.triggerSql(table);
  return hasTrigger === 't'
    ? fact(true, `the trigger of ${table} is not enabled always: ${counts}`, [enable])
    : fact(true, `${table} has no trigger: ${counts}`, [make ?? '', enable]);
}
