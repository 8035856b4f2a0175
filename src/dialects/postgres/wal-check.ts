/** Whether a role may read the write-ahead log by `pg_walinspect`, and the SQL that lets it. */
import type { Server } from '../../model/catalog.ts';
import type { FeedCheck, FeedFact } from '../../model/feed.ts';
import { text } from '../cells.ts';
import { copyable } from './copyable.ts';
import { walFunction } from './wal.ts';

/** The function as the gateway's queries find it: by the search path. It is one of the extension. */
const found = `(SELECT to_regprocedure('${walFunction}(pg_lsn, pg_lsn)') AS oid) f`;
const facts = `SELECT pg_is_in_recovery(), quote_ident(current_user), current_setting('wal_level'),
  (SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'pg_walinspect'),
  EXISTS (SELECT FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid WHERE d.classid = 'pg_proc'::regclass AND d.objid = f.oid
    AND d.refclassid = 'pg_extension'::regclass AND e.extname = 'pg_walinspect'),
  has_function_privilege(f.oid, 'EXECUTE') FROM ${found}`;

export const walCheck =
  ({ version: [major = 0] }: Server) =>
  (): FeedCheck => ({
    queries: [{ text: facts, values: [] }],
    facts([answer]) {
      const [standby = '', role = '', level = '', schema = '', isFound = '', mayExecute = ''] = (
        answer?.cells[0] ?? []
      ).map(text);
      const grant = `GRANT EXECUTE ON FUNCTION ${walFunction}(pg_lsn, pg_lsn) TO ${role}`;
      return {
        obstacles: [
          ...fact(major < 15, 'the server is older than version 15'),
          ...fact(standby === 't', 'the server is a standby'),
          ...fact(
            level === 'minimal',
            'wal_level is minimal, and must be replica or logical',
            'ALTER SYSTEM SET wal_level = replica; -- then restart the server',
          ),
          ...fact(
            major >= 15 && schema === '',
            'the database lacks the extension pg_walinspect',
            copyable(`CREATE EXTENSION pg_walinspect; ${grant}`),
          ),
          ...fact(
            schema !== '' && isFound !== 't',
            `the search_path of ${role} finds no ${walFunction} of pg_walinspect, which is in the schema ${schema}`,
            copyable(`ALTER ROLE ${role} SET search_path = public, ${schema}`),
          ),
          ...fact(isFound === 't' && mayExecute !== 't', `${role} may not execute ${walFunction}`, copyable(grant)),
        ],
        remarks: [],
      };
    },
  });

const fact = (isIn: boolean, why: string, remedy: string | null = null): readonly FeedFact[] =>
  isIn ? [{ why, remedy }] : [];
