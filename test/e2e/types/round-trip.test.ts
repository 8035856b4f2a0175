import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { token } from '../../support/gateway.ts';
import { fewEngines } from '../../support/servers/engines.ts';
import { asFilter, type OpenTables, openTables } from './open-tables.ts';
import { readAll, type Table, tablesOf } from './tables.ts';

/** Ids of the rows that the gateway writes, for each way of writing: the base plus the index of the value. */
const ways = { inserted: 0, updated: 1000, alone: 2000 };
const spelled = (nth: number, spelling: number) => 10_000 + nth * 100 + spelling;
const storing = (nth: number) => 50_000 + nth;
describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const mysql = engine.client === 'mysql';
  const tables = tablesOf(engine);
  const withNames = (some: readonly Table[]) => some.map((table) => [table.name, table] as const);
  const each = withNames(tables);
  const filterable = tables.filter((table) => table.unfilterable === undefined && table.thorough);
  let open: OpenTables;
  let literals: Awaited<ReturnType<typeof readAll>>;

  beforeAll(async () => {
    open = await openTables(engine, tables);
    literals = await readAll(open.database.query, tables, 'fs', mysql);
  });
  afterAll(() => open?.close());

  describe('through the gateway', () => {
    test.each(each)('%s: is shown', async (_, table) => {
      const { at, values, foreign = [], zero = [] } = table;
      const expected = ['null', ...[...values, ...foreign].map(([, shown]) => shown), ...zero.map(() => 'null')];
      const { text } = await open.gateway.call('datastore_search', {
        resource_id: `f${at}`,
        fields: ['v'],
        sort: 'id',
        limit: 1000,
        include_total: false,
      });
      expect(text).toContain(`"records":[${expected.map((json) => `{"v":${json}}`).join(',')}]`);
    });

    test.each(each)('%s: the shown value finds its record, and no other', async (_, table) => {
      const { at, values, foreign = [], zero = [], unfilterable } = table;
      const rows = [...values, ...foreign];
      const nulls = [0, ...zero.map((_zero, nth) => rows.length + 1 + nth)];
      expect(await open.ids(`f${at}`, 'null')).toEqual(nulls);
      if (unfilterable) {
        for (const [, shown] of values) expect(await open.ids(`f${at}`, `{"eq":${shown}}`)).toContain('\\"v\\"');
        return;
      }
      const cases = rows.flatMap(([, ...spellings], nth): (readonly [string, string, readonly number[]])[] =>
        table.thorough || nth === 0
          ? spellings.map((spelling) => [spelling, asFilter(table, spelling), [nth + 1]] as const)
          : [],
      );
      // Every second row, so that a filter that also finds adjacent values is noticed.
      const others = rows.map(([, shown], nth) => [shown, nth + 1] as const).filter((_one, nth) => nth % 2 === 1);
      const every = asList(
        table,
        others.map(([shown]) => shown),
      );
      if (others.length > 0) cases.push([every, every, others.map(([, id]) => id)]);
      const withNull = asList(table, ['null', rows[0]?.[1] ?? '']);
      cases.push([withNull, withNull, [...nulls, 1].sort((a, b) => a - b)]);
      const found = await Promise.all(
        cases.map(async ([spelling, filter]) => [spelling, await open.ids(`f${at}`, filter)]),
      );
      expect(found).toEqual(cases.map(([spelling, , expected]) => [spelling, expected]));
      const all = asList(
        table,
        rows.map(([, shown]) => shown),
      );
      expect(await open.ids(`f${at}`, all)).toEqual(rows.map((_value, nth) => nth + 1));
    });

    test.each(withNames(filterable))('%s: a search for the shown text finds its record', async (_, { at, values }) => {
      const texts = values.map(([, shown], nth) => [JSON.parse(shown), nth + 1] as const);
      // Bytes cannot be searched, and the search syntax has no escape for quotes.
      const searchable = texts.filter(([text]) => typeof text === 'string' && /^(?!\\x)[^"]*\S[^"]*$/.test(text));
      const found = await Promise.all(
        searchable.map(async ([text]) => {
          const q = { v: `"${text}"` };
          const { records } = await open.gateway.result('datastore_search', { resource_id: `f${at}`, q, limit: 1000 });
          return [text, Object(records).map((record: { id: unknown }) => record.id)];
        }),
      );
      expect(found).toEqual(searchable.map(([text, id]) => [text, expect.arrayContaining([id])]));
    });

    // Excluded: bytes have no text, JSON documents are formatted by the server, and MySQL compares only six digits of a FLOAT.
    const textual = filterable.filter(
      ({ column, documents }) => !documents && !/^(bytea|float$|.*(binary|blob|vector))/.test(column),
    );
    test.each(withNames(textual))('%s: the text shown is the text matched', async (_, { at, values, foreign = [] }) => {
      const texts = [...values, ...foreign].map(([, shown], nth) => {
        const text = shown.startsWith('"') ? String(JSON.parse(shown)) : shown;
        return [text, text.replace(/[\\%_]/g, '\\$&'), nth + 1] as const;
      });
      const found = await Promise.all(
        texts.map(async ([text, pattern]) => {
          // The patterns of one filter may have 500 bytes together.
          const [one, other] = [{ like: pattern }, { ilike: pattern }];
          const filters = pattern.length > 200 ? [one, other] : [{ ...one, ...other }];
          const each = await Promise.all(filters.map((filter) => open.ids(`f${at}`, JSON.stringify(filter))));
          return [text, [...new Set(each.map(String))]];
        }),
      );
      expect(found).toEqual(texts.map(([text, , id]) => [text, [String(id)]]));
    });

    test('a dump has the bytes of a search, whether the server or the gateway writes them', async () => {
      const found: unknown[] = [];
      for (const { at, name, thorough } of tables) {
        for (const format of thorough ? ['csv', 'tsv'] : ['csv']) {
          const search = { resource_id: `f${at}`, fields: ['id', 'v'], records_format: format };
          const { records } = await open.gateway.result('datastore_search', search);
          const dump = await fetch(`${open.gateway.url}/datastore/dump/f${at}?fields=id,v&format=${format}`, {
            headers: { Authorization: token },
          });
          found.push([name, await dump.text(), `id${format === 'csv' ? ',' : '\t'}v\n${records}`]);
        }
      }
      const differing = found.filter((one) => Array.isArray(one) && one[1] !== one[2]);
      expect(differing).toEqual([]);
    });

    test.each(each)('%s: is written', async (_, { at, values, stores = [], blank, thorough }) => {
      const record = (id: number, json: string) => `{"id":${id},"v":${json}}`;
      const records = (base: number) => values.map(([, shown], nth) => record(base + nth, shown));
      const resource = `w${at}`;
      const write = async (method: string, list: readonly string[]) => {
        const answer = await open.upsert(resource, method, list);
        expect([answer.status, answer.status === 200 ? '' : `${list} ${answer.text}`]).toEqual([200, '']);
      };
      const spellings = values.flatMap(([, , ...same], nth) =>
        same.map((json, at1) => record(spelled(nth, at1), json)),
      );
      const empty = [...values.keys()].flatMap((nth) => [ways.updated + nth, ways.alone + nth]);
      await write('insert', [
        ...[...records(ways.inserted), ...empty.map((id) => record(id, 'null')), ...spellings],
        ...stores.map(([json], nth) => record(storing(nth), json)),
        ...(blank ? [] : [record(storing(1000), '""')]),
      ]);
      await write('upsert', records(ways.updated));
      for (const one of thorough ? records(ways.alone).map((record) => [record]) : [records(ways.alone)])
        await write('update', one);
    });

    test.each(withNames(filterable))('%s: the shown value deletes its record, and no other', async (_, table) => {
      const { at, values, foreign = [], zero = [], beyond = [] } = table;
      const rows = [...values, ...foreign].map(([, shown], nth) => [shown, nth + 1] as const);
      let stored = Array.from({ length: rows.length + zero.length + 1 }, (_id, id) => id);
      // Every second row first, so that a filter that also deletes adjacent values is noticed.
      const parts = [1, 0].map((half) => rows.filter((_, nth) => nth % 2 === half));
      for (const part of [beyond.map((json) => [json, -1] as const), ...parts]) {
        for (const [json, id] of part) {
          const answer = await open.gateway.call(
            'datastore_records_delete',
            `{"resource_id":"d${at}","filters":{"v":${asFilter(table, json)}}}`,
          );
          expect([json, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([json, 200, '']);
          stored = stored.filter((one) => one !== id);
        }
        const search = { resource_id: `d${at}`, fields: ['id'], sort: 'id', limit: 1000 };
        const { records } = await open.gateway.result('datastore_search', search);
        expect(records).toEqual(stored.map((id) => ({ id })));
      }
    });
  });

  test.each(each)('%s: SQL reads what the gateway wrote', async (_, table) => {
    written ??= await readAll(open.database.query, tables, 'w', mysql);
    const literal = (id: number) => literals.get(`f${table.at}`)?.get(id);
    const expected = new Map<number, string | null | undefined>();
    for (const [nth, [, , ...same]] of table.values.entries()) {
      for (const base of Object.values(ways)) expected.set(base + nth, literal(nth + 1));
      for (const at of same.keys()) expected.set(spelled(nth, at), literal(nth + 1));
    }
    for (const nth of table.stores?.keys() ?? []) expected.set(storing(nth), literals.get(`s${table.at}`)?.get(nth));
    if (!table.blank) expected.set(storing(1000), null);
    const sorted = (rows: Iterable<readonly [number, unknown]>) => [...rows].sort(([a], [b]) => a - b);
    expect(sorted(written.get(`w${table.at}`) ?? [])).toEqual(sorted(expected));
  });
  let written: Awaited<ReturnType<typeof readAll>> | undefined;
});

function asList({ documents }: Table, all: readonly string[]): string {
  const list = `[${all.join(',')}]`;
  return documents ? `{"in":${list}}` : list;
}
