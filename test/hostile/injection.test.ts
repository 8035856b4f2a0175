import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, engines, type FreshDatabase, freshDatabase } from '../servers/engines.ts';
import { startGateway } from '../support/gateway.ts';
import { attack } from './attack.ts';
import { jsons, texts } from './payloads.ts';
import { beforeTheDatabase, everyParameter, nearTheDatabase } from './positions.ts';
import { columns, configuration, furnish, kin, snapshot } from './world.ts';

const payloads = [...texts.map((text) => JSON.stringify(text)), ...jsons];

/** Engines of one kind write the same SQL: they share the payloads, so that each meets every position of the kind. */
function share(of: Engine): readonly string[] {
  const alike = engines().filter((engine) => kin(engine) === kin(of));
  return payloads.filter((_, nth) => nth % alike.length === alike.findIndex((engine) => engine.name === of.name));
}

describe.each(engines().map((engine, nth) => [engine.name, engine, nth] as const))('on %s', (_, engine, nth) => {
  let database: FreshDatabase;
  let before: string;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await furnish(database, engine);
    before = await snapshot(database);
  });
  afterAll(() => database?.drop());

  test('no payload in any position reads, writes or reveals more than it may', { timeout: 120_000 }, async () => {
    const near = nearTheDatabase(columns[kin(engine)]);
    const places = nth === 0 ? [...beforeTheDatabase(), ...near, ...everyParameter()] : [...near, ...everyParameter()];
    const gateway = await startGateway(configuration(database, engine));
    try {
      const { asked, wrong } = await attack(gateway, places, share(engine));
      expect(wrong).toEqual([]);
      expect(asked).toBeGreaterThan(1000);
      // Nothing was broken on the way, either.
      expect((await gateway.result('datastore_search', { resource_id: 'films' })).total).toBe(3);
    } finally {
      await gateway.close();
    }
    expect(await snapshot(database)).toBe(before);
  });
});
