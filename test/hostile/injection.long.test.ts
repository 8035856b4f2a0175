import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../support/servers/engines.ts';
import { attack } from './attack.ts';
import { jsons, texts } from './payloads.ts';
import { beforeTheDatabase, everyParameter, nearTheDatabase } from './positions.ts';
import { columns, configuration, furnish, kin, shareOf, snapshot, standsForItsKind } from './world.ts';

const payloads = [...texts.map((text) => JSON.stringify(text)), ...jsons];

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let before: string;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await furnish(database, engine);
    before = await snapshot(database);
  });
  afterAll(() => database?.drop());

  test('no payload in any position reads, writes or reveals more than it may', { timeout: 120_000 }, async () => {
    const positions = nearTheDatabase(columns[kin(engine)]);
    const places = [
      ...positions,
      ...(standsForItsKind(engine) ? everyParameter() : []),
      ...(engine === fewEngines().at(-1) ? beforeTheDatabase() : []),
    ];
    const gateway = await startGateway(configuration(database, engine));
    try {
      const { asked, wrong } = await attack(gateway, places, shareOf(engine, payloads));
      expect(wrong).toEqual([]);
      expect(asked).toBeGreaterThan(200);
      // Make sure that nothing was damaged along the way either.
      expect((await gateway.result('datastore_search', { resource_id: 'films' })).total).toBe(3);
    } finally {
      await gateway.close();
    }
    expect(await snapshot(database)).toBe(before);
  });
});
