// The calls of `bench works` and `peers`, written by hand: node:http, the driver, JSON.stringify.
// argv: postgres | mysql, the URL of the database, the columns of `films` with their types, the statements by path; the last two as JSON
import { createServer } from 'node:http';
import mysql from 'mysql2/promise';
import pg from 'pg';

const [, , client, url, declared, byPath] = process.argv;
const statements = new Map(Object.entries(JSON.parse(byPath)));
const types = JSON.parse(declared);
const columns = Object.keys(types);
const max = 10;

const postgres = () => {
  const pool = new pg.Pool({ connectionString: url, max });
  const arrays = (names) => names.map((name, at) => `$${at + 1}::${types[name] ?? 'int'}[]`);
  const write = (names, end) => {
    const text = `INSERT INTO films (${names}) SELECT * FROM unnest(${arrays(names)}) ${end}`;
    return (records) =>
      pool.query(
        text,
        names.map((name) => records.map((record) => record[name])),
      );
  };
  const updates = columns.map((name) => `${name} = excluded.${name}`);
  return {
    query: async (sql) => (await pool.query(sql)).rows,
    insert: write(columns, ''),
    upsert: write(['id', ...columns], `ON CONFLICT (id) DO UPDATE SET ${updates}`),
  };
};

const mysqlOrMariadb = () => {
  const pool = mysql.createPool({ uri: url, connectionLimit: max });
  const write = (names, end) => (records) => {
    const rows = records.map((record) => names.map((name) => record[name]));
    return pool.query(`INSERT INTO films (${names}) VALUES ? ${end}`, [rows]);
  };
  const updates = columns.map((name) => `${name} = VALUES(${name})`);
  return {
    query: async (sql) => (await pool.query(sql))[0],
    insert: write(columns, ''),
    upsert: write(['id', ...columns], `ON DUPLICATE KEY UPDATE ${updates}`),
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
    // Page and count run in parallel, each on its own connection.
    const results = Promise.all(statements.get(req.url).map((sql) => table.query(sql)));
    results.then(([records, count]) => answer(res, { records, total: count?.[0].count }), failed(res));
    return;
  }
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const { method, records } = JSON.parse(Buffer.concat(chunks).toString());
    table[method](records).then(() => answer(res, { method }), failed(res));
  });
});
server.listen(0, '127.0.0.1', () =>
  console.error(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}`, msg: 'started' })),
);
