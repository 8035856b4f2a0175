/** Two gateways connected by a Redis server: logins, encryption, sentinels, workers, a stranger, a server that is away. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { check } from '../../../src/commands/check.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { settings as settingsOf } from '../../support/loading.ts';
import { anyServer, freshDatabase, openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { find, thisMachine } from '../../support/servers/programs.ts';
import { startRedis, tellRedis } from '../../support/servers/redis.ts';
import { freePort, openScope, type Scope } from '../../support/servers/scope.ts';
import { openTap } from '../../support/tap.ts';

const [engine] = anyServer();

describe.runIf(engine !== undefined)('gateways on Redis', () => {
  let scope: Scope;
  let database: ServerDatabase;
  /** Its user `few` has the rights that docs/caching.md lists. */
  let url: string;
  const password = 'p@ss/w:rd';
  beforeAll(async () => {
    if (engine === undefined) return;
    scope = openScope();
    [database, url] = await Promise.all([freshDatabase(engine), startRedis(scope, thisMachine())]);
    await database.exec('CREATE TABLE t (id integer PRIMARY KEY, n integer)');
    const text = readFileSync(join(import.meta.dirname, '../../../docs/caching.md'), 'utf8');
    const line = /ACL SETUSER gateway .*/.exec(text)?.[0] ?? '';
    const said = await tellRedis(url, line.replace('gateway on', 'few on').replace('>PASSWORD', `>${password}`));
    expect(said).toBe('+OK\r\n');
  });
  afterAll(async () => {
    await database?.drop();
    await scope?.close();
  });
  beforeEach(() => database?.exec('DELETE FROM t; INSERT INTO t VALUES (1, 0)'));

  const written = (bus: unknown) => ({
    databases: { db: { client: database.client, connection: database.url, maxStaleness: 'none' } },
    resources: { t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } } },
    cache: { ttl: '1h', bus },
  });
  const start = async (bus: unknown) => {
    const gateway = await startGateway(written(bus));
    onTestFinished(() => gateway.close());
    return gateway;
  };
  const read = async ({ url }: TestGateway) => {
    const response = await fetch(`${url}/api/3/action/datastore_search?resource_id=t`);
    const { result }: { result: { records: { n: number }[] } } = JSON.parse(await response.text());
    return { n: result.records[0]?.n, verdict: response.headers.get('x-cache') };
  };
  const write = (gateway: TestGateway, n: number) =>
    gateway.call('datastore_upsert', { resource_id: 't', method: 'update', records: [{ id: 1, n }] });
  const isHit = (gateway: TestGateway) => expect.poll(async () => (await read(gateway)).verdict).toBe('HIT');
  /** Both use their caches, and hear of each other's writes. */
  async function works(one: TestGateway, two: TestGateway, from = 1): Promise<void> {
    for (let n = from; n < from + 20; n++) {
      const [writer, reader] = n % 2 === 0 ? [one, two] : [two, one];
      await isHit(reader);
      expect((await write(writer, n)).status).toBe(200);
      expect((await read(reader)).n).toBe(n);
    }
  }
  /** The URL with a login. */
  const as = (user: string, word: string, to = url) =>
    to.replace('://', `://${encodeURIComponent(user)}:${encodeURIComponent(word)}@`);
  const lost = ({ events }: TestGateway) =>
    events.flatMap((event) => (event.on === 'bus lost' ? [String(event.cause)] : []));

  test('a write says how long its statements may go on: as long as under any configuration so far', async () => {
    const of = (statementTimeout: string) => {
      const configuration = written({ url, group: 'longest' });
      return { ...configuration, databases: { db: { ...configuration.databases.db, statementTimeout } } };
    };
    const gateway = await startGateway(of('60s'));
    onTestFinished(() => gateway.close());
    const lasts = async () =>
      (await tellRedis(url, 'XREVRANGE datastore-gateway:{longest}:news + - COUNT 5')).match(/"lasts":(\d+)/)?.[1];
    await isHit(gateway);
    expect((await write(gateway, 1)).status).toBe(200);
    const before = await lasts();
    expect(Number(before)).toBeGreaterThanOrEqual(60_000);
    expect(await gateway.reload(of('1s'))).toEqual([]);
    expect((await write(gateway, 2)).status).toBe(200);
    expect(await lasts()).toBe(before);
  });

  test('work with a user that has only the rights of the manual', async () => {
    await works(await start(as('few', password)), await start({ url: as('few', password), required: true }));
  });

  test('of different groups do not hear each other, on one server', async () => {
    const [one, two] = [await start({ url, group: 'one' }), await start({ url, group: 'two' })];
    await Promise.all([isHit(one), isHit(two)]);
    await write(one, 7);
    expect(await read(two)).toEqual({ n: 0, verdict: 'HIT' });
  });

  test('keep their bus over a reload, which says that it needs a restart', async () => {
    const [one, two] = [await start({ url, group: 'kept' }), await start({ url, group: 'kept' })];
    expect(await one.reload(written('none'))).toEqual([]);
    expect(one.events.filter(({ on }) => on === 'reloaded')).toEqual([
      { on: 'reloaded', resources: 1, needRestart: ['cache.bus'] },
    ]);
    await works(one, two);
  });

  test('work over TLS, with the authority of the configuration', async () => {
    const [cert, key] = [join(scope.folder, 'cert.pem'), join(scope.folder, 'key.pem')];
    const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    const named = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...named, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const port = await freePort();
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
    await startRedis(scope, thisMachine(), ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no']);
    const encrypted = `rediss://localhost:${port}`;
    const bus = { url: encrypted, tls: { ca: readFileSync(cert, 'utf8') } };
    await works(await start(bus), await start({ ...bus, url: `rediss://127.0.0.1:${port}` }));
    const unknown = await start(encrypted);
    expect(lost(unknown).join()).toMatch(/self-signed certificate/);
  });

  test('follow their sentinels to another server', async () => {
    const machine = thisMachine();
    const primary = await startRedis(scope, machine);
    const replica = await startRedis(scope, machine, ['--replicaof', `127.0.0.1 ${new URL(primary).port}`]);
    await expect.poll(() => tellRedis(replica, 'ROLE')).toContain('connected');
    const file = join(scope.folder, 'sentinel.conf');
    writeFileSync(
      file,
      `sentinel monitor own 127.0.0.1 ${new URL(primary).port} 1\nsentinel down-after-milliseconds own 1000\n`,
    );
    const program = find('redis-server', machine) ?? '';
    const sentinels = { name: 'sentinel', file: program, env: {}, ready: /\+monitor master own/ };
    const port = await scope.serve(sentinels, (port) => [file, '--sentinel', '--port', String(port)]);
    const sentinel = `redis://127.0.0.1:${port}`;
    await expect
      .poll(() => tellRedis(sentinel, 'SENTINEL replicas own').catch(String), { timeout: 20_000 })
      .toContain(new URL(replica).port);
    const bus = `redis+sentinel://127.0.0.1:1,127.0.0.1:${port}/own`;
    const [one, two] = [await start(bus), await start(bus)];
    await works(one, two);
    expect(await tellRedis(sentinel, 'SENTINEL failover own')).toBe('+OK\r\n');
    await expect.poll(() => tellRedis(replica, 'ROLE'), { timeout: 20_000 }).toContain('master');
    await expect.poll(() => lost(one).length * lost(two).length, { timeout: 20_000 }).toBeGreaterThan(0);
    await works(one, two, 100);
  }, 60_000);

  test('begin, and read, without the server; writes are done or refused, as configured', async () => {
    const away = `redis://u:${encodeURIComponent(password)}@127.0.0.1:${await freePort()}`;
    const [free, bound] = [await start(away), await start({ url: away, required: true })];
    expect([await read(free), await read(bound)]).toEqual(Array(2).fill({ n: 0, verdict: null }));
    expect((await write(free, 5)).status).toBe(200);
    const refused = await write(bound, 6);
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('so nothing was written');
    expect((await read(bound)).n).toBe(5);
    for (const gateway of [free, bound]) {
      expect(lost(gateway)).toHaveLength(1);
      expect(lost(gateway)[0]).toMatch(/ECONNREFUSED/);
    }
  });

  test('say a wrong password, and never the password', async () => {
    const gateway = await start(as('few', 'no-such-word'));
    expect(lost(gateway).join()).toMatch(/WRONGPASS/);
    expect(JSON.stringify(gateway.events)).not.toContain('no-such-word');
    expect(await read(gateway)).toEqual({ n: 0, verdict: null });
  });

  test('begin anew where a stranger writes nonsense, removes the stream, or empties the server', async () => {
    const [one, two] = [await start({ url, group: 'odd' }), await start({ url, group: 'odd' })];
    await works(one, two);
    const news = 'datastore-gateway:{odd}:news';
    let from = 100;
    for (const command of [
      `XADD ${news} * a b`,
      `XADD ${news} * from x nth 1 awaited 0 messages []`,
      `DEL ${news}`,
      `XTRIM ${news} MAXLEN 0`,
      'DEL datastore-gateway:{odd}:members',
      'FLUSHALL',
    ]) {
      await tellRedis(url, command);
      await works(one, two, from);
      from += 20;
    }
  }, 60_000);

  const [mysql] = servers().filter(({ client }) => client === 'mysql');
  test.runIf(mysql !== undefined)(
    'lose the server during a write to a table without transactions, which is done',
    async () => {
      if (mysql === undefined) return;
      const other = await freshDatabase(mysql);
      onTestFinished(() => other.drop());
      await other.exec('CREATE TABLE m (id integer PRIMARY KEY, n integer) ENGINE=MyISAM');
      const tap = await openTap(url);
      onTestFinished(() => tap.close());
      const base = written({ url: tap.url, group: 'mid', required: true });
      const gateway = await startGateway({
        ...base,
        databases: { db: { client: other.client, connection: other.url, maxStaleness: 'none' } },
        resources: { m: { database: 'db', table: 'm', access: { write: 'token' }, allowPartial: true } },
      });
      onTestFinished(() => gateway.close());
      const session = await openSession(other);
      onTestFinished(() => session.close());
      await session.exec('LOCK TABLES m READ');
      const writing = gateway.call('datastore_upsert', {
        resource_id: 'm',
        method: 'insert',
        records: [{ id: 1, n: 1 }],
      });
      const waits =
        "SELECT 1 FROM information_schema.processlist WHERE state LIKE 'Waiting for table%' AND db = DATABASE()";
      await expect.poll(() => other.query(waits)).toHaveLength(1);
      tap.close();
      await expect.poll(() => lost(gateway)[0]).toContain('Socket closed');
      await session.exec('UNLOCK TABLES');
      const { status, text } = await writing;
      expect(await other.query('SELECT n FROM m')).toHaveLength(1);
      expect([status, text]).toEqual([200, expect.stringContaining('"success":true')]);
      // Each cause once: the line was cut, and then nothing listens.
      const causes = lost(gateway);
      expect(causes.slice(1)).toEqual(causes.length === 1 ? [] : [expect.stringContaining('ECONNREFUSED')]);
    },
  );

  test('check says whether the server can be used', async () => {
    const said = async (bus: string) => {
      const lines: string[] = [];
      const { client, connection, maxStaleness } = written(bus).databases.db;
      const text = JSON.stringify({ ...written(bus), databases: { db: { client, connection, maxStaleness } } });
      const positions = { where: () => 'my.yaml:1:1', hides: () => true, offset: () => 0 };
      await check(settingsOf(text), positions, (line) => lines.push(line));
      return lines.join('\n');
    };
    expect(await said(as('few', password))).toMatch(/^bus: (Redis|Valkey) \d+\.\d/m);
    const wrong = await said(as('few', 'no-such-word'));
    expect(wrong).toMatch(/error: cache\.bus .* cannot be used: WRONGPASS/);
    expect(wrong).not.toContain('no-such-word');
    for (const right of ['xread', 'hset', 'xrange']) {
      await tellRedis(url, `ACL SETUSER few -${right}`);
      expect(await said(as('few', password))).toMatch(
        new RegExp(`error: cache\\.bus .* cannot be used: NOPERM.*'${right}'`),
      );
      await tellRedis(url, `ACL SETUSER few +${right}`);
    }
  });
});
