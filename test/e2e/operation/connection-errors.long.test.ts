/** Why a database cannot be used, as reported by `check`, the log and /ready: with real servers, and with ports where no database answers. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deaf, openUnresponsivePort } from '../../support/deaf.ts';
import { openProgram, type Program } from '../../support/program.ts';
import { byName, freshDatabase, openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { has, thisMachine } from '../../support/servers/programs.ts';
import { freePort, openScope, type Scope } from '../../support/servers/scope.ts';
import type { Session } from '../../support/servers/sessions.ts';
import { lines, running } from '../../support/workers.ts';

const secret = 'hunter2';
let program: Program;
let folder: string;
/** Accepts connections and never sends anything. */
let mute: Server;
/** Does not even accept connections. */
let deaf: Deaf;
beforeAll(async () => {
  program = openProgram();
  folder = mkdtempSync(join(tmpdir(), 'gateway-causes-'));
  deaf = await openUnresponsivePort();
  mute = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await new Promise((listening) => mute.once('listening', listening));
});
afterAll(async () => {
  program?.remove();
  mute?.close();
  await deaf?.close();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
/** Writes a configuration with these databases, and one resource in each. */
function file(databases: Readonly<Record<string, { client: string; connection: unknown }>>): string {
  const path = join(folder, `${files++}.yaml`);
  const resources = Object.fromEntries(Object.keys(databases).map((name) => [name, { database: name, table: 't' }]));
  writeFileSync(path, JSON.stringify({ server: { port: 0 }, admin: { port: 0 }, databases, resources }));
  return path;
}

/** What `check` reports for each database. */
async function checked(databases: Parameters<typeof file>[0]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await program.run(['check', file(databases)]);
  expect([code, stderr]).toEqual([2, '']);
  expect(stdout).not.toContain(secret);
  const errors = stdout.matchAll(
    /^error: databases\.(\w+) \(\S+:1:\d+\) cannot be used: (.*); its resources are not checked$/gm,
  );
  return Object.fromEntries(Array.from(errors, ([, name = '', why = '']) => [name, why]));
}

const portOf = (server: Server): number => {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
};

// These tests wait for timeouts, so all servers are tested concurrently.
describe.concurrent.each(byName(servers()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  const user = `gw_${process.pid}_u`;
  let fresh: ServerDatabase;
  let admin: Session;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    admin = await openSession(engine);
    const base = new URL(fresh.url).pathname.slice(1);
    if (isMysql) await admin.exec(`CREATE USER ${user} IDENTIFIED BY '${secret}'`);
    else await admin.exec(`CREATE ROLE ${user} LOGIN; REVOKE CONNECT ON DATABASE "${base}" FROM PUBLIC`);
  });
  afterAll(async () => {
    await fresh?.drop();
    await admin?.exec(`DROP ${isMysql ? 'USER' : 'ROLE'} ${user}`);
    await admin?.close();
  });
  const address = (change: (url: URL) => void) => {
    const url = new URL(fresh.url);
    change(url);
    return { client: engine.client, connection: url.href };
  };
  const at = () => new URL(fresh.url).host;
  const base = () => new URL(fresh.url).pathname.slice(1);

  test('check names the refused user and its server, the missing database, and the address that does not answer', async () => {
    const nobody = await freePort();
    const causes = await checked({
      login: address((url) => Object.assign(url, { username: `${user}_2`, password: secret })),
      right: address((url) => Object.assign(url, { username: user, password: secret })),
      base: address((url) => Object.assign(url, { pathname: '/chinok' })),
      port: address((url) => Object.assign(url, { port: String(nobody) })),
      mute: address((url) => Object.assign(url, { port: String(portOf(mute)), password: secret })),
      deaf: address((url) => Object.assign(url, { port: String(deaf.port) })),
      host: address((url) => Object.assign(url, { hostname: 'db.gateway.invalid', password: secret })),
      socket: { client: engine.client, connection: { socketPath: join(folder, 'none'), database: 'x' } },
    });
    expect(causes).toEqual({
      login: `login of ${user}_2 was refused by ${at()}`,
      right: `login of ${user} has no right to database ${base()} on ${at()}`,
      base: `database chinok does not exist on ${at()}`,
      port: `nothing listens on 127.0.0.1:${nobody} (connection refused)`,
      mute: `127.0.0.1:${portOf(mute)} did not answer within 2 s`,
      deaf: `127.0.0.1:${deaf.port} did not answer within 2 s`,
      host: 'host name db.gateway.invalid is not known',
      socket: `socket ${join(folder, 'none')} is not there, or may not be opened`,
    });
  });

  test('the log says the same, and /ready too, but for the names of user and database', async () => {
    const path = file({
      login: address((url) => Object.assign(url, { username: `${user}_2`, password: secret })),
      base: address((url) => Object.assign(url, { pathname: '/chinok' })),
      mute: address((url) => Object.assign(url, { port: String(portOf(mute)), password: secret })),
    });
    const gateway = running(await program.serve(['serve', path]));
    const started = lines(gateway).find(({ msg }) => msg === 'started');
    const ready = await fetch(`${started?.admin}/ready`);
    const { databases } = JSON.parse(await ready.text());
    const { stderr } = await gateway.stop();
    const silent = `127.0.0.1:${portOf(mute)} did not answer within 2 s`;
    const lost = lines(gateway).filter(({ msg }) => msg === 'database lost');
    expect(Object.fromEntries(lost.map((line) => [Reflect.get(line, 'database'), line.why]))).toEqual({
      login: `login of ${user}_2 was refused by ${at()}`,
      base: `database chinok does not exist on ${at()}`,
      mute: silent,
    });
    expect(ready.status).toBe(503);
    expect(databases).toEqual({
      login: { up: false, why: `the login was refused by ${at()}`, absent: [] },
      base: { up: false, why: `the database does not exist on ${at()}`, absent: [] },
      mute: { up: false, why: silent, absent: [] },
    });
    expect(stderr).not.toContain(secret);
  });
});

