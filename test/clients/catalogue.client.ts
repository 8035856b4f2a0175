/** The catalogue as harvesters see it: validated by the shapes of DCAT-AP, and harvested by a real CKAN. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Ckan, startCkan } from '../support/ckan/ckan.ts';
import { createOrganization, resultOf } from '../support/ckan/site.ts';
import { entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../support/servers/engines.ts';
import { freePort, openScope, type Scope } from '../support/servers/scope.ts';

const run = promisify(execFile);
const golden = resolve(import.meta.dirname, '../unit/metadata');

test.each(['described', 'bare'])('the example "%s" is DCAT-AP 3.0.1, by its SHACL shapes', async (name) => {
  const script = join(import.meta.dirname, 'check_catalogue.py');
  const { stdout } = await run(join(inject('bin'), 'python'), [script, join(golden, `${name}.catalog.jsonld`)]);
  expect(stdout).toMatch(/^\d+ triples, [12] datasets$/m);
});

const bin = inject('ckan');
/** With HARVESTED_TABLES=501 they are one more than a page of the catalogue has, and take CKAN some minutes. */
const tables = Number(process.env.HARVESTED_TABLES ?? 21);
/** Milliseconds for a harvest of all tables. CKAN takes a tenth of a second for each. */
const harvestMs = 300_000;

interface Stats {
  readonly added: number;
  readonly updated: number;
  readonly deleted: number;
  readonly errored: number;
  readonly 'not modified': number;
}

