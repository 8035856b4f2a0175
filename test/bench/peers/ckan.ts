/** CKAN's own DataStore, with a copy of `films`, served by werkzeug, one request after another. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startCkan } from '../../support/ckan/ckan.ts';
import { installCkan } from '../../support/ckan/install.ts';
import { createOrganization, createResource, resultOf } from '../../support/ckan/site.ts';
import { find, thisMachine } from '../../support/servers/programs.ts';
import { type OtherServer, pidAt } from './other-server.ts';
import { film, filmColumns } from './tables.ts';

const types: Readonly<Record<string, string>> = { boolean: 'bool', smallint: 'int4', int: 'int4', date: 'date' };
const typeOf = (declared: string) =>
  types[declared] ?? (/^numeric/.test(declared) ? 'numeric' : declared === 'timestamp' ? declared : 'text');

export const ckan: OtherServer = {
  name: "CKAN 2.12's DataStore",
  needs: 'python3 and redis-server',
  async start(_, scope) {
    const machine = thisMachine();
    const python = find('python3', machine);
    const bin = python === null || find('redis-server', machine) === null ? null : await installCkan(python);
    if (bin === null) return null;
    const site = await startCkan(scope, bin, { threaded: 'no' });
    const id = await createResource(site, await createOrganization(site, []), false);
    const fields = Object.entries(filmColumns).map(([name, type]) => ({ id: name, type: typeOf(type) }));
    await resultOf(site, 'datastore_create', {
      ...{ resource_id: id, force: true, primary_key: 'id', fields: [{ id: 'id', type: 'int4' }, ...fields] },
      records: Array.from({ length: 14_000 }, (_, nth) => ({ id: nth + 1, ...film(nth + 1) })),
    });
    const pid = await pidAt(site.port);
    await promisify(execFile)('taskset', ['-a', '-cp', '0', String(pid)]);
    const search = `/api/3/action/datastore_search?resource_id=${id}&include_total=false`;
    const paths = {
      filtered: `${search}&filters=%7B%22language_id%22:3%7D&limit=100&sort=id`,
      byKey: `${search}&filters=%7B%22id%22:77%7D`,
      later: `${search}&limit=100&sort=id&offset=7000`,
    };
    return { url: site.url, pid, paths };
  },
};
