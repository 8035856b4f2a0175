/** What a connection's user may do, read from information_schema and SHOW GRANTS, which includes the rights of active roles. */
import type { Grant, TableRights } from '../../model/catalog.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';

/** The output of SHOW GRANTS, parsed. */
export interface Grants {
  readonly lines: readonly Line[];
  /** Whether the list is complete, so that a privilege that is not in it is surely not granted. */
  readonly areAll: boolean;
  /** Roles granted to the user. The rights of the active ones are in `lines`. */
  readonly roles: readonly string[];
}

/** One GRANT. `schema` is a pattern; a null in `schema` or `name` means all. */
interface Line {
  readonly privileges: readonly string[];
  readonly schema: string | null;
  readonly name: string | null;
}

const name = '(?:`((?:[^`]|``)+)`|([^`.\\s]+))';
const line = new RegExp(`^GRANT (.+) ON (?:TABLE )?${name}\\.${name} TO `, 's');

export function readGrants(rows: readonly (readonly Cell[])[] | null): Grants {
  const grantLines = (rows ?? []).map((row) => text(row[0]));
  const lines = grantLines.flatMap((one): readonly Line[] => {
    const [, what, quotedSchema, plainSchema, quotedName, plainName] = line.exec(one) ?? [];
    if (what === undefined) return [];
    const privileges = what.replace(/ ?\((?:`(?:[^`]|``)*`|[^`)])*\)/g, ' of columns').split(/, ?/);
    return [{ privileges, schema: unquoted(quotedSchema, plainSchema), name: unquoted(quotedName, plainName) }];
  });
  // Not every version lists the rights of roles. In MySQL 8 one line may revoke a part of what another grants.
  const areAll = rows !== null && grantLines.every((one) => one.startsWith('GRANT ') && one.includes(' ON '));
  return { lines, areAll, roles: grantLines.flatMap(grantedRoles) };
}

const role = new RegExp(`^${name}(?:@${name})?$`);

/** Splits a list of roles such as `` `editor`@`%`,`reader`@`%` ``. */
export const rolesIn = (list: string): readonly string[] =>
  list.split(/, ?/).flatMap((one) => {
    const [all, quoted, plain] = role.exec(one) ?? [];
    return all === undefined ? [] : [unquoted(quoted, plain) ?? '*'];
  });

/** The roles in `GRANT role TO user`. MariaDB also lists roles of roles; those have no host, and are skipped. */
function grantedRoles(line: string): readonly string[] {
  const [, list = ''] = /^GRANT ((?:(?! ON ).)+) TO (?:`.*`@`.*`|'.*'@'.*')/s.exec(line) ?? [];
  return rolesIn(list);
}

const unquoted = (quoted: string | undefined, plain: string | undefined): string | null =>
  quoted !== undefined ? quoted.replaceAll('``', '`') : plain === undefined || plain === '*' ? null : plain;

/**
 * Whether a privilege is granted on a table as a whole; without a name, on all tables of the schema.
 * @returns null if SHOW GRANTS does not tell
 */
export function isGranted(
  { lines, areAll }: Grants,
  privilege: string,
  { schema, name }: { readonly schema: string; readonly name: string | null },
): boolean | null {
  const isGranted = lines.some(
    (one) =>
      (one.schema === null || matches(schema, one.schema) || same(schema, one.schema)) &&
      (one.name === null || (name !== null && same(one.name, name))) &&
      one.privileges.some((it) => it === privilege || it === 'ALL PRIVILEGES'),
  );
  return isGranted || (areAll ? false : null);
}

/** Ignores case, because on some servers table names do, too. So we may miss that a right is missing, but never report one wrongly. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * The user's rights on a table.
 * @param columns with their PRIVILEGES, which combine all grants. A column on which the user has no right is not listed
 */
export function rights(
  columns: readonly { readonly name: string; readonly privileges: string }[],
  table: { readonly schema: string; readonly name: string },
  granted: Grants,
): TableRights {
  const without = (privilege: string) =>
    columns.filter(({ privileges }) => !privileges.split(',').includes(privilege)).map(({ name }) => name);
  return {
    without: { SELECT: without('select'), INSERT: without('insert'), UPDATE: without('update') },
    mayDelete: isGranted(granted, 'DELETE', table),
    schema: null,
    sequences: [],
    ...(isGranted(granted, 'SELECT', table) === false ? { hidesColumns: true } : {}),
  };
}

/** The GRANT statement for privileges on a table. */
export function grant(
  { schema, name }: { readonly schema: string; readonly name: string },
  grants: readonly Grant[],
  user: string,
): string {
  const what = grants.map(({ privilege, columns }) =>
    columns === null ? privilege : `${privilege} (${columns.map(quote).join(', ')})`,
  );
  return `GRANT ${what.join(', ')} ON ${quote(schema)}.${quote(name)} TO ${user}`;
}

export const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** Quotes CURRENT_USER() as information_schema and GRANT do: `'app'@'%'`. */
export function grantee(user: string): string {
  return `'${user.slice(0, user.lastIndexOf('@'))}'@'${user.slice(user.lastIndexOf('@') + 1)}'`;
}

/** Whether a schema matches the pattern of a grant: `%` and `_` are wildcards unless escaped. */
export function matches(schema: string, pattern: string): boolean {
  const parts = pattern.replace(/\\?[\s\S]/g, (char) =>
    char === '%' ? '.*' : char === '_' ? '.' : char.slice(-1).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${parts}$`, 's').test(schema);
}
