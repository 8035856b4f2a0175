/** A schema of the search path where other users may create functions: `check` and the log warn until the REVOKE. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../../src/commands/check.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { startGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import type { Session } from '../../support/servers/sessions.ts';

const postgres = servers().filter(({ client }) => client === 'postgres');

describe.runIf(postgres.length > 0).each(byName(postgres))('on %s', (_, engine) => {
  const roles = ['reader', 'stranger', 'owner'].map((name) => `gw_${process.pid}_${name}`);
  const [reader = '', stranger = '', owner = ''] = roles;
  let fresh: ServerDatabase;
  let admin: Session;
  let url: string;
  beforeAll(async () => {
    admin = await openSession(engine);
    for (const role of roles) await admin.exec(`CREATE ROLE ${role} LOGIN`);
    fresh = await freshDatabase(engine);
    const address = new URL(fresh.url);
    address.username = reader;
    url = address.href;
    await fresh.exec(`
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      GRANT USAGE, CREATE ON SCHEMA public TO ${owner};
      SET ROLE ${owner};
      CREATE TABLE t (n int PRIMARY KEY, name varchar(20));
      GRANT SELECT ON t TO ${reader};
      RESET ROLE;
      CREATE SCHEMA "Odd One";
      GRANT USAGE ON SCHEMA "Odd One", public TO ${reader};`);
  });
  afterAll(async () => {
    await fresh?.drop();
    for (const role of roles) await admin?.exec(`DROP ROLE IF EXISTS ${role}`);
    await admin?.close();
  });

  const configuration = () => ({
    databases: { db: { client: 'postgres', connection: url, maxStaleness: 'none' } },
    resources: { t: { database: 'db', table: 't' } },
  });
  async function warnings(): Promise<readonly string[]> {
    const loaded = loadSettings('my.yaml', {}, () => JSON.stringify(configuration()));
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.complaints));
    const lines: string[] = [];
    await check(loaded.settings, loaded.positions, (line) => lines.push(line));
    return lines.filter((line) => line.includes('CVE-2018-1058'));
  }
  const revoke = (lines: readonly string[]) => lines.flatMap((line) => /REVOKE .*/.exec(line)?.[0] ?? []);

  test('everybody, as before PostgreSQL 15', async () => {
    expect(await warnings()).toEqual([]);
    await fresh.exec('GRANT CREATE ON SCHEMA public TO PUBLIC');
    const lines = await warnings();
    expect(lines).toEqual([
      expect.stringContaining(
        `lets PUBLIC create functions and operators in the schema public, which the server may run with the rights of ${reader} in place of its own`,
      ),
    ]);
    const gateway = await startGateway(configuration());
    try {
      const warned = gateway.events.flatMap((event) => (event.on === 'warned' ? [event.text] : []));
      expect(warned.filter((text) => text.includes('CVE-2018-1058'))).toHaveLength(1);
    } finally {
      await gateway.close();
    }
    for (const sql of revoke(lines)) await fresh.exec(sql);
    expect(await warnings()).toEqual([]);
  });

  test('another role, in a schema of the path whose name needs quotes; not in one that is off the path', async () => {
    await fresh.exec(`GRANT CREATE ON SCHEMA "Odd One" TO ${stranger}`);
    expect(await warnings()).toEqual([]);
    await admin.exec(`ALTER ROLE ${reader} SET search_path = public, "Odd One"`);
    const lines = await warnings();
    expect(revoke(lines)).toEqual([`REVOKE CREATE ON SCHEMA "Odd One" FROM ${stranger}`]);
    for (const sql of revoke(lines)) await fresh.exec(sql);
    expect(await warnings()).toEqual([]);
  });
});

test.runIf(postgres.length === 0)('no engine of this run has schemas on a search path', () => {
  expect(servers().every(({ client }) => client === 'mysql')).toBe(true);
});
