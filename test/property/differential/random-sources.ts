/** Random FROM, WHERE and aggregates over the tables of `sales.ts`. */
import type { Random } from '../../support/random.ts';
import { RandomExpressions } from './random-expressions.ts';
import { type Fields, type Kind, kinds } from './random-words.ts';

/** Where records come from. `key`: fields that no two records share; empty if there are none. */
export interface RandomSource {
  readonly from: string;
  readonly before: string;
  readonly fields: Fields;
  readonly key: readonly string[];
}

const none: Fields = { int: [], decimal: [], float: [], text: [], bool: [], time: [], date: [] };

const sales = (of: string): Fields => ({
  int: [`${of}qty`, `${of}qty`, `${of}id`, `${of}big`],
  decimal: [`${of}price`],
  float: [`${of}ratio`],
  text: ['region', 'kind', 'note', 'region_bin'].map((one) => of + one),
  bool: [`${of}flag`],
  time: [`${of}at`],
  date: [`${of}day`],
});

const joined = (left: Fields, right: Partial<Fields>): Fields => ({
  ...none,
  ...Object.fromEntries(kinds.map((kind) => [kind, [...left[kind], ...(right[kind] ?? [])]])),
});

/** The table, or a join, or a subquery. */
export function randomSource(random: Random): RandomSource {
  const source = random.isIn(0.65)
    ? plain
    : random.one([joinedRegions, selfJoin, groupsJoined, subquery, subquery, withQuery]);
  return source(random);
}

const plain = (random: Random): RandomSource => ({
  ...{ from: 'sales', before: '', key: ['id'] },
  fields: sales(random.isIn(0.2) ? 'sales.' : ''),
});

const joinedRegions = (random: Random): RandomSource => ({
  from: `sales s ${random.one(['JOIN', 'LEFT JOIN'])} regions r ON r.code = ${random.one(['s.region', 's.region', 's.region_bin'])}`,
  before: '',
  fields: joined(sales('s.'), { text: ['r.code', 'r.name'], decimal: ['r.pop'] }),
  key: ['s.id'],
});

function selfJoin(random: Random): RandomSource {
  const fields = joined(sales('s.'), sales('t.'));
  const on = random.isIn(0.5) ? ` AND ${new RandomExpressions(random, fields).of('bool', 1)}` : '';
  return {
    ...{ from: `sales s ${random.one(['JOIN', 'LEFT JOIN'])} sales t ON s.qty = t.id${on}`, before: '', fields },
    key: ['s.id', 't.id'],
  };
}

const groupsJoined = (random: Random): RandomSource => ({
  from: `sales s ${random.one(['JOIN', 'LEFT JOIN'])} (SELECT region AS k, count(*) AS n, sum(price) AS p FROM sales GROUP BY region) g ON g.k = s.region`,
  before: '',
  fields: joined(sales('s.'), { text: ['g.k'], int: ['g.n'], decimal: ['g.p'] }),
  key: ['s.id'],
});

const subquery = (random: Random): RandomSource => {
  const { sql, fields, key } = inside(random, 'q.');
  return { from: `(${sql}) q`, before: '', fields, key };
};

const withQuery = (random: Random): RandomSource => {
  const { sql, fields, key } = inside(random, 'w.');
  return { from: 'w', before: `WITH w AS (${sql}) `, fields, key };
};

/** A query inside another one, with the fields that it makes. */
function inside(
  random: Random,
  of: string,
): { readonly sql: string; readonly fields: Fields; readonly key: readonly string[] } {
  const e = new RandomExpressions(random, sales(''));
  const outputs = Array.from({ length: random.from(2, 5) }, (_, nth) => ({ kind: random.one(kinds), name: `v${nth}` }));
  const fields = (own: readonly (typeof outputs)[number][]): Fields => ({
    ...none,
    ...Object.fromEntries(
      kinds.map((kind) => [kind, own.filter((one) => one.kind === kind).map(({ name }) => of + name)]),
    ),
  });
  const values = outputs.map(({ kind, name }) => `${e.of(kind, random.from(0, 2))} AS ${name}`);
  if (random.isIn(0.5)) {
    const sql = `SELECT id, ${values.join(', ')} FROM sales${where(random, e)}`;
    const limit = random.isIn(0.2) ? ' ORDER BY id LIMIT 40' : '';
    return { sql: sql + limit, fields: joined(fields(outputs), { int: [`${of}id`] }), key: [`${of}id`] };
  }
  const made = [aggregate(random, e), aggregate(random, e)].map((one, nth) => ({ ...one, name: `a${nth}` }));
  const list = [...values, ...made.map(({ sql, name }) => `${sql} AS ${name}`)];
  const by = values.map((_, nth) => nth + 1).join(', ');
  return {
    sql: `SELECT ${list.join(', ')} FROM sales${where(random, e)} GROUP BY ${by}`,
    fields: fields([...outputs, ...made]),
    key: [],
  };
}

/** WHERE, or nothing. */
export const where = (random: Random, e: RandomExpressions): string =>
  random.isIn(0.5) ? ` WHERE ${random.isIn(0.1) ? scalar(random, e) : e.of('bool', random.from(1, 2))}` : '';

/** A comparison with the value of a subquery. */
const scalar = (random: Random, e: RandomExpressions): string =>
  `${e.number(1)} ${random.one(['<', '>=', '='])} (SELECT ${random.one(['avg(price)', 'max(qty)', 'min(id)', 'sum(qty)', 'count(*)'])} FROM sales)`;

/** An aggregate, and the kind of its value. */
export function aggregate(random: Random, e: RandomExpressions): { readonly sql: string; readonly kind: Kind } {
  const d = random.from(0, 2);
  const filter = random.isIn(0.2) ? ` FILTER (WHERE ${e.of('bool', 1)})` : '';
  const exact = random.one<'int' | 'decimal'>(['int', 'decimal']);
  const any = random.one<Kind>(['int', 'decimal', 'float', 'time', 'date']);
  return random.one<() => { readonly sql: string; readonly kind: Kind }>([
    () => ({ sql: `count(*)${filter}`, kind: 'int' }),
    () => ({ sql: `count(${e.of(random.one(kinds), d)})${filter}`, kind: 'int' }),
    () => ({ sql: `count(DISTINCT ${e.of(random.one(kinds), d)})${filter}`, kind: 'int' }),
    () => ({ sql: `sum(${e.of(exact, d)})${filter}`, kind: exact }),
    () => ({
      sql: `round(avg(${e.ofSmall().of(exact, Math.min(d, 1))})${filter}, ${random.from(1, 5)})`,
      kind: 'decimal',
    }),
    () => ({ sql: `${random.one(['min', 'max'])}(${e.of(any, d)})${filter}`, kind: any }),
    () => ({ sql: `${random.one(['min', 'max'])}(lower(${e.of('text', d)}))${filter}`, kind: 'text' }),
  ])();
}
