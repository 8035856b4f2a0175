// pglite-template.mjs DIRECTORY - makes an empty PGlite database there and prints its version. A process of its own,
// and so plain JavaScript: PGlite keeps a thread busy for seconds, in which no server's start and no Ctrl-C is seen.
import { PGlite } from '@electric-sql/pglite';

const db = await PGlite.create(process.argv[2]);
const { rows } = await db.query('SELECT version() AS version');
await db.close();
console.log(rows[0].version);
