/** Attack: make the gateway look at another row than the one that was written. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { ofTenant } from '../../support/rows.ts';
import { byName, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(
      'CREATE TABLE asset (id int PRIMARY KEY, nr int NOT NULL UNIQUE, tenant int, name varchar(40))',
    );
    await database.exec('CREATE TABLE named (id varchar(36) PRIMARY KEY, tenant int, name varchar(40))');
    await database.exec('CREATE TABLE slug (slug varchar(36) PRIMARY KEY, tenant int, name varchar(40))');
    if (engine.client === 'mysql') {
      for (const event of ['INSERT', 'UPDATE'])
        await database.exec(
          `CREATE TRIGGER slugs_${event} BEFORE ${event} ON slug FOR EACH ROW SET NEW.slug = NEW.name`,
        );
      await database.exec('CREATE TRIGGER gives BEFORE INSERT ON named FOR EACH ROW SET NEW.id = UUID()');
    } else {
      await database.exec(`CREATE FUNCTION gives() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.id := gen_random_uuid()::text; RETURN NEW; END $$`);
      await database.exec('CREATE TRIGGER gives BEFORE INSERT ON named FOR EACH ROW EXECUTE PROCEDURE gives()');
      await database.exec(`CREATE FUNCTION slugs() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.slug := NEW.name; RETURN NEW; END $$`);
      await database.exec(
        'CREATE TRIGGER slugs BEFORE INSERT OR UPDATE ON slug FOR EACH ROW EXECUTE PROCEDURE slugs()',
      );
    }
    const access = { read: 'token', write: 'token' };
    const of = (table: string, more = {}) => ({ database: 'db', table, access, ...more });
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        assets: of('asset', { key: ['nr'], where: ofTenant }),
        named: of('named', { where: ofTenant }),
        slugs: of('slug', { where: ofTenant }),
        'all-slugs': of('slug'),
        'all-assets': of('asset'),
        'all-named': of('named'),
      },
      tokens: [
        { name: 'seven', sha256: sha256('seven'), read: ['*'], write: ['*'], claims: { tenant: 7 } },
        { name: 'truth', sha256: sha256('truth'), read: ['*'] },
      ],
    });
  });
  beforeEach(async () => {
    await database.exec('DELETE FROM asset');
    await database.exec("INSERT INTO asset VALUES (1, 101, 7, 'a'), (2, 1, 7, 'b'), (3, 103, 8, 'secret')");
    await database.exec('DELETE FROM slug');
    await database.exec("INSERT INTO slug VALUES ('a', 7, 'a'), ('s', 8, 's')");
    await database.exec('DELETE FROM named');
    await database.exec("INSERT INTO named (id, tenant, name) VALUES ('x', 7, 'own'), ('y', 8, 'secret')");
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const stored = async (resource_id: string) =>
    JSON.parse((await gateway.call('datastore_search', { resource_id, sort: 'name' }, 'truth')).text).result.records;
  const write = (resource_id: string, method: string, records: readonly object[], more = {}) =>
    gateway.call('datastore_upsert', { resource_id, method, records, ...more }, 'seven');

  test('a call that names rows by _id and by the key moves none of them out', async () => {
    const before = await stored('all-assets');
    const moving = [
      [
        { _id: 1, name: 'x' },
        { nr: 1, tenant: 8 },
      ],
      [
        { nr: 1, tenant: 8 },
        { _id: 1, name: 'x' },
      ],
    ];
    for (const records of moving)
      for (const method of ['update', 'upsert'])
        for (const more of [{}, { dry_run: true }]) {
          const { status, text } = await write('assets', method, records, more);
          expect([status, text]).toEqual([
            409,
            expect.stringContaining('must all be found by `_id`, or all by the key'),
          ]);
          expect(await stored('all-assets')).toEqual(before);
        }
  });

  test('a new record that takes over the key of an earlier one hides no row of another tenant', async () => {
    const before = await stored('all-slugs');
    for (const records of [
      [
        { slug: 'a', name: 'z', tenant: 8 },
        { slug: 'q', name: 'a' },
      ],
      [
        { slug: 'a', name: 'z', tenant: 8 },
        { slug: 'q', name: 'q' },
        { slug: 'r', name: 'a' },
      ],
    ]) {
      const { status } = await write('slugs', 'upsert', records);
      expect(status).toBe(409);
      expect(await stored('all-slugs')).toEqual(before);
    }
  });

  test('a trigger that gives a new record another key puts it into no other tenant', async () => {
    const before = await stored('all-named');
    const [own] = before.filter(({ tenant }: { tenant: number }) => tenant === 7);
    for (const method of ['insert', 'upsert'])
      for (const records of [[{ id: own.id, tenant: 8, name: 'new' }], [{ id: 'new', tenant: 8, name: 'new' }]]) {
        const { status } = await write('named', method, records);
        expect([method, status]).toEqual([method, 409]);
        expect(await stored('all-named')).toEqual(before);
      }
  });
});
