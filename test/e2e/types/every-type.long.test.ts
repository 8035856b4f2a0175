/** A value of every type of the server, including those that no application uses: none may cause a 500. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpFormats } from '../../../src/model/http.ts';
import { fetched } from '../../support/fetched.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { cellsOf, unzip } from '../../support/unzip.ts';

/** A literal of each type. An array of the type contains it twice, and a NULL. */
const postgres: Readonly<Record<string, string>> = {
  ...{ bool: 'true', bytea: '\\x00ff', '"char"': 'x', name: 'a,"b', text: 'a\\"b,{c}', bpchar: 'a ', varchar: 'a b' },
  ...{ int2: '-1', int4: '-2', int8: '-3', oid: '4294967295', numeric: '1e-20', float4: '1e30', float8: '-1e300' },
  ...{
    money: '-1234.5',
    bit: '1',
    varbit: '0101',
    uuid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    xml: '<a b="c">d</a>',
  },
  ...{ json: '{"a":[1,"b"]}', jsonb: '{"a":[1,"b"]}', jsonpath: '$.a[*] ? (@ > 1)' },
  ...{ date: 'infinity', time: '24:00', timetz: '01:02:03.4+05:30', interval: '1 year -2 days 03:04:05.6' },
  ...{ timestamp: '0044-03-15 12:00 BC', timestamptz: '10000-01-01 12:00+00' },
  ...{ point: '(1,2)', lseg: '[(1,2),(3,4)]', path: '((1,2),(3,4))', box: '(3,4),(1,2)', line: '{1,2,3}' },
  ...{ polygon: '((1,2),(3,4),(5,6))', circle: '<(1,2),3>' },
  ...{ inet: '::1/64', cidr: '10.0.0.0/8', macaddr: '08:00:2b:01:02:03', macaddr8: '08:00:2b:01:02:03:04:05' },
  ...{ tsvector: "'it''s':1A 'b':2", tsquery: "'a' & !'b':*A", int2vector: '1 -2 0', oidvector: '1 4294967295' },
  ...{ int4range: '[1,5)', int8range: 'empty', numrange: '(,1.5]', daterange: '[2020-01-01,)' },
  ...{ tsrange: '["2020-01-01 01:02:03",)', tstzrange: '(,"2020-01-01 01:02:03+00")', textrange: '["a,b","c""d"]' },
  ...{
    int4multirange: '{[1,2),[4,5)}',
    int8multirange: '{}',
    nummultirange: '{(1.5,2.5)}',
    textmultirange: '{["a,b",c]}',
  },
  ...{ datemultirange: '{[2020-01-01,)}', tsmultirange: '{(,"2020-01-01 01:02:03")}', tstzmultirange: '{(,)}' },
  ...{ pg_lsn: '16/B374D848', xid: '7', xid8: '18446744073709551615', cid: '3', tid: '(0,1)', refcursor: 'a' },
  ...{ pg_snapshot: '10:20:10,14', txid_snapshot: '10:20:10,14', aclitem: 'pg_monitor=r/pg_monitor' },
  ...{ regclass: 'pg_class', regproc: 'now', regprocedure: 'now()', regoper: '||/', regoperator: '+(integer,integer)' },
  ...{ regtype: 'integer', regnamespace: 'pg_catalog', regconfig: 'english' },
  ...{ regdictionary: 'simple', regcollation: 'pg_catalog."C"' },
  ...{ mood: 'it\'s "ok", {no}', pair: '(1,"a ""b"", c")', list: '{1,NULL,3}', vector: '3 4', tag: '"x"' },
};
/** Types without input syntax, and types whose values exist only in the catalogue. */
const catalogue: Readonly<Record<string, string>> = {
  regrole: "SELECT oid::regrole FROM pg_roles WHERE rolname = 'pg_monitor'",
  pg_node_tree: 'SELECT adbin FROM pg_attrdef LIMIT 1',
  pg_ndistinct: 'SELECT stxdndistinct FROM pg_statistic_ext_data LIMIT 1',
  pg_dependencies: 'SELECT stxddependencies FROM pg_statistic_ext_data LIMIT 1',
  pg_mcv_list: 'SELECT stxdmcv FROM pg_statistic_ext_data LIMIT 1',
};
const ownTypes = `CREATE TYPE textrange AS RANGE (subtype = text); CREATE TYPE mood AS ENUM ('it''s "ok", {no}');
  CREATE TYPE pair AS (a int, b text); CREATE DOMAIN list AS int[]; CREATE DOMAIN vector AS int2vector; CREATE DOMAIN tag AS jsonb;
  CREATE TABLE many (a int DEFAULT 1 + 1, b int); INSERT INTO many SELECT i % 3, i % 3 FROM generate_series(1, 100) i;
  CREATE STATISTICS many_statistics ON a, b FROM many; ANALYZE many;`;
