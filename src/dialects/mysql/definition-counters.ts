/**
 * How often a definition may have changed that MariaDB, and MySQL before 8, keep in files beside InnoDB: of a view, of a function that
 * one calls, or of rights. They move when a statement begins.
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
  // Rights of the gateway's user, and of the definer of a view.
  ...[
    'grant',
    'grant_role',
    'revoke',
    'revoke_all',
    'revoke_role',
    'create_role',
    'drop_role',
    // Also OR REPLACE, which takes the rights that there were.
    'create_user',
    'drop_user',
    'rename_user',
  ],
  // Makes rights valid that were written into their tables. Backups and the rotation of logs flush, too, but seldom.
  'flush',
].map((name) => `Com_${name}`);

/** For `SHOW GLOBAL STATUS WHERE Variable_name IN (…)`; a server shows those that it has. */
export const definitionCounters = names.map((name) => `'${name}'`).join(', ');
