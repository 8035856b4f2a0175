/** The catalogue for harvesters: DCAT, data.json, packages, and UUIDs as names of resources. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const tables = `
  CREATE TABLE city (id integer NOT NULL PRIMARY KEY, name varchar(40), lon numeric(9,6), lat numeric(9,6), updated timestamp NULL,
    region varchar(10));
  INSERT INTO city VALUES (1, 'Bern', 7.447, 46.948, '2036-01-02 03:04:05', 'north'), (2, 'Chur', 9.53, 46.85, '2036-03-04 05:06:07', 'south');
  CREATE TABLE note (id integer NOT NULL PRIMARY KEY, text varchar(40), at timestamp NULL);
  INSERT INTO note VALUES (1, 'x', '2036-05-05 05:05:05');`;

const configuration = (database: FreshDatabase, more = {}) => ({
  server: { siteUrl: 'https://data.test', title: 'Testville' },
  cache: { ttl: '1h' },
  catalog: { publisher: { name: 'Office of Statistics' }, licence: 'CC-BY-4.0', language: ['en'] },
  datasets: {
    places: {
      ...{ title: 'Cities', description: 'All **cities**.', keywords: ['population'], resources: ['cities', 'Secret'] },
      ...{ area: { bbox: [5, 45, 10, 47] }, updates: 'yearly', issued: '2024-05-01' },
    },
    hidden: { title: 'Hidden dataset', resources: ['Notes'] },
  },
  databases: { db: entry(database) },
  resources: {
    cities: {
      database: 'db',
      table: 'city',
      title: 'City',
      changed: 'updated',
      access: { read: 'public', write: 'token' },
    },
    south: {
      ...{ database: 'db', table: 'city', changed: 'updated', where: { region: 'south' }, access: { read: 'public' } },
      about: { publisher: { name: 'Südamt' } },
    },
    Secret: { database: 'db', table: 'note', title: 'Secret title', changed: 'at' },
    Notes: { database: 'db', table: 'note', title: 'Secret notes', changed: 'at' },
  },
  tokens: ['all'].map((name) => ({
    ...{ name, sha256: createHash('sha256').update(name).digest('hex'), read: ['*'], write: ['*'] },
  })),
  ...more,
});

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(tables);
    gateway = await startGateway(configuration(database));
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(gateway.url + path, { headers, redirect: 'manual' });
    const text = await answer.text();
    return { status: answer.status, type: answer.headers.get('content-type'), text, headers: answer.headers };
  };
  const result = async (action: string, params: object, as: string | null = null) => {
    const { status, text } = await gateway.call(action, params, as);
    return status === 200 ? JSON.parse(text).result : [status, JSON.parse(text).error];
  };
  const packages = async (params: object = {}) => (await result('package_search', params)).results;
  const namesOf = async (params: object) => (await packages(params)).map(({ name }: { name: string }) => name);

  test('only public tables are in any of its forms, with a token neither', async () => {
    for (const as of [null, 'all']) {
      const headers = as === null ? {} : { Authorization: as };
      const forms = [
        ...['/catalog.jsonld', '/data.json', '/sitemap.xml'].map((path) => get(path, headers)),
        get('/dataset/places', { ...headers, Accept: 'application/ld+json' }),
      ];
      for (const { status, text } of await Promise.all(forms)) {
        expect([status, text]).toEqual([200, expect.stringContaining('cities')]);
        expect(text).not.toMatch(/Secret|Hidden|\bNotes\b/);
      }
      for (const action of ['package_list', 'package_search', 'organization_list', 'license_list'])
        expect(JSON.stringify(await result(action, { all_fields: true }, as))).not.toMatch(/Secret|Hidden|\bNotes\b/);
      expect(await result('package_list', {}, as)).toEqual(['places', 'south']);
      expect(await result('package_show', { id: 'hidden' }, as)).toEqual([404, expect.anything()]);
      expect((await get('/dataset/hidden', headers)).status).toBe(404);
    }
  });

  test('a dataset has its last change, but not one from behind a row filter', async () => {
    const [places, south] = ['places', 'south'].map((id) => result('package_show', { id }));
    expect(await places).toMatchObject({
      ...{ metadata_modified: '2036-03-04T05:06:07.000000', metadata_created: '2024-05-01T00:00:00.000000' },
      ...{ title: 'Cities', license_id: 'CC-BY-4.0', isopen: true, num_resources: 1, private: false },
    });
    expect((await south).metadata_modified).toMatch(/^20(?!36)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    const [catalog, ...others] = JSON.parse((await get('/catalog.jsonld')).text)['@graph'];
    const at = { '@type': 'xsd:dateTime', '@value': '2036-03-04T05:06:07Z' };
    expect([catalog, ...others].filter((one) => one['dct:modified']?.['@value'] === at['@value'])).toHaveLength(2);
    expect(catalog).toMatchObject({ '@type': 'dcat:Catalog', 'dct:modified': at });
    expect(await gateway.reload(configuration(database, { cache: { ttl: 0 } }))).toEqual([]);
    expect((await get('/catalog.jsonld')).text).not.toContain('2036');
    expect(await gateway.reload(configuration(database))).toEqual([]);
  });

  test('a UUID names its resource everywhere, and counts as the same', async () => {
    const [places] = await packages({ fq: 'organization:office-of-statistics' });
    const { id, package_id } = places.resources[0];
    expect(package_id).toBe(places.id);
    const search = await result('datastore_search', { resource_id: id, limit: 1 });
    expect([search.resource_id, search.total]).toEqual(['cities', 2]);
    expect(await result('resource_show', { id })).toMatchObject({ id: 'cities', package_id });
    expect((await result('datastore_info', { id })).meta.id).toBe('cities');
    expect((await get(`/datastore/dump/${id}`)).text).toContain('Bern');
    expect((await get(`/datastore/explore/${id}`)).status).toBe(200);
    const before = gateway.events.length;
    const cache = async (resource_id: string) =>
      (await get(`/api/3/action/datastore_search?resource_id=${resource_id}&limit=2`)).headers.get('x-cache');
    expect([await cache('cities'), await cache(id), await cache(id)]).toEqual(['MISS', 'HIT', 'HIT']);
    const resources = gateway.events.slice(before).flatMap((event) => ('resource' in event ? [event.resource] : []));
    expect(new Set(resources)).toEqual(new Set(['cities']));
    const records = [{ id: 3, name: 'Sion', updated: '2036-03-04T05:06:08' }];
    expect(await result('datastore_upsert', { resource_id: id, records, force: true }, null)).toMatchObject([403, {}]);
    await result('datastore_upsert', { resource_id: id, records }, 'all');
    expect(await cache('cities')).toBe('MISS');
    expect((await result('package_show', { id: 'places' })).metadata_modified).toBe('2036-03-04T05:06:08.000000');
    expect(await namesOf({ fq: 'metadata_modified:[2036-03-04T05:06:08Z TO *]' })).toEqual(['places']);
  });

  test("the harvester's search: pages by id, changes since a time, organizations, and a 409 for the rest", async () => {
    const all = await packages({ rows: '100', start: '0', sort: 'id asc' });
    expect(all.map(({ id }: { id: string }) => id)).toEqual(all.map(({ id }: { id: string }) => id).sort());
    expect(await packages({ rows: '100', start: '100', sort: 'id asc' })).toEqual([]);
    const office = 'organization:office-of-statistics';
    for (const [fq, expected] of [
      ['*:*', ['places', 'south']],
      ['metadata_modified:[2036-01-01T00:00:00.5Z TO *]', ['places']],
      ['metadata_modified:[2037-01-01T00:00:00Z TO *]', []],
      [office, ['places']],
      [`-${office}`, ['south']],
      [`${office} OR organization:sudamt`, ['places', 'south']],
      [`${office} OR organization:sudamt metadata_modified:[2036-01-01T00:00:00Z TO *]`, ['places']],
      ['groups:x', []],
      ['-groups:x -groups:y', ['places', 'south']],
    ] as const)
      expect([fq, await namesOf({ fq, sort: 'name asc' })]).toEqual([fq, expected]);
    expect(await namesOf({ q: 'CITIES population' })).toEqual(['places']);
    expect(await namesOf({ sort: 'score desc, metadata_modified desc' })).toEqual(['places', 'south']);
    for (const fq of [
      'title:x',
      'organization:a OR',
      'OR',
      'metadata_modified:[NOW TO *]',
      'tags:"a b"',
      'organization:(a OR b)',
    ])
      expect([fq, await result('package_search', { fq })]).toEqual([
        ...[fq, [409, { __type: 'Validation Error', fq: [expect.stringMatching(/^must be \*:\*.*got: /)] }]],
      ]);
    const [status, { sort }] = await result('package_search', { sort: 'title desc' });
    expect([status, sort]).toEqual([409, [expect.stringContaining('must be one of id asc; ')]]);
  });

  test('organizations are the publishers, licences those of the datasets', async () => {
    expect(await result('organization_list', {})).toEqual(['office-of-statistics', 'sudamt']);
    const { id, ...office } = await result('organization_show', { id: 'office-of-statistics' });
    expect(office).toMatchObject({ title: 'Office of Statistics', type: 'organization', package_count: 1 });
    expect((await packages({ q: 'Cities' }))[0].owner_org).toBe(id);
    expect(await result('organization_show', { id: 'nobody' })).toEqual([404, expect.anything()]);
    const by = (name: string) => ({ ...configuration(database).resources.south, about: { publisher: { name } } });
    const resources = { ministry: by('Υπουργείο Οικονομικών'), city: by('Δήμος Αθηναίων') };
    expect(await gateway.reload(configuration(database, { datasets: {}, resources }))).toEqual([]);
    const names = await result('organization_list', {});
    expect(names).toEqual([...Array(2)].map(() => expect.stringMatching(/^publisher-[0-9a-f]{8}$/)));
    expect(new Set(names).size).toBe(2);
    expect(await gateway.reload(configuration(database))).toEqual([]);
    expect(await result('group_list', {})).toEqual([]);
    expect(await result('license_list', {})).toMatchObject([{ id: 'CC-BY-4.0', od_conformance: 'approved' }]);
  });

  test('a dataset is a page for people and JSON-LD for programs', async () => {
    const page = await get('/dataset/places', { Accept: 'text/html,*/*' });
    expect([page.status, page.headers.get('location')]).toEqual([303, '/datastore/explore/cities']);
    const data = await get('/dataset/places', { Accept: 'application/ld+json' });
    expect([data.status, data.type]).toEqual([200, 'application/ld+json']);
    expect(JSON.parse(data.text)).toMatchObject({ '@id': 'https://data.test/dataset/places', '@type': 'dcat:Dataset' });
    const html = (await get('/datastore/explore/cities', { Accept: 'text/html' })).text;
    expect(html).toContain('<link rel="alternate" type="application/ld+json" href="https://data.test/dataset/places">');
    expect(html).toContain('/datastore/dump/cities?format=geojson');
  });

  test('the ETag changes with the data and the configuration, and with nothing else', async () => {
    const etag = async (path: string) => (await get(path)).headers.get('etag');
    for (const path of ['/catalog.jsonld', '/data.json']) {
      const first = await etag(path);
      expect([first, await etag(path)]).toEqual([expect.any(String), first]);
      const unchanged = await get(path, { 'If-None-Match': String(first) });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      const at = path === '/data.json' ? '2036-06-01T00:00:00' : '2036-07-01T00:00:00';
      await result('datastore_upsert', { id: 'cities', records: [{ id: 1, updated: at }] }, 'all');
      const second = await etag(path);
      expect(second).not.toBe(first);
      const catalog = { publisher: { name: 'Another office' } };
      expect(await gateway.reload(configuration(database, { catalog }))).toEqual([]);
      expect(await etag(path)).not.toBe(second);
      expect(await gateway.reload(configuration(database))).toEqual([]);
    }
  });

  test('the catalogue has pages of 500 datasets', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 501 }, (_, nth) => [
        `t${nth}`,
        { database: 'db', table: 'note', access: { read: 'public' } },
      ]),
    );
    expect(await gateway.reload(configuration(database, { datasets: {}, resources: many, tokens: [] }))).toEqual([]);
    const datasets = async (page: string) => {
      const { '@graph': graph } = JSON.parse((await get(`/catalog.jsonld${page}`)).text);
      const of = (type: string) => graph.filter((one: Record<string, unknown>) => one['@type'] === type);
      const next = of('hydra:PartialCollectionView')[0]['hydra:next']?.['@id'];
      return [of('dcat:Dataset').length, next, 'dct:modified' in of('dcat:Catalog')[0]];
    };
    expect(await datasets('')).toEqual([500, 'https://data.test/catalog.jsonld?page=2', true]);
    expect(await datasets('?page=2')).toEqual([1, undefined, false]);
    expect((await get('/catalog.jsonld?page=3')).status).toBe(404);
    expect(await get('/catalog.jsonld?page=x')).toMatchObject({
      status: 400,
      text: expect.stringContaining('page must'),
    });
    expect(JSON.parse((await get('/data.json')).text).dataset).toHaveLength(501);
    const { text: page } = await get('/datastore/explore/t1', { Accept: 'text/html' });
    expect(page).toContain('/datastore/dump/t1?format=xlsx');
    // The table has no coordinates.
    expect(page).not.toContain('format=geojson');
    expect((await result('package_search', { rows: 1000 })).results).toHaveLength(501);
    expect(await gateway.reload(configuration(database))).toEqual([]);
  });

  test('without the catalogue its addresses do not exist, and its actions list nothing', async () => {
    const none = configuration(database, { catalog: { serve: 'none' } });
    expect(await gateway.reload(none)).toEqual([]);
    for (const path of ['/catalog.jsonld', '/data.json', '/dataset/places'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect([await result('package_list', {}), await packages()]).toEqual([[], []]);
    expect((await get('/datastore/explore/cities', { Accept: 'text/html' })).text).not.toContain('/dataset/places');
    expect(await gateway.reload(configuration(database, { explorer: { serve: 'none' } }))).toEqual([]);
    expect(await get('/dataset/places', { Accept: 'text/html' })).toMatchObject({
      status: 200,
      type: 'application/ld+json',
    });
  });
});
