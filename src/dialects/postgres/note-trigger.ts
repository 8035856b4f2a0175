/** The trigger that notes which tables a transaction has changed: its SQL, and how the catalogue shows that it does nothing else. */

export const notesSchema = 'gw';
/** The notes: the number of a transaction, and a table. */
export const notes = `${notesSchema}.touched`;
/** One row: notes of transactions below this number are deleted. */
export const swept = `${notesSchema}.swept`;
export const noteTrigger = 'gw_touch';
const body = `BEGIN INSERT INTO ${notes} VALUES (pg_current_xact_id(), tg_relid) ON CONFLICT DO NOTHING; RETURN NULL; END`;

/**
 * Where the notes are. They need no log, and a crash that loses them gives all tokens another beginning. The function runs with the
 * rights of its owner: the roles that write have none to the notes.
 */
export const notesSql: readonly string[] = [
  `CREATE SCHEMA ${notesSchema}`,
  `CREATE UNLOGGED TABLE ${notes} (xid xid8, rel oid, PRIMARY KEY (xid, rel))`,
  `CREATE TABLE ${swept} (xid xid8 NOT NULL)`,
  `INSERT INTO ${swept} VALUES ('0')`,
  `CREATE FUNCTION ${notesSchema}.touch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$${body}$$`,
];

/** @param table as SQL names it. Otherwise replication roles of a session would skip the trigger */
export const triggerSql = (table: string): readonly string[] => [
  `CREATE TRIGGER ${noteTrigger} AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${notesSchema}.touch()`,
  `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${noteTrigger}`,
];

/** Bits of `tgtype`: INSERT, DELETE, UPDATE and TRUNCATE, once for a statement, after it. */
const afterAll = 4 + 8 + 16 + 32;
/** The function, as it has to be. */
export const touch = `(SELECT f.oid FROM pg_proc f JOIN pg_namespace s ON s.oid = f.pronamespace
  WHERE s.nspname = '${notesSchema}' AND f.proname = 'touch' AND f.prosecdef AND f.prosrc = '${body}')`;

/** Whether a row `t` of pg_trigger is this one, as it has to be. */
export const isNoting = `t.tgfoid = ${touch} AND t.tgtype = ${afterAll} AND t.tgenabled = 'A' AND t.tgqual IS NULL AND t.tgattr = ''::int2vector`;

/**
 * Whether changes of a table `c` of pg_class are not noted. A materialized view has no triggers. What a subscription replicates fires
 * none for statements.
 */
export const isUnnoted = `c.relkind IN ('r', 'p', 'm') AND (EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = c.oid)
  OR NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND ${isNoting}))`;

/** Whether the notes may be hidden, or made by others. */
export const isMeddled = `EXISTS (SELECT FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = '${notesSchema}')
  AND relkind <> 'i' AND (relkind <> 'r' OR relrowsecurity OR relhasrules OR relhastriggers))`;
