// pglite-template.mjs DIRECTORY - creates an empty PGlite database and prints its version. PGlite blocks its thread for seconds, which would delay
// the start of the servers and Ctrl-C, so this is a separate process, in plain JavaScript.
import { PGlite } from '@electric-sql/pglite';

const db = await PGlite.create(process.argv[2]);
const { rows } = await db.query('SELECT version() AS version');
await db.close();
console.log(rows[0].version);
