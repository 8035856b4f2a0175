/** Calls the gateway with clients of npm as their READMEs do, and prints what each of them returns as JSON. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [folder = '', url = '', token = '', open = '', closed = '', scratch = ''] = process.argv.slice(2);
const require = createRequire(join(folder, 'index.js'));

async function withCkan() {
  const { Client } = require('ckan');
  const client = new Client(url, token);
  const call = (name, ...given) => promisify(client[name].bind(client))(...given);
  const { result } = await call('action', 'datastore_search', { resource_id: closed, filters: { stage: 'active' } });
  const query = { resource_id: open, q: 'jones', size: 1, sort: [{ field: 'title', order: 'desc' }] };
  const { total, hits } = await call('datastoreQuery', query);
  const names = (await call('datastoreResources')).result.records.map(({ name }) => name);
  const refused = await call('action', 'datastore_search', { resource_id: 'nope' }).catch(String);
  return { found: result.total, total, first: hits[0].title, listed: names.includes(open), refused };
}

async function withPortalJs() {
  const { default: CkanRequest } = require('@portaljs/ckan-api-client-js');
  const options = { ckanUrl: url, apiKey: token };
  const { result } = await CkanRequest.get(`datastore_search?resource_id=${closed}&q=jones&limit=1`, options);
  const records = [{ title: 'by PortalJS' }];
  await CkanRequest.post('datastore_upsert', { ...options, json: { resource_id: scratch, method: 'insert', records } });
  const filters = { title: 'by PortalJS' };
  const written = await CkanRequest.post('datastore_search', { ...options, json: { resource_id: scratch, filters } });
  // It prints every refusal.
  console.error = () => undefined;
  const refused = await CkanRequest.get('datastore_search?resource_id=nope', options).catch(({ message }) => message);
  return { found: result.total, written: written.result.total, refused };
}

console.log(JSON.stringify({ ckan: await withCkan(), portalJs: await withPortalJs() }));
