/** The speed of downloading a whole table, compared with the server's own client, and the memory that it needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { engines, freshDatabase, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { find, thisMachine } from '../support/servers/programs.ts';
import { addressOf } from './address.ts';
import { program } from './load.ts';
import { median, report } from './report.ts';

const rows = Number(process.env.DUMP_ROWS ?? 1_000_000);
const rounds = Number(process.env.DUMP_ROUNDS ?? 5);
const formats = ['csv', 'tsv', 'json', 'xml', 'jsonl', 'geojson', 'xlsx', 'parquet'] as const;
const slowSeconds = 20;
/** In MB. From Node 24 on, V8's young generation grows by this much more under load than in Node 20. */
const youngGeneration = Number.parseInt(process.versions.node, 10) >= 24 ? 110 : 0;
/** In MB. A workbook is compressed, and a Parquet file is made in groups of rows, by a thread. */
const mayGrow = (format: string) => (({ xlsx: 100, geojson: 100, parquet: 150 })[format] ?? 50) + youngGeneration;
/** What a slow client has not taken is written to disk: the buffers stay in memory until they are collected. */
const mayGrowSlowly = 100 + youngGeneration;
/** The required rate, as a share of the rows per second of the server's own client. */
const atLeast = {
  postgres: { csv: 0.7, tsv: 0.7, json: 0.25, xml: 0.25, jsonl: 0.25, geojson: 0.15, xlsx: 0.05, parquet: 0.05 },
  mysql: { csv: 0.5, tsv: 0, json: 0, xml: 0, jsonl: 0, geojson: 0, xlsx: 0, parquet: 0 },
};
const products = { postgres: 'PostgreSQL', mariadb: 'MariaDB', mysql: 'MySQL', mysql56: 'MySQL' };
const servers = engines().filter((engine): engine is ServerEngine => engine.client !== 'pglite');
const measured: (readonly string[])[] = [];

afterAll(() => {
  const title = `Downloads of ${rows.toLocaleString('en')} rows of nine columns`;
  const header = ['Server, how', 'Rows/s (median)', 'MB/s', 'Of its own client', 'RSS growth (MB)', '… at 1 MB/s'];
  report('dump', title, header, measured);
});

test.each(servers.map((engine) => [engine.name, engine] as const))('%s', async (_, engine) => {
  const fresh = await freshDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  try {
    for (const sql of tables[engine.client]) await fresh.exec(sql);
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, configuration(fresh));
    const own = ownClient(fresh);
    const times = new Map<string, number[]>(['own', ...formats].map((name) => [name, []]));
    const growth = new Map<string, number>();
    const sizes = new Map<string, number>();
    await own();
    for (let round = 0; round < rounds; round++) {
      // In turn, so that other load on the machine affects both.
      times.get('own')?.push(await own());
      for (const format of formats) {
        const { milliseconds, bytes, grown } = await withGateway(file, (url) => download(url, format));
        times.get(format)?.push(milliseconds);
        sizes.set(format, bytes);
        growth.set(format, Math.max(growth.get(format) ?? 0, grown));
      }
    }
    const slow = new Map<string, number>();
    for (const format of ['csv', 'json'] as const) {
      const { grown } = await withGateway(file, (url) =>
        download(url, format, ['--limit-rate', '1M', '--max-time', String(slowSeconds)]),
      );
      slow.set(format, grown);
    }

    const version = `${products[engine.name]} ${/\d+(\.\d+)+/.exec(engine.version)?.[0]}`;
    const ownTime = median(times.get('own') ?? []);
    const perSecond = (milliseconds: number) => Math.round((rows / milliseconds) * 1000).toLocaleString('en');
    measured.push([`${version}, ${own.label}`, perSecond(ownTime), '', '1', '', '']);
    const ratios: Record<string, number> = {};
    for (const format of formats) {
      const time = median(times.get(format) ?? []);
      const megabytes = (bytes: number | undefined) => (bytes === undefined ? '' : (bytes / 2 ** 20).toFixed(0));
      ratios[format] = ownTime / time;
      measured.push([
        `${version}, ${format}`,
        perSecond(time),
        ((sizes.get(format) ?? 0) / 1000 / time).toFixed(0),
        (ownTime / time).toFixed(2),
        megabytes(growth.get(format)),
        megabytes(slow.get(format)),
      ]);
    }
    const missed = formats.filter((format) => (ratios[format] ?? 0) < atLeast[engine.client][format]);
    expect(missed.map((format) => `${format}: ${ratios[format]?.toFixed(2)}`)).toEqual([]);
    const grown = [...growth].filter(([format, bytes]) => bytes > mayGrow(format) * 2 ** 20);
    expect(grown).toEqual([]);
    expect(Math.max(...slow.values())).toBeLessThan(mayGrowSlowly * 2 ** 20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await fresh.drop();
  }
});

