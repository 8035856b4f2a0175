/** A real CKAN: its answers are the recorded ones (`UPDATE=1` records them again), and those of a gateway that compares itself with it. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Ckan, startCkan } from '../support/ckan/ckan.ts';
import {
  recordedAnswers,
  recordedId,
  recording,
  searches,
  table,
  tableSql,
} from '../support/ckan/datastore-searches.ts';
import { type CkanUser, createOrganization, createResource, createUser, resultOf } from '../support/ckan/site.ts';
import { entry, startGateway, type TestGateway, token } from '../support/gateway.ts';
import { type FreshDatabase, freshDatabase, servers } from '../support/servers/engines.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';

const bin = inject('ckan');

describe.skipIf(bin === null)('CKAN', () => {
  let scope: Scope;
  let ckan: Ckan;
  let editor: CkanUser;
  /** Resources of a public and of a private dataset, with the same data. */
  let open: string;
  let closed: string;

  beforeAll(async () => {
    scope = openScope();
    ckan = await startCkan(scope, bin ?? '');
    editor = await createUser(ckan);
    const organization = await createOrganization(ckan, [{ user: editor, role: 'editor' }]);
    [open, closed] = [await createResource(ckan, organization, false), await createResource(ckan, organization)];
    const { fields, records } = table;
    const rows = records.map((row) => Object.fromEntries(fields.map(({ id }, at) => [id, row[at] ?? null])));
    for (const resource_id of [open, closed])
      await resultOf(ckan, 'datastore_create', { resource_id, force: true, fields, records: rows });
  });
  afterAll(() => scope?.close());

  test('answers each search as it is recorded', async () => {
    const answers: Record<string, unknown> = {};
    for (const [name, params] of Object.entries(searches)) {
      const answer = await fetch(`${ckan.url}/api/3/action/datastore_search`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...params, resource_id: open }),
      });
      const text = (await answer.text()).replaceAll(open, recordedId).replaceAll(ckan.url, 'http://ckan.test');
      answers[name] = { status: answer.status, body: text };
    }
    if (process.env.UPDATE === '1') writeFileSync(recording, `${JSON.stringify(answers, null, 2)}\n`);
    expect(answers).toEqual(recordedAnswers());
  });

  describe.each(servers().map((engine) => [engine.name, engine] as const))('behind a gateway over %s', (_, engine) => {
    let database: FreshDatabase;
    let gateway: TestGateway;
    beforeAll(async () => {
      const isMysql = engine.client === 'mysql';
      database = await freshDatabase(engine);
      await database.exec(tableSql('legacy', isMysql));
      const legacy = { database: 'db', table: 'legacy', columns: isMysql ? { open: { boolean: true } } : {} };
      gateway = await startGateway({
        upstream: { url: ckan.url },
        databases: { db: entry(database) },
        resources: {
          [open]: { ...legacy, access: { read: 'public' }, shadow: { sample: 1 } },
          [closed]: { ...legacy, access: { read: 'upstream' }, shadow: { sample: 1 } },
          local: { ...legacy, access: { read: 'token' }, shadow: { resource: closed, sample: 1 } },
        },
      });
    });
    afterAll(async () => {
      await gateway?.close();
      await database?.drop();
    });

    /** What a search is reported as: a list of differences, or a result. */
    async function compared(resource: string, params: object, as: string | null) {
      const before = gateway.events.length;
      await gateway.call('datastore_search', { ...params, resource_id: resource }, as);
      const news = () => gateway.events.slice(before).filter(({ on }) => on.startsWith('shadow'));
      await expect.poll(() => news().some(({ on }) => on === 'shadowed')).toBe(true);
      return news();
    }
    const same = (resource: string) => [{ on: 'shadowed', resource, result: 'same' }];

    test('answers the same as the gateway, to everybody and to its editor', async () => {
      for (const params of Object.values(searches)) {
        expect(await compared(open, params, null), JSON.stringify(params)).toEqual(same(open));
        expect(await compared(closed, params, editor.token), JSON.stringify(params)).toEqual(same(closed));
      }
    });

    test('is asked for nothing that its own rights do not give', async () => {
      const result = await compared('local', {}, token);
      expect(result).toEqual([{ on: 'shadowed', resource: 'local', result: 'denied' }]);
    });
  });
});
