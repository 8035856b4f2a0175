import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Read, Where } from '../../../src/model/plan.ts';
import type { Column, Table } from '../../../src/model/table.ts';
import type { BoundValue } from '../../../src/model/value.ts';
import { convert, identity } from '../../../src/values/convert.ts';
import { parseJson } from '../../../src/values/json.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { everywhere, onlyMysql, onlyPostgres, type Values } from './values.ts';

const prepare = `CREATE TYPE enum_of AS ENUM ('a', 'it''s', 'Ü, b'); CREATE DOMAIN a_domain AS varchar(3);`;

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (name, engine) => {
  const isMysql = engine.client === 'mysql';
  const typeOf = (values: Values) => (isMysql ? values.mysql : values.postgres) ?? '';
  const all = [...everywhere, ...(isMysql ? onlyMysql : onlyPostgres)].filter(
    (values) => name !== 'pglite' || typeOf(values) !== 'citext',
  );
  const cases = all.map((values, nth) => [`${typeOf(values)} ${values.json.join('   ')}`, `c${nth}`, values] as const);
  let fresh: FreshDatabase;
  let opened: Opened;
  let table: Table;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    if (!isMysql) await fresh.exec(name === 'pglite' ? prepare : `CREATE EXTENSION citext; ${prepare}`);
    const columns = all.map((values, nth) => `c${nth} ${typeOf(values)}`);
    await fresh.exec(
      `CREATE TABLE v (id integer PRIMARY KEY, ${columns.join(', ')})${isMysql ? ' CHARACTER SET utf8mb4' : ''}`,
    );
    opened = await open(fresh);
    const booleans = all.flatMap(({ boolean }, nth) =>
      boolean?.includes(isMysql ? 'mysql' : 'postgres') ? [[`c${nth}`, { boolean: true }]] : [],
    );
    table = await opened.table({ table: 'v', columns: Object.fromEntries(booleans) });
  });
  afterAll(async () => {
    await opened?.close();
    await fresh?.drop();
  });

  const columnNamed = (label: string): Column => {
    const column = table.columns.find((candidate) => candidate.label === label);
    if (column === undefined) throw new Error(label);
    return column;
  };
  const found = async (column: Column, where: Where) => {
    const read: Read = {
      ...{ effect: 'read', table, columns: [columnNamed('id'), column], format: 'objects', where, searches: [] },
      ...{
        sort: [{ by: columnNamed('id'), direction: 'asc', nulls: 'last' }],
        limit: 100,
        offset: 0,
        total: false,
        after: null,
        distinct: false,
        withCursor: false,
      },
    };
    return (await opened.run(opened.dialect.search(read))).cells;
  };

  test.each(cases)('%s', async (_, label, values) => {
    const column = columnNamed(label);
    const id = columnNamed('id');
    const pairs = values.json.map((line) => {
      const [sent = '', back = sent] = line.split(' → ');
      const converted = convert(parseJson(sent, 10), column.type);
      if (converted.is !== 'value') throw new Error(converted.text);
      return { back, value: converted.value };
    });
    const rows = pairs.map(({ value }, nth): readonly BoundValue[] => [String(nth), value]);
    await opened.run({ text: 'DELETE FROM v', values: [] });
    const encoder = opened.dialect.encoder(column);
    const shown = async () => (await found(column, { op: 'all', of: [] })).map((row) => encoder.json(row[1] ?? null));

    const inserted = await opened.run(opened.dialect.insert(table, [id, column], rows, [column]));
    const tells = opened.dialect.returning.insert;
    expect(inserted.cells.map(([cell = null]) => encoder.json(cell))).toEqual(
      tells ? pairs.map(({ back }) => back) : [],
    );
    expect(await shown()).toEqual(pairs.map(({ back }) => back));

    // UPDATE binds values in another way; it must not truncate or round either.
    await opened.run({ text: `UPDATE v SET ${label} = NULL`, values: [] });
    expect(await shown()).toEqual(pairs.map(() => 'null'));
    await opened.run(opened.dialect.update(table, [id], [column], rows));
    expect(await shown()).toEqual(pairs.map(({ back }) => back));
    const locked = opened.dialect.lockedUpdate(table, [id], [column]);
    await opened.run({ text: `UPDATE v SET ${label} = NULL`, values: [] });
    const answer = locked === null ? null : await opened.run(locked.statement(rows));
    // For a single record the answer has no count.
    if (rows.length > 1) expect(answer && locked?.found(answer)).toBe(rows.length);
    expect(await shown()).toEqual(pairs.map(({ back }) => back));

    for (const [nth, { back, value }] of pairs.entries()) {
      const equal = await found(column, { op: 'in', column, values: [value] });
      expect(equal.map((row) => encoder.json(row[1] ?? null))).toContain(back);
      expect(new Set(equal.map((row) => encoder.json(row[1] ?? null))), `= ${back}`).toEqual(new Set([back]));
      const other = pairs[(nth + 1) % pairs.length]?.value ?? value;
      const either = (await found(column, { op: 'in', column, values: [value, other] })).map((row) => Number(row[0]));
      expect(either, `IN (${back}, …)`).toEqual(expect.arrayContaining([nth, (nth + 1) % pairs.length]));
      // A stored key is recognized by its text.
      const cell = equal.find((row) => Number(row[0]) === nth)?.[1] ?? null;
      const again = convert(encoder.plain(cell) ?? '', column.type);
      if (column.type.kind !== 'opaque' && column.type.kind !== 'array')
        expect(again.is === 'value' && identity(again.value, column.type)).toBe(identity(value, column.type));
    }
  });
});
