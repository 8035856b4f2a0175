/**
 * Counters of statements that may have changed a view, a function or rights. MariaDB, and MySQL before 8, keep these in files beside
 * InnoDB, so InnoDB's own counter misses them. A counter moves when its statement begins.
 */
const names = [
  ...['create_view', 'drop_view', 'rename_table'],
  ...[
    'create_function',
    'create_udf',
    'alter_function',
    'drop_function',
    'create_package',
    'create_package_body',
    'drop_package',
    'drop_package_body',
  ],
  ...['create_procedure', 'alter_procedure', 'drop_procedure', 'drop_db'],
  // Rights of the gateway's user, and of a view's definer.
  ...[
    'grant',
    'grant_role',
    'revoke',
    'revoke_all',
    'revoke_role',
    'create_role',
    'drop_role',
    // Includes CREATE OR REPLACE USER, which drops the rights that the user had.
    'create_user',
    'drop_user',
    'rename_user',
  ],
  // FLUSH PRIVILEGES activates rights that were written into the grant tables. Backups and log rotation flush, too, but rarely.
  'flush',
].map((name) => `Com_${name}`);

/** A list for `SHOW GLOBAL STATUS WHERE Variable_name IN (…)`; the server ignores names that it does not know. */
export const definitionCounters = names.map((name) => `'${name}'`).join(', ');