describe.runIf(has('postgres') && has('openssl'))('on a PostgreSQL with passwords and TLS', () => {
  let scope: Scope;
  let url: URL;
  beforeAll(async () => {
    scope = openScope();
    url = new URL(await startPostgres(scope, thisMachine()));
    const data = join(scope.folder, 'postgres', 'data');
    const [key, cert] = [join(data, 'server.key'), join(data, 'server.crt')];
    const kind = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-days',
      '2',
      '-nodes',
      '-subj',
      '/CN=db',
    ];
    execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const { uid, gid } = statSync(data);
    for (const made of [key, cert]) chownSync(made, uid, gid);
    const session = await openSession({ client: 'postgres', url: url.href });
    await session.exec(`CREATE ROLE app LOGIN PASSWORD 'right'`);
    await session.exec('CREATE ROLE full LOGIN CONNECTION LIMIT 0');
    await session.exec('CREATE ROLE hidden LOGIN');
    await session.exec('CREATE ROLE tls LOGIN');
    await session.exec('ALTER SYSTEM SET ssl = on');
    const rules = ['host all app all scram-sha-256', 'host all hidden all reject', 'hostssl all tls all trust'];
    const before = readFileSync(join(data, 'pg_hba.conf'), 'utf8').replace(
      /^host +all +all +127/m,
      'host all postgres,full 127',
    );
    writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n${before}`);
    await session.query('SELECT pg_reload_conf()');
    await session.close();
  }, 60_000);
  afterAll(() => scope?.close());

  test('each cause has a message of its own', async () => {
    const databaseAs = (user: string, more = '') => ({
      client: 'postgres',
      connection: `postgres://${user}:${secret}@${url.host}/postgres${more}`,
    });
    expect(
      await checked({
        password: databaseAs('app'),
        full: databaseAs('full'),
        rejected: databaseAs('hidden', '?sslmode=require'),
        plain: databaseAs('tls'),
        unknown: databaseAs('tls', '?sslmode=verify-full'),
      }),
    ).toEqual({
      password: `login of app was refused by ${url.host}`,
      full: `${url.host} takes no more connections`,
      rejected: `login of hidden is not allowed from this machine by ${url.host}`,
      plain: `login of tls is not allowed from this machine by ${url.host}, or only with tls`,
      // Node 24 appends a hint of its own.
      unknown: expect.stringMatching(`^encrypting the connection to ${url.host} failed: self-signed certificate`),
    });
  });
});