/** Types without an array type. */
const single = new Set(['int2vector', 'oidvector']);
/** Types that a column cannot have, or that have no values. */
const unused = ['pg_brin_bloom_summary', 'pg_brin_minmax_multi_summary', 'gtsvector'];

const mysql: Readonly<Record<string, readonly [type: string, value: string]>> = {
  ...{ tiny: ['tinyint', '-1'], year: ['year', '2155'], zero: ['year', '0'], bit: ['bit(9)', "b'101'"] },
  ...{ set: ["set('a','b.','c')", '5'], enum: ["enum('a','b')", "'b'"], bin: ['binary(3)', "x'00ff'"] },
  ...{ blob: ['longblob', "x'00ff'"], time: ['time(6)', "'-838:59:59'"], big: ['bigint unsigned', '9007199254740991'] },
  ...{ deep: ['decimal(65,30)', '-0.000000000000000000000000000001'], fill: ['int(8) zerofill', '7'] },
  ...{ float: ['float', '1e30'], double: ['double', '-1e300'], date: ['date', "'0001-01-01'"] },
  ...{ at: ['datetime(6)', "'9999-12-31 23:59:59.999999'"], text: ['longtext', `'a"b\\\\'`] },
  ...{
    point: ['point', "ST_GeomFromText('POINT(1 2)')"],
    shape: ['geometry', "ST_GeomFromText('LINESTRING(1 2,3 4)')"],
  },
  ...{ all: ['geometrycollection', "ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 2))')"] },
};
const mariadb: typeof mysql = {
  ...{
    uuid: ['uuid', "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"],
    six: ['inet6', "'::1'"],
    four: ['inet4', "'10.0.0.1'"],
  },
  ...{ doc: ['json', `'{"a":[1]}'`] },
};
const mysql9: typeof mysql = { doc: ['json', `'{"a":[1]}'`], vector: ['vector(2)', 'TO_VECTOR("[1,2]")'] };

