import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as drivers from '../../../src/execute/drivers/index.ts';
import type { Statement } from '../../../src/model/rows.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';

const tested = servers().filter(({ client }) => client === 'postgres');

describe.each(byName(tested))('templates on %s', (_, engine) => {
  let fresh: ServerDatabase;
  let client: pg.Client;
  type Run = (
    statement: Statement,
  ) => Promise<{ readonly cells: readonly (readonly unknown[])[]; readonly found: number }>;
  let run: Run;
  let short: Run;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec('CREATE TABLE film (id int, at timestamp)');
    await fresh.exec("INSERT INTO film VALUES (1, '2020-01-01')");
    const { hostname, port, username, password, pathname } = new URL(fresh.url);
    const entry = { host: hostname, port: Number(port), user: username, password: password || null };
    const driver = await drivers.postgres({ ...entry, database: pathname.slice(1), socketPath: null, tls: null });
    client = new pg.Client(fresh.url);
    await client.connect();
    run = (statement) => driver.run(client, statement, 1_000_000);
    short = (statement) => driver.run(client, statement, null);
  });
  afterAll(async () => {
    await client?.end();
    await fresh?.drop();
  });
  const parsed = async () => {
    const { cells } = await run({ text: 'SELECT statement FROM pg_prepared_statements', values: [] });
    return cells.map(([text]) => text);
  };

  test('each is parsed once, and a session keeps the last twenty', async () => {
    const template = {};
    const first = (value: string) => run({ text: 'SELECT $1::text, 0', values: [value], template });
    const texts = Array.from({ length: 30 }, (_, nth) => `SELECT $1::text, ${nth + 1}`);
    for (const [nth, text] of texts.entries()) {
      expect((await first(`of ${nth}`)).cells).toEqual([[`of ${nth}`, '0']]);
      const one = { text, values: ['a value'], template: { nth } };
      for (let time = 0; time < 2; time++) expect((await run(one)).cells).toEqual([['a value', `${nth + 1}`]]);
    }
    await first('last');
    expect(new Set(await parsed())).toEqual(new Set(['SELECT $1::text, 0', ...texts.slice(-19)]));
    expect(await parsed()).toHaveLength(20);
  });

  test('one with a short answer, such as what a commit marker is asked for, is parsed once, too', async () => {
    const text = 'SELECT $1::text, 99';
    for (let time = 0; time < 2; time++) {
      const { cells } = await short({ text, values: ['a value'], template: short });
      expect(cells).toEqual([['a value', '99']]);
    }
    expect(await parsed()).toContain(text);
  });

  test('two texts of one template, and equal texts of two, are statements of their own', async () => {
    const template = {};
    for (const text of ['SELECT $1::text, 1', 'SELECT $1::text, 2', 'SELECT $1::text, 1'])
      expect((await run({ text, values: ['x'], template })).cells).toEqual([['x', text.slice(-1)]]);
    await fresh.exec('CREATE TABLE moment (at timestamp)');
    const text = 'INSERT INTO moment VALUES ($1)';
    await run({ text, values: ['2020-01-01 00:00+02'], template: {} });
    await fresh.exec('ALTER TABLE moment ALTER at TYPE timestamptz');
    await run({ text, values: ['2020-01-01 00:00+02'], template: {} });
    expect(await fresh.query("SELECT (at AT TIME ZONE 'UTC')::text FROM moment ORDER BY at")).toContainEqual([
      '2019-12-31 22:00:00',
    ]);
  });

  test('one that is refused is parsed again: its table may have changed', async () => {
    const set = { text: "UPDATE film SET at = '2021-01-01' WHERE id = $1", values: ['1'], template: {} };
    expect((await run(set)).found).toBe(1);
    await fresh.exec('ALTER TABLE film ALTER id TYPE text');
    await expect(run(set)).rejects.toMatchObject({ code: '42883' });
    expect((await run(set)).found).toBe(1);
  });

  test('none is named any more where a pooler has taken another session', async () => {
    const one = { text: 'SELECT $1::text', values: ['x'], template: {} };
    await run(one);
    await run({ text: 'DEALLOCATE ALL', values: [] });
    for (let time = 0; time < 3; time++) expect((await run(one)).cells).toEqual([['x']]);
    expect(await parsed()).toEqual([]);
  });
});