describe.skipIf(bin === null)(`a CKAN that harvests ${tables} tables`, () => {
  let scope: Scope;
  let ckan: Ckan;
  let database: FreshDatabase;
  let gateway: TestGateway;
  let url: string;

  beforeAll(async () => {
    const [engine] = anyEngine();
    if (engine === undefined) throw new Error('no engine');
    scope = openScope();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const plugins = 'datastore harvest ckan_harvester dcat dcat_rdf_harvester';
    [ckan, database] = await Promise.all([
      startCkan(scope, bin ?? '', { 'ckan.plugins': plugins }),
      freshDatabase(engine),
    ]);
    for (let nth = 0; nth < tables; nth++)
      await database.exec(`CREATE TABLE t${nth} (id int PRIMARY KEY, updated timestamp)`);
    gateway = await startGateway(configuration());
    for (const queue of ['gather', 'fetch']) await ckan.start(queue, 'harvester', `${queue}-consumer`);
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
    await scope?.close();
  });

  /** @param site the address of the site: with another one, all datasets are others */
  const configuration = (without: readonly string[] = [], site = url) => ({
    server: { port: Number(new URL(url).port), siteUrl: site },
    catalog: { publisher: { name: 'Office of Statistics' }, licence: 'CC-BY-4.0', language: ['en'], theme: ['REGI'] },
    cache: { ttl: '1h' },
    databases: { db: entry(database) },
    resources: Object.fromEntries(
      Array.from({ length: tables }, (_, nth) => [
        `t${nth}`,
        {
          ...{ database: 'db', table: `t${nth}`, title: `Table ${nth}`, changed: 'updated' },
          about: { keywords: ['Straßen und Plätze'] },
          access: { read: without.includes(`t${nth}`) ? 'token' : 'public', write: 'token' },
        },
      ]),
    ),
  });

  async function addSource(source_type: string, at: string, config = {}): Promise<string> {
    const owner_org = await createOrganization(ckan, []);
    const named = { name: source_type.replace('_', '-'), title: source_type, source_type };
    const source = { ...named, url: at, owner_org, frequency: 'MANUAL', config: JSON.stringify(config) };
    return (await resultOf(ckan, 'harvest_source_create', source)).id;
  }

  /** Harvests a source through CKAN's queues, as its administrator does. */
  async function harvest(source_id: string): Promise<Stats> {
    const { id } = await resultOf(ckan, 'harvest_job_create', { source_id, run: true });
    for (const end = performance.now() + harvestMs; performance.now() < end; await sleep(1000)) {
      const { gather_finished, stats, gather_error_summary } = await resultOf(ckan, 'harvest_job_show', { id });
      expect(gather_error_summary ?? []).toEqual([]);
      // CKAN counts the datasets that it has not imported yet under the name `null`.
      const hasDatasets = Object.values(stats).some((count) => count !== 0);
      if (gather_finished !== null && hasDatasets && stats.null === undefined) {
        // Earlier it would queue the waiting datasets once more.
        await resultOf(ckan, 'harvest_jobs_run', { source_id });
        return stats;
      }
    }
    throw new Error('the harvest did not end');
  }

  const packages = (): Promise<readonly string[]> => resultOf(ckan, 'package_list', {});
  const insert = (id: string) => {
    const updated = new Date().toISOString().replace('Z', '');
    return gateway.result('datastore_upsert', { id, records: [{ id: 1, updated }] });
  };

  test(
    "ckanext-harvest's CKAN harvester takes all, then what has changed, and keeps what is gone",
    async () => {
      const source = await addSource('ckan', url, { remote_orgs: 'create' });
      expect(await harvest(source)).toMatchObject({ added: tables, errored: 0 });
      const { result } = JSON.parse((await gateway.call('package_show', { id: 't3' }, null)).text);
      const harvested = await resultOf(ckan, 'package_show', { id: result.id });
      expect(harvested).toMatchObject({
        ...{ name: 't3', title: 'Table 3', license_id: 'CC-BY-4.0', author: 'Office of Statistics' },
        ...{ tags: [{ name: 'Straßen und Plätze' }], organization: { title: 'Office of Statistics' } },
        resources: [{ id: result.resources[0].id, url: `${url}/datastore/dump/t3`, format: 'CSV' }],
      });
      await insert('t3');
      expect(await harvest(source)).toMatchObject({ updated: 1, 'not modified': tables - 1, errored: 0 });
      // A change of the configuration may be one of each dataset that is left.
      const gone = Array.from({ length: tables }, (_, nth) => `t${nth}`).slice(10);
      expect(await gateway.reload(configuration(gone))).toEqual([]);
      expect(await harvest(source)).toMatchObject({ updated: 10, deleted: 0, errored: 0 });
      expect(await packages()).toEqual(expect.arrayContaining(gone));
    },
    3 * harvestMs,
  );

  test(
    'ckanext-dcat takes all pages, then changes, and deletes what is gone',
    async () => {
      const site = url.replace('127.0.0.1', 'localhost');
      expect(await gateway.reload(configuration([], site))).toEqual([]);
      const source = await addSource('dcat_rdf', `${url}/catalog.jsonld`);
      const before = await packages();
      expect(await harvest(source)).toMatchObject({ added: tables, errored: 0 });
      const added = async () => (await packages()).filter((name) => !before.includes(name));
      expect(await added()).toHaveLength(tables);
      const harvested = () => resultOf(ckan, 'package_show', { id: 'table-3' });
      const { resources, ...dataset } = await harvested();
      expect(dataset).toMatchObject({
        ...{ title: 'Table 3', url: `${site}/datastore/explore/t3`, tags: [{ name: 'Straßen und Plätze' }] },
        extras: expect.arrayContaining([
          { key: 'guid', value: `${site}/dataset/t3` },
          { key: 'publisher_name', value: 'Office of Statistics' },
        ]),
      });
      const formats = resources.map(({ format, mimetype }: Record<string, string>) => [format, mimetype]);
      expect(formats).toEqual(
        expect.arrayContaining([
          ['CSV', 'text/csv'],
          ['JSON', 'application/json'],
        ]),
      );
      expect(resources[0].license).toBe('https://creativecommons.org/licenses/by/4.0/');
      await insert('t3');
      expect(await gateway.reload(configuration(['t4'], site))).toEqual([]);
      expect(await harvest(source)).toMatchObject({ added: 0, updated: tables - 1, deleted: 1, errored: 0 });
      expect((await harvested()).metadata_modified > dataset.metadata_modified).toBe(true);
      expect(await added()).toHaveLength(tables - 1);
      expect(await packages()).not.toContain('table-4');
    },
    2 * harvestMs,
  );
});
