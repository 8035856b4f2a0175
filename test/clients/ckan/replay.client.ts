/** Replays random calls against CKAN's DataStore and against the gateway, over the same records, and compares the answers by meaning. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Ckan, startCkan } from '../../support/ckan/ckan.ts';
import { createOrganization, createResource, resultOf } from '../../support/ckan/site.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { Random } from '../../support/random.ts';
import { freshDatabase, onePerDriver, type ServerDatabase } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { type Answer, compare, differences } from './replay-differences.ts';
import { type ReplayedCall, randomCall, randomRow } from './replayed-calls.ts';

const bin = inject('ckan');
const usualSeed = 20261129;
const seed = Number(process.env.REPLAY_SEED ?? usualSeed);
const calls = 300;
const count = 60;

describe.skipIf(bin === null).each(onePerDriver().map((engine) => [engine.name, engine] as const))(
  'CKAN and the gateway on %s',
  (_, engine) => {
    let scope: Scope;
    let ckan: Ckan;
    let database: ServerDatabase;
    let gateway: TestGateway;
    let id: string;
    const random = new Random(seed);

    beforeAll(async () => {
      scope = openScope();
      [ckan, database] = await Promise.all([startCkan(scope, bin ?? ''), freshDatabase(engine)]);
      id = await createResource(ckan, await createOrganization(ckan, []), false);
      const rows = Array.from({ length: count }, (_, nth) => randomRow(random, nth));
      const types = {
        name: 'text',
        kind: 'text',
        n: 'int',
        amount: 'numeric',
        day: 'date',
        at: 'timestamp',
        ok: 'bool',
      };
      const fields = Object.entries(types).map(([id, type]) => ({ id, type }));
      await resultOf(ckan, 'datastore_create', { resource_id: id, force: true, fields, records: rows });
      const [key, bool, time, q] =
        engine.client === 'mysql'
          ? ['int AUTO_INCREMENT PRIMARY KEY', 'tinyint(1)', 'datetime', '`']
          : ['serial PRIMARY KEY', 'boolean', 'timestamp', '"'];
      const name = (column: string) => `${q}${column}${q}`;
      await database.exec(
        `CREATE TABLE replayed (_id ${key}, name varchar(200), kind varchar(200), n int, amount decimal(20,2), ${name('day')} date, ${name('at')} ${time}, ok ${bool})`,
      );
      gateway = await startGateway({
        databases: { db: entry(database) },
        resources: {
          [id]: {
            ...{ database: 'db', table: 'replayed', access: { read: 'public', write: 'token', deleteAll: true } },
            columns: engine.client === 'mysql' ? { ok: { boolean: true } } : {},
          },
        },
      });
      await gateway.result('datastore_upsert', { resource_id: id, method: 'insert', records: rows });
    });
    afterAll(async () => {
      await gateway?.close();
      await database?.drop();
      await scope?.close();
    });

    /** Sends a call to one of the two. */
    async function answer(url: string, login: string, { action, params }: ReplayedCall): Promise<Answer> {
      const headers = { Authorization: login, 'Content-Type': 'application/json' };
      const query = new URLSearchParams(
        Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const response =
        action === 'dump'
          ? await fetch(`${url}/datastore/dump/${id}?${query}`, { headers: { Authorization: login } })
          : await fetch(`${url}/api/3/action/${action}`, {
              ...{ method: 'POST', headers },
              body: JSON.stringify({ resource_id: id, ...params }),
            });
      const text = await response.text();
      return { status: response.status, body: action === 'dump' && params.format !== 'json' ? text : JSON.parse(text) };
    }

    test(`${calls} calls of REPLAY_SEED=${seed} have the same answers, but for the listed differences`, async () => {
      console.log(`REPLAY_SEED=${seed}`);
      const found = new Map(differences.map(({ name }) => [name, 0]));
      const unknown: unknown[] = [];
      let same = 0;
      for (let nth = 0; nth < calls; nth++) {
        const call = randomCall(random, count, count + nth);
        const [theirs, ours] = [await answer(ckan.url, ckan.sysadmin, call), await answer(gateway.url, token, call)];
        const names = compare(call, theirs, ours);
        if (names === null) unknown.push({ call, theirs, ours });
        else if (names.length === 0) same++;
        for (const name of names ?? []) found.set(name, (found.get(name) ?? 0) + 1);
      }
      console.log(JSON.stringify({ same, ...Object.fromEntries(found) }, null, 1));
      expect(unknown.slice(0, 3)).toEqual([]);
      expect(same).toBeGreaterThan(calls / 3);
      // With this seed each difference of the list occurs. One that no longer does can be removed.
      if (seed === usualSeed) expect([...found].filter(([, times]) => times === 0)).toEqual([]);
    });
  },
);
