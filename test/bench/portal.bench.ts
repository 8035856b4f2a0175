/** Reads of one table at the gateway, at a CKAN with our extension, and of the same records in CKAN's own DataStore. */
import { afterAll, expect, test } from 'vitest';
import { startCkan } from '../support/ckan/ckan.ts';
import { installCkan } from '../support/ckan/install.ts';
import { createOrganization, createResource, resultOf } from '../support/ckan/site.ts';
import { byName, servers } from '../support/servers/engines.ts';
import { find, thisMachine } from '../support/servers/programs.ts';
import { openScope } from '../support/servers/scope.ts';
import { ensureWrk, wrk } from './load.ts';
import { report } from './report.ts';
import { headers, served, token } from './served.ts';

/** More would make CKAN's threads fail now and then, see integrations/ckan/README.md. */
const connections = 1;
const seconds = 10;
const path = (id: string) => `/api/3/action/datastore_search?resource_id=${id}&limit=100`;
const measured: (readonly string[])[] = [];

afterAll(() => {
  const title = `Searches of 100 records at the gateway and at CKAN 2.12, ${connections} connection, one process each`;
  report('portal', title, ['Search', 'Calls (1/s)', 'p99 (ms)'], measured);
});

test.each(byName(servers()))('%s', async (_, engine) => {
  await ensureWrk();
  const bin = await installCkan(find('python3', thisMachine()) ?? 'python3');
  if (bin === null) throw new Error('CKAN cannot be downloaded');
  const gateway = await served(engine, '{ ttl: 1h }');
  const scope = openScope();
  try {
    const ckan = await startCkan(scope, bin, {
      'ckan.plugins': 'datastore_gateway datastore',
      'ckanext.datastore_gateway.url': gateway.url,
      'ckanext.datastore_gateway.token': token,
    });
    const owner = await createOrganization(ckan, []);
    await resultOf(ckan, 'package_create', { name: 'open-data', owner_org: owner });
    const said = await ckan.command('datastore-gateway', 'register', '--package', 'open-data', 'records');
    const [, shown = ''] = /created (\S+)/.exec(said) ?? [];
    const { result } = Object(await (await fetch(gateway.url + path('records'), { headers })).json());
    const own = await createResource(ckan, owner, false);
    const fields = result.fields.filter(({ id }: { readonly id: string }) => id !== '_id');
    const records = result.records.map(({ _id, ...others }: { readonly _id: number }) => others);
    await resultOf(ckan, 'datastore_create', { resource_id: own, force: true, fields, records });
    const rates: number[] = [];
    for (const [name, url, id, sent] of [
      ['a table, at the gateway, from its cache', gateway.url, 'records', headers],
      ['the same table, at CKAN with the extension', ckan.url, shown, {}],
      ["the same records in CKAN's own DataStore", ckan.url, own, {}],
    ] as const) {
      const load = await wrk(url, { method: 'GET', path: path(id), headers: sent }, connections, seconds);
      measured.push([name, load.perSecond.toFixed(0), load.p99.toFixed(1)]);
      rates.push(load.perSecond);
    }
    const [direct = 0, extension = 0] = rates;
    expect(direct).toBeGreaterThan(10 * extension);
  } finally {
    await scope.close();
    await gateway.stop();
  }
});
