// A careful hand-written handler for one table: the statements that the gateway sends, a pool of the same size, JSON.stringify.
// argv: postgres | mysql, the URL of the database
import { createServer } from 'node:http';
import mysql from 'mysql2/promise';
import pg from 'pg';

const [, , client, url] = process.argv;
const max = 10;
const columns = ['id', 'name', 'note', 'price', 'day'];

/** Runs `work` in a transaction, and releases the session. */
async function inTransaction(session, work) {
  try {
    await session.query('BEGIN');
    await work(session);
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK');
    throw error;
  } finally {
    session.release();
  }
}

const postgres = () => {
  const pool = new pg.Pool({ connectionString: url, max });
  return {
    async search() {
      const text =
        'SELECT "id" AS "_id", "id", "name", "note", "price", "day" FROM "public"."records" ORDER BY "id" LIMIT 100 OFFSET 0';
      return (await pool.query(text)).rows;
    },
    async upsert({ id, name }) {
      await inTransaction(await pool.connect(), async (session) => {
        const { rowCount } = await session.query('SELECT "id" FROM "records" WHERE "id" = $1 FOR UPDATE', [id]);
        if (rowCount > 0) await session.query('UPDATE "records" SET "name" = $2 WHERE "id" = $1', [id, name]);
        else await session.query('INSERT INTO "records" ("id", "name") VALUES ($1, $2)', [id, name]);
      });
    },
    async write(records, method) {
      const rows = 'unnest($1::int[], $2::text[], $3::text[], $4::numeric[], $5::date[])';
      const insert = `INSERT INTO "records" ("id", "name", "note", "price", "day") SELECT * FROM ${rows}`;
      const texts = {
        insert,
        update: `UPDATE "records" SET "name" = to_."name", "note" = to_."note", "price" = to_."price", "day" = to_."day"
          FROM ${rows} AS to_ ("id", "name", "note", "price", "day") WHERE "records"."id" = to_."id"`,
        upsert: `${insert}
          ON CONFLICT ("id") DO UPDATE SET "name" = EXCLUDED."name", "note" = EXCLUDED."note", "price" = EXCLUDED."price", "day" = EXCLUDED."day"`,
      };
      await inTransaction(await pool.connect(), async (session) => {
        for (let at = 0; at < records.length; at += 1000) {
          const some = records.slice(at, at + 1000);
          await session.query(
            texts[method],
            columns.map((column) => some.map((record) => record[column])),
          );
        }
      });
    },
  };
};

const mysqlOrMariadb = () => {
  const pool = mysql.createPool({ uri: url, connectionLimit: max });
  return {
    async search() {
      const text =
        'SELECT `id` AS `_id`, `id`, `name`, `note`, `price`, `day` FROM `records` ORDER BY `id` LIMIT 100 OFFSET 0';
      return (await pool.query(text))[0];
    },
    async upsert({ id, name }) {
      await inTransaction(await pool.getConnection(), async (session) => {
        const [found] = await session.query('SELECT `id` FROM `records` WHERE `id` = ? FOR UPDATE', [id]);
        if (found.length > 0) await session.query('UPDATE `records` SET `name` = ? WHERE `id` = ?', [name, id]);
        else await session.query('INSERT INTO `records` (`id`, `name`) VALUES (?, ?)', [id, name]);
      });
    },
    async write(records, method) {
      const insert = 'INSERT INTO records (id, name, note, price, day) VALUES ?';
      const text =
        method === 'insert'
          ? insert
          : `${insert}
              ON DUPLICATE KEY UPDATE name = VALUES(name), note = VALUES(note), price = VALUES(price), day = VALUES(day)`;
      await inTransaction(await pool.getConnection(), async (session) => {
        for (let at = 0; at < records.length; at += 1000) {
          const some = records.slice(at, at + 1000);
          await session.query(text, [some.map((record) => columns.map((column) => record[column]))]);
        }
      });
    },
  };
};

const table = client === 'postgres' ? postgres() : mysqlOrMariadb();
const answer = (res, result) => {
  const body = JSON.stringify({ help: 'http://127.0.0.1/', success: true, result });
  res.writeHead(200, { 'Content-Type': 'application/json;charset=utf-8', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
};
const failed = (res) => (error) => res.writeHead(500).end(String(error));

const server = createServer((req, res) => {
  if (req.method === 'GET') {
    table.search().then((records) => answer(res, { records }), failed(res));
    return;
  }
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const { method, resource_id, records } = JSON.parse(Buffer.concat(chunks).toString());
    const written = records.length === 1 ? table.upsert(records[0]) : table.write(records, method);
    written.then(() => answer(res, { method, resource_id }), failed(res));
  });
});
server.listen(0, '127.0.0.1', () =>
  console.error(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}`, msg: 'started' })),
);