/** Creates a view or table `t` with a record of values and one of NULLs. */
async function furnish(database: FreshDatabase, name: string): Promise<void> {
  if (name !== 'postgres' && name !== 'pglite') {
    const more = name === 'mariadb' ? mariadb : name === 'mysql' ? mysql9 : {};
    const columns = Object.entries({ ...mysql, ...more });
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, ${columns.map(([key, [type]]) => `\`${key}\` ${type}`)})`);
    await database.exec(`INSERT INTO t VALUES (1, ${columns.map(([, [, value]]) => value)})`);
    await database.exec('INSERT INTO t (id) VALUES (2)');
    return;
  }
  await database.exec(ownTypes);
  const typeNames = new Set((await database.query('SELECT format_type(oid, NULL), typname FROM pg_type')).flat());
  const literals = Object.entries(postgres).filter(([type]) => typeNames.has(type));
  const columns = [
    ...literals.map(([type, text]) => [type, `'${text.replaceAll("'", "''")}'::${type}`]),
    ...literals
      .filter(([type]) => !single.has(type))
      .map(([type, text]) => [
        `${type}[]`,
        `ARRAY['${text.replaceAll("'", "''")}', NULL, '${text.replaceAll("'", "''")}']::${type}[]`,
      ]),
    ['int2vector[]', "ARRAY['1 2', '3']::int2vector[]"],
    ...Object.entries(catalogue).map(([type, query]) => [type, `(${query})`]),
  ];
  const selected = columns.map(([type = '', value]) => `${value} AS "${type.replaceAll('"', '')}"`);
  await database.exec(`CREATE VIEW v AS SELECT 1 AS id, ${selected.join(', ')}`);
  const nulls = columns.map(([type = '']) => `(x)."${type.replaceAll('"', '')}"`);
  await database.exec(
    `CREATE VIEW t AS SELECT * FROM v UNION ALL SELECT 2, ${nulls.join(', ')} FROM (SELECT NULL::v AS x) nulls`,
  );
}

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (name, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await furnish(database, name);
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { t: { database: 'db', table: 't', key: ['id'] } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const record = async (id: number) => {
    const { records } = await gateway.result('datastore_search', { resource_id: 't', filters: { id } });
    const [only = {}] = Array.isArray(records) ? records : [];
    return Object.entries(Object(only));
  };

  test('a search shows each value, and null for NULL', async () => {
    for (const [name, value] of await record(1)) expect([name, value]).not.toEqual([name, null]);
    for (const [name, value] of (await record(2)).slice(2)) expect([name, value]).toEqual([name, null]);
  });

  test.runIf(engine.client !== 'mysql')('no type of the server is forgotten', async () => {
    const all = `SELECT typname FROM pg_type WHERE typtype IN ('b', 'r', 'm') AND typoutput <> 'array_out'::regproc`;
    const forgotten = (await database.query(all)).map(([type = '']) => String(type));
    const covered = new Set([
      ...Object.keys(postgres).map((type) => type.replaceAll('"', '')),
      ...Object.keys(catalogue),
      ...unused,
    ]);
    expect(forgotten.filter((type) => !covered.has(type))).toEqual([]);
  });

  test.each(dumpFormats)('a download has all of them: %s', async (format) => {
    const url = `${gateway.url}/datastore/dump/t?format=${format}&geometry=id,id`;
    const { status, isWhole, body } = await fetched(url);
    expect([status, isWhole]).toEqual([200, true]);
    if (format === 'parquet') {
      const [, nulls = ''] = /null_for[^{]*(\{(?:"[^"]+":\{[^}]*\},?)*\})/.exec(body.toString('latin1')) ?? [];
      // Parquet has no infinite day, and no 24:00.
      const lost = { date: { infinity: 1 }, time: { other: 1 }, 'date[]': { infinity: 2 }, 'time[]': { other: 2 } };
      expect(JSON.parse(nulls)).toEqual(engine.client === 'mysql' ? {} : lost);
    }
    if (format !== 'xlsx') return;
    const [names = [], values = []] = cellsOf(unzip(body).get('xl/worksheets/sheet1.xml') ?? '');
    expect(names.filter((_, nth) => values[nth] === null)).toEqual([]);
  });

  test('a filter by the value that is shown finds its record, or is refused', async () => {
    for (const [name, value] of await record(1)) {
      const filters = { [name]: Array.isArray(value) ? [value] : value };
      const { status, text } = await gateway.call('datastore_search', { resource_id: 't', fields: ['id'], filters });
      expect([name, status, text]).toEqual([name, expect.toSatisfy((one) => one === 200 || one === 409), text]);
      if (status === 200) expect([name, JSON.parse(text).result.total]).toEqual([name, 1]);
    }
  });

  test.runIf(engine.client !== 'mysql')('vectors are arrays', async () => {
    const shown = Object.fromEntries(await record(1));
    expect(shown).toMatchObject({ int2vector: [1, -2, 0], oidvector: [1, 4294967295], vector: [3, 4] });
    for (const filters of [{ int2vector: [[1, -2, 0]] }, { oidvector: [[1, 4294967295]] }, { vector: { gte: [3, 4] } }])
      expect(await gateway.result('datastore_search', { resource_id: 't', filters })).toMatchObject({ total: 1 });
  });

  test('each sorts, is searched and grouped, or is refused', async () => {
    for (const [name] of await record(1)) {
      const more = [{ sort: name }, { q: { [name]: '1' } }, { distinct: true }];
      for (const one of more) {
        const { status, text } = await gateway.call('datastore_search', { resource_id: 't', fields: [name], ...one });
        expect([one, status, text]).toEqual([one, expect.toSatisfy((one) => one === 200 || one === 409), text]);
      }
      const { status, text } = await gateway.call('datastore_aggregate', { resource_id: 't', by: [name] });
      expect([name, status, text]).toEqual([name, expect.toSatisfy((one) => one === 200 || one === 409), text]);
    }
  });
});
