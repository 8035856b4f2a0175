import { expect, test } from 'vitest';
import { datastore_search } from '../../../src/actions/index.ts';
import { listed } from '../../../src/actions/table_metadata/query.ts';
import { tableMetadata, tableRows } from '../../../src/actions/table_metadata/table.ts';
import { noMetadata } from '../../../src/model/metadata.ts';
import type { Json } from '../../../src/model/value.ts';
import { planOf } from '../../support/drained.ts';
import { bounds, identity, reads } from '../../support/table.ts';

const access = { read: 'public', write: 'none', deleteAll: false, aggregate: true, sql: false } as const;
const facts = { title: '', description: '', metadata: noMetadata, access, may: reads, table: null, identity };
const rows = tableRows([
  { id: 'films', aliases: ['movies', '100% cinema'], ...facts },
  { id: 'Ämter', aliases: [], ...facts },
]);
function found(params: Record<string, Json>) {
  const started = datastore_search.start({ resource_id: '_table_metadata', fields: ['name'], ...params }, bounds);
  const plan = planOf(started.plan({ id: '_table_metadata', access, table: tableMetadata }, null));
  if (plan.effect !== 'read') throw new Error('no search');
  const { cells, total } = listed(plan, rows);
  return { names: cells.map(([name]) => name), total: total?.count };
}

test.each<[string, Record<string, Json>, readonly string[]]>([
  ['everything, by name', {}, ['100% cinema', 'films', 'movies', 'Ämter']],
  ['sorted with nulls first', { sort: 'alias_of nulls first, name desc' }, ['Ämter', 'films', 'movies', '100% cinema']],
  ['sorted down', { sort: 'alias_of desc nulls last' }, ['100% cinema', 'movies', 'films', 'Ämter']],
  ['equality', { filters: { alias_of: 'films' } }, ['100% cinema', 'movies']],
  ['null', { filters: { alias_of: null } }, ['films', 'Ämter']],
  ['not', { filters: { alias_of: { ne: 'films' } } }, ['films', 'Ämter']],
  ['ranges', { filters: { name: { gte: 'films', lt: 'movies' } } }, ['films']],
  ['or', { filters: { $or: [{ name: 'films' }, { name: { gt: 'movies' } }] } }, ['films', 'Ämter']],
  ['like, whose wildcards may be meant', { filters: { name: { like: '%\\%%' } } }, ['100% cinema']],
  ['like of one character', { filters: { name: { like: '_ilm_' } } }, ['films']],
  ['like, to the letter', { filters: { name: { like: 'ä%' } } }, []],
  ['ilike', { filters: { name: { ilike: 'ä%' } } }, ['Ämter']],
  ['like of nothing', { filters: { name: { like: '' } } }, []],
  ['q in any column', { q: 'FILMS' }, ['100% cinema', 'films', 'movies']],
  ['q with several words', { q: 'films mov' }, ['movies']],
  ['q in one column', { q: { name: 'ÄM' } }, ['Ämter']],
  ['q that wants nothing of the kind', { q: '!films', plain: false }, ['Ämter']],
])('%s', (_, params, names) => {
  const got = found({ ...params, limit: 10 });
  expect([...got.names].sort()).toEqual([...names].sort());
  if (params.q === undefined) expect(got.names).toEqual(names);
  expect(got.total).toBe(names.length);
});

test('a pattern of many wildcards is no way to stop the gateway', () => {
  const started = process.cpuUsage();
  const name = 'a'.repeat(200);
  const asked = datastore_search.start(
    { resource_id: '_table_metadata', filters: { name: { like: `${'%a'.repeat(100)}%b` } } },
    { ...bounds, qBytes: 1000 },
  );
  const plan = planOf(asked.plan({ id: '_table_metadata', access, table: tableMetadata }, null));
  if (plan.effect !== 'read') throw new Error('no search');
  expect(listed(plan, tableRows([{ id: name, aliases: [], ...facts }])).cells).toEqual([]);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(500);
});

test('a name keeps its numbers, and no two have the same', () => {
  expect(rows[0]).toEqual(tableRows([{ id: 'films', aliases: [], ...facts }])[0]);
  expect(new Set(rows.map(({ _id }) => _id)).size).toBe(rows.length);
  expect(rows.every(({ _id, oid }) => /^[0-9a-f]{16}$/.test(_id ?? '') && /^\d+$/.test(oid ?? ''))).toBe(true);
});
