/** Attack: widen the filter by a claim that is missing, of another shape, or of a name that objects have anyway. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSharedTables, recordsIn, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

const access = { read: 'token', write: 'token', deleteAll: true };
/** Writes a reference to a claim as the configuration does. */
const claim = (name: string) => `\${claim.${name}}`;
/** The filters that a claim is a value of. */
const wheres: Readonly<Record<string, object>> = {
  number: { tenant: claim('value') },
  text: { region: claim('value') },
  day: { day: claim('value') },
  not: { tenant: { ne: claim('value') } },
  above: { n: { gt: claim('value') } },
  among: { tenant: { in: claim('value') } },
  'not-among': { tenant: { nin: claim('value') } },
  'text-among': { region: { in: claim('value') } },
  nested: { tenant: claim('a.b') },
  either: { $or: [{ tenant: claim('value') }, { id: 999 }] },
};
const resourceOf = (where: object) => ({ database: 'db', table: 'line', access, where });

/** A caller's claims as JSON text. */
type Claims = string;
const refused = 'refused';
type Outcome = typeof refused | readonly number[];

const seven = [1, 2, 3, 4, 5, 6];
const eight = [11, 12, 13, 14, 15, 16];
/** What a resource shows for claims. */
const cases: readonly (readonly [resource: string, claims: Claims, outcome: Outcome])[] = [
  // A claim of the right shape is the control of this test.
  ['number', '{"value": 7}', seven],
  ['number', '{"value": "7"}', seven],
  ['text', '{"value": "north"}', [1, 4, 11, 14, 21]],
  ['not', '{"value": 8}', [...seven, 21]],
  ['above', '{"value": 100}', [16]],
  ['among', '{"value": [7]}', seven],
  ['among', '{"value": [7, 8]}', [...seven, ...eight]],
  ['text-among', '{"value": ["north", "east"]}', [1, 4, 11, 14, 21]],
  ['nested', '{"a": {"b": 7}}', seven],
  ['either', '{"value": 7}', seven],
  // One value is a list of one where a list is asked for: some identity providers send it so.
  ['among', '{"value": 7}', seven],
  ['text-among', '{"value": "north"}', [1, 4, 11, 14, 21]],
  // A list is any of its values, as in `filters`.
  ['number', '{"value": [7]}', seven],
  ['number', '{"value": []}', []],
  ['either', '{"value": []}', []],
  // An empty list finds nothing.
  ['among', '{"value": []}', []],
  ['text-among', '{"value": []}', []],
  // Texts that mean more elsewhere.
  ['text', '{"value": "%"}', []],
  ['text', '{"value": "north\' OR 1=1 --"}', []],
  ['text', '{"value": ""}', []],
  ['text-among', '{"value": ["%", "_orth"]}', []],
  ...[...Object.keys(wheres)].flatMap((resource) =>
    [
      '{}',
      '{"value": null}',
      '{"value": {}}',
      '{"value": {"ne": 1}}',
      '{"value": {"gt": 0}}',
      '{"value": {"null": false}}',
      '{"value": [[]]}',
      '{"value": [{}]}',
      '{"value": [null]}',
      '{"value": [7, {"ne": 1}]}',
      '{"constructor": {"value": 7}, "toString": 7}',
      '{"VALUE": 7, "a.b": 7}',
    ].map((claims) => [resource, claims, refused] as const),
  ),
  // They do not convert to the type of the column.
  ['number', '{"value": "%"}', refused],
  ['number', '{"value": "7 OR 1=1"}', refused],
  ['number', '{"value": ""}', refused],
  ['day', '{"value": "yesterday"}', refused],
  ['day', '{"value": 7}', refused],
  ['above', '{"value": "n"}', refused],
  ['among', '{"value": ["7", "x"]}', refused],
  ['not', '{"value": "x"}', refused],
  ['not-among', '{"value": ["x"]}', refused],
  // A list is no value of an operator of one.
  ['not', '{"value": []}', refused],
  ['above', '{"value": [1, 2]}', refused],
  ['nested', '{"a": 7}', refused],
  ['nested', '{"a": [7]}', refused],
  ['nested', '{"a": "text"}', refused],
];
/** Names that every object has without being told. */
const inherited = ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'constructor.name', 'toString.length'];

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** The token of a caller with these claims. */
const callerOf = (claims: Claims) => `token-${sha256(claims)}`;
const tokenOf = (name: string, claims: Claims, nth: number) => ({
  ...{ name: `caller-${nth}`, sha256: sha256(name), read: ['*'], write: ['*'] },
  claims: JSON.parse(claims),
});
const large = `{"value": "${'north'.repeat(200_000)}"}`;
const largeList = `{"value": [${Array.from({ length: 100_000 }, (_, nth) => `"x${nth}"`)}]}`;

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    const all = new Set([...cases.map(([, claims]) => claims), large, largeList]);
    shared = await openSharedTables(engine, {
      resources: Object.fromEntries([
        ...Object.entries(wheres).map(([name, where]) => [name, resourceOf(where)]),
        ...inherited.map((name, nth) => [`inherited-${nth}`, resourceOf({ code: claim(name) })]),
        ...inherited.map((name, nth) => [`inherited-list-${nth}`, resourceOf({ code: { nin: claim(name) } })]),
      ]),
      tokens: [...all].map((claims, nth) => tokenOf(callerOf(claims), claims, nth)),
    });
  });
  afterAll(() => shared?.close());

  const call = (claims: Claims, action: string, params: object) =>
    shared.gateway.call(action, params, callerOf(claims));
  /** Makes each kind of call, none of which may see or change a row. */
  const expectRefused = async (resource_id: string, claims: Claims) => {
    const before = await shared.stored('line');
    for (const [action, params] of [
      ['datastore_search', {}],
      ['datastore_aggregate', { by: 'name' }],
      ['datastore_info', {}],
      ['datastore_upsert', { records: [{ id: 1, name: 'x' }] }],
      ['datastore_records_delete', { filters: { id: { gt: 0 } } }],
    ] as const) {
      const { status, text } = await call(claims, action, { resource_id, ...params });
      expect([claims, action, status, text]).toEqual([
        ...[claims, action, 403, expect.stringContaining('this token does not say which rows')],
      ]);
      expect(text).not.toMatch(/tenant|region|claim/);
    }
    const { status, body } = await shared.get('truth', `/datastore/dump/${resource_id}`, {
      Authorization: callerOf(claims),
    });
    expect([status, body.toString()]).toEqual([403, expect.not.stringMatching(/line|tenant|region|claim/)]);
    expect(await shared.stored('line')).toEqual(before);
  };

  test.each(cases)('%s with %s shows the rows of the claim or none: %j', async (resource_id, claims, outcome) => {
    if (outcome === refused) return expectRefused(resource_id, claims);
    const { status, text } = await call(claims, 'datastore_search', { resource_id, sort: 'id' });
    expect([status, text]).toEqual([200, expect.any(String)]);
    const { result } = JSON.parse(text);
    expect([recordsIn(result.records).map(({ id }) => id), result.total]).toEqual([outcome, outcome.length]);
  });

  test.each(inherited.map((name, nth) => [name, nth] as const))('the claim %s is not inherited', async (_, nth) => {
    for (const claims of ['{}', '{"value": 7}', '{"a": 7}'] as const) {
      await expectRefused(`inherited-${nth}`, claims);
      await expectRefused(`inherited-list-${nth}`, claims);
    }
  });

  test('claims with a member __proto__ are refused at start', async () => {
    for (const claims of [
      '{"__proto__": {"value": 7}}',
      '{"a": {"__proto__": {"b": 7}}}',
      '{"value": {"__proto__": 7}}',
    ]) {
      await expect(async () => shared.reload({ tokens: [tokenOf('proto', claims, 0)] })).rejects.toThrow('__proto__');
    }
  });

  test('a number is no text of a column of texts, and a claim of a megabyte finds nothing', async () => {
    for (const [resource_id, claims] of [
      ['text', '{"value": 7}'],
      ['text', large],
      ['text-among', largeList],
    ] as const) {
      const { status, text } = await call(claims, 'datastore_search', { resource_id });
      expect([200, 403]).toContain(status);
      if (status === 200) expect(JSON.parse(text).result).toMatchObject({ records: [], total: 0 });
    }
    // The gateway goes on with others.
    expect((await shared.result('seven', 'datastore_search', { resource_id: 'lines' })).total).toBe(seven.length);
  });
});
