/** What the user of a connection may do, from information_schema and SHOW GRANTS, which names the rights of its roles, too. */
import type { Grant, TableRights } from '../../model/catalog.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';

/** What SHOW GRANTS says. */
export interface Grants {
  readonly lines: readonly Line[];
  /** Whether a privilege that is not listed is not granted. */
  readonly areAll: boolean;
  /** Roles that the user was granted. The rights of those that are active are among the lines. */
  readonly roles: readonly string[];
}

/** One line of it. `schema` is a pattern; null stands for all, and so does `name`. */
interface Line {
  readonly privileges: readonly string[];
  readonly schema: string | null;
  readonly name: string | null;
}

const name = '(?:`((?:[^`]|``)+)`|([^`.\\s]+))';
const line = new RegExp(`^GRANT (.+) ON (?:TABLE )?${name}\\.${name} TO `, 's');

export function readGrants(rows: readonly (readonly Cell[])[] | null): Grants {
  const said = (rows ?? []).map((row) => text(row[0]));
  const lines = said.flatMap((one): readonly Line[] => {
    const [, what, quotedSchema, plainSchema, quotedName, plainName] = line.exec(one) ?? [];
    if (what === undefined) return [];
    const privileges = what.replace(/ ?\((?:`(?:[^`]|``)*`|[^`)])*\)/g, ' of columns').split(/, ?/);
    return [{ privileges, schema: named(quotedSchema, plainSchema), name: named(quotedName, plainName) }];
  });
  // Rights of roles are not named by every version, and MySQL 8 can take back a part of what another line grants.
  const areAll = rows !== null && said.every((one) => one.startsWith('GRANT ') && one.includes(' ON '));
  return { lines, areAll, roles: said.flatMap(grantedRoles) };
}

const role = new RegExp(`^${name}(?:@${name})?$`);

/** The names in a list of roles such as `` `editor`@`%`,`reader`@`%` ``. */
export const rolesIn = (list: string): readonly string[] =>
  list.split(/, ?/).flatMap((one) => {
    const [all, quoted, plain] = role.exec(one) ?? [];
    return all === undefined ? [] : [named(quoted, plain) ?? '*'];
  });

/** The roles in `GRANT role TO user`. MariaDB also lists the roles of a role, which has no host. */
function grantedRoles(line: string): readonly string[] {
  const [, list = ''] = /^GRANT ((?:(?! ON ).)+) TO (?:`.*`@`.*`|'.*'@'.*')/s.exec(line) ?? [];
  return rolesIn(list);
}

const named = (quoted: string | undefined, plain: string | undefined): string | null =>
  quoted !== undefined ? quoted.replaceAll('``', '`') : plain === undefined || plain === '*' ? null : plain;

/**
 * Whether a privilege is granted on a table as a whole; without a name, on all tables of the schema.
 * @returns null where it cannot be known
 */
export function allows(
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

/** The names of tables differ by case on some servers only: what cannot be known is not complained of. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * @param columns with their PRIVILEGES: what the user may do with each, by whatever grant. Columns without any right of the user
 * are not there
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
    mayDelete: allows(granted, 'DELETE', table),
    schema: null,
    sequences: [],
    ...(allows(granted, 'SELECT', table) === false ? { hidesColumns: true } : {}),
  };
}

/** The GRANT that gives a user privileges on a table. */
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

/** CURRENT_USER() as information_schema and GRANT write it. */
export function grantee(user: string): string {
  return `'${user.slice(0, user.lastIndexOf('@'))}'@'${user.slice(user.lastIndexOf('@') + 1)}'`;
}

/** The pattern of a grant: `%` and `_` are wildcards unless escaped. */
export function matches(schema: string, pattern: string): boolean {
  const parts = pattern.replace(/\\?[\s\S]/g, (char) =>
    char === '%' ? '.*' : char === '_' ? '.' : char.slice(-1).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${parts}$`, 's').test(schema);
}
