import { expect, test } from 'vitest';
import { complaints, settings } from '../../support/loading.ts';

const yamlOf = (replicas: string, client = 'postgres') => `
databases: { db: { client: ${client}, connection: "${client}://h/d", replicas: ${replicas} } }
resources: { a: { database: db, table: t } }`;
const complaintsOf = (replicas: string, client?: string) =>
  complaints(yamlOf(replicas, client), { PASSWORD: 'hunter2@' }).map((line) =>
    line.replace(/ \(\/my\.yaml:\d+:\d+\)/, ''),
  );
const password = ['$', '{PASSWORD}'].join('');

test('a replica is a URL or a mapping, with its password from outside', () => {
  const two = `["postgres://gw:${password}@r1/d", { host: r2, database: d, password: "${password}" }]`;
  const { replicas } = settings(yamlOf(two), { PASSWORD: 'hunter2@' }).databases.get('db') ?? {};
  expect(replicas).toMatchObject([
    { host: 'r1', port: 5432, database: 'd', password: 'hunter2@' },
    { host: 'r2', port: 5432, database: 'd', password: 'hunter2@' },
  ]);
});

test('each mistake names its replica, and no password', () => {
  expect(complaintsOf('["mysql://gw:hunter2@r/d"]')).toEqual([
    'databases.db.replicas[0] must be a URL that begins with postgres:// or postgresql://, got: (hidden)',
  ]);
  expect(complaintsOf('["postgres://r/d", { database: d, password: hunter2 }]')).toEqual([
    'databases.db.replicas[1] must be a mapping with either host or socketPath, got: a mapping',
  ]);
  expect(complaintsOf('postgres://gw:hunter2@r/d')).toEqual([
    'databases.db.replicas must be a list of connections, got: (hidden)',
  ]);
  expect(complaintsOf(`[${'"postgres://r/d", '.repeat(17)}]`)).toEqual([
    expect.stringContaining('databases.db.replicas must be at most 16 replicas'),
  ]);
});

test('an embedded database has none', () => {
  const embedded = `databases: { db: { client: pglite, replicas: [] } }\nresources: { a: { database: db, table: t } }`;
  expect(complaints(embedded).join()).toContain('databases.db.replicas');
});
