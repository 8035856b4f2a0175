/** Finds other roles that may create functions and operators which our statements could call by accident (CVE-2018-1058). */
import type { Catalog } from '../../model/catalog.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';

/** Leaves out the owners of tables: their views and triggers run with our rights anyway. */
export const creatorsQuery = `SELECT quote_ident(n.nspname), CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END
  FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
  WHERE n.nspname = ANY (current_schemas(false)) AND a.privilege_type = 'CREATE' AND a.grantee <> n.nspowner
  AND r.rolname IS DISTINCT FROM current_user AND NOT coalesce(r.rolsuper, FALSE)
  AND NOT EXISTS (SELECT FROM pg_class o WHERE o.relnamespace = n.oid AND o.relowner = a.grantee) ORDER BY 1, 2`;

export const creators = (rows: readonly (readonly Cell[])[]): Catalog['creators'] =>
  rows.map((row) => ({ schema: text(row[0]), role: text(row[1]) }));