const tables = {
  postgres: [
    `CREATE TABLE item (id int PRIMARY KEY, big bigint NOT NULL, price numeric(12,2), description text, code varchar(20),
       created timestamp(3), active boolean, day date, note text)`,
    `INSERT INTO item SELECT i, i::bigint * 7919000003, i * 1.37,
       'The description of item ' || i || CASE WHEN i % 10 = 0 THEN ', with a comma' ELSE '' END, 'code-' || i % 5000,
       timestamp '2020-01-01' + i * interval '90 seconds' + (i % 8 = 0)::int * interval '250 ms', i % 3 = 0,
       date '2000-01-01' + i % 9000, CASE WHEN i % 4 > 0 THEN 'note ' || i END FROM generate_series(1, ${rows}) i`,
    'VACUUM ANALYZE item',
  ],
  mysql: [
    'CREATE TABLE d (n int PRIMARY KEY) ENGINE=InnoDB',
    'INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    `CREATE TABLE item (id int PRIMARY KEY, big bigint NOT NULL, price decimal(12,2), description text, code varchar(20),
       created datetime(3), active tinyint(1), day date, note text) ENGINE=InnoDB CHARACTER SET utf8mb4`,
    `INSERT INTO item SELECT i, i * 7919000003, i * 1.37,
       CONCAT('The description of item ', i, IF(i % 10 = 0, ', with a comma', '')), CONCAT('code-', i % 5000),
       '2020-01-01' + INTERVAL i * 90 SECOND + INTERVAL IF(i % 8 = 0, 250000, 0) MICROSECOND, i % 3 = 0,
       '2000-01-01' + INTERVAL i % 9000 DAY, IF(i % 4 > 0, CONCAT('note ', i), NULL)
     FROM (SELECT 1 + g.n + 10 * (f.n + 10 * (e.n + 10 * (c.n + 10 * (b.n + 10 * a.n)))) i FROM d a, d b, d c, d e, d f, d g) n
     WHERE i <= ${rows}`,
    'ANALYZE TABLE item',
  ],
};

function configuration({ client, url }: ServerDatabase): string {
  return [
    'server: { port: 0 }',
    `databases:\n  db: { client: ${client}, connection: "${url}" }`,
    'resources:\n  item: { database: db, table: item, columns: { active: { boolean: true } }, access: { read: public } }\n',
  ]
    .join('\n')
    .replace(client === 'postgres' ? ' columns: { active: { boolean: true } },' : '', '');
}

/** Milliseconds that the server's own command-line client takes to write the table to /dev/null. */
function ownClient({ client, url }: ServerDatabase): (() => Promise<number>) & { label: string } {
  const machine = thisMachine();
  const names = client === 'postgres' ? ['psql'] : ['mariadb', 'mysql'];
  const program = names.find((name) => find(name, machine) !== null) ?? '';
  const { hostname, port, username, password, pathname } = new URL(url);
  const args =
    client === 'postgres'
      ? [url, '-qc', `\\copy item to '/dev/null' csv`]
      : [
          ...['--no-defaults', `-h${hostname}`, `-P${port}`, `-u${username}`, ...(password ? [`-p${password}`] : [])],
          ...['--batch', '--quick', '-e', 'SELECT * FROM item', pathname.slice(1)],
        ];
  const run = async () => (await timed(program, args)).milliseconds;
  return Object.assign(run, { label: client === 'postgres' ? 'psql \\copy (csv)' : `${program} --batch --quick` });
}

async function timed(program: string, args: readonly string[], codes = [0]) {
  const began = performance.now();
  const child = spawn(program, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes < 1000) output += chunk;
  });
  const [code] = await once(child, 'close');
  expect(codes).toContain(code);
  return { milliseconds: performance.now() - began, said: output };
}

/** Downloads with curl, which prints the number of bytes. With `--max-time` curl exits with 28. */
async function download(url: string, format: string, more: readonly string[] = []) {
  const address = `${url}/datastore/dump/item?format=${format}${format === 'geojson' ? '&geometry=price,price' : ''}`;
  const counted = ['-s', '-o', '/dev/null', '-w', '%{http_code} %{size_download}', ...more];
  const { milliseconds, said } = await timed('curl', [...counted, address], more.length === 0 ? [0] : [0, 28]);
  const [status, bytes] = said.split(' ').map(Number);
  expect(status).toBe(200);
  return { milliseconds, bytes: bytes ?? 0 };
}

/** Starts a gateway, runs `work` on it, and returns by how many bytes its resident memory grew at most. */
async function withGateway<T>(file: string, work: (url: string) => Promise<T>): Promise<T & { grown: number }> {
  const child: ChildProcess = spawn(process.execPath, [program, 'serve', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  try {
    const url = await addressOf(child);
    await fetch(`${url}/api/3/action/datastore_search?resource_id=item`).then((answer) => answer.text());
    await fetch(`${url}/datastore/dump/item?limit=1000`).then((answer) => answer.text());
    const before = memory(child, 'VmRSS');
    const done = await work(url);
    return { ...done, grown: memory(child, 'VmHWM') - before };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function memory({ pid }: ChildProcess, what: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
