/** Random SELECTs over the tables of `sales.ts`. */
import type { Random } from '../../support/random.ts';
import { type Fields, type Kind, kinds, RandomExpressions } from './random-expressions.ts';

/** A SELECT, and whether its ORDER BY puts each record in one place. */
export interface RandomQuestion {
  readonly sql: string;
  readonly isOrdered: boolean;
}

/** Where records come from. `key`: fields that no two records share; empty if there are none. */
interface RandomSource {
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

export function randomQuestion(random: Random): RandomQuestion {
  const source = random.isIn(0.65)
    ? plain
    : random.one([joinedRegions, selfJoin, groupsJoined, subquery, subquery, withQuery]);
  const from = source(random);
  return random.isIn(0.55) ? records(random, from) : groups(random, from);
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

const where = (random: Random, e: RandomExpressions): string =>
  random.isIn(0.5) ? ` WHERE ${random.isIn(0.1) ? scalar(random, e) : e.of('bool', random.from(1, 2))}` : '';

/** A comparison with the value of a subquery. */
const scalar = (random: Random, e: RandomExpressions): string =>
  `${e.number(1)} ${random.one(['<', '>=', '='])} (SELECT ${random.one(['avg(price)', 'max(qty)', 'min(id)', 'sum(qty)', 'count(*)'])} FROM sales)`;

function records(random: Random, { from, before, fields, key }: RandomSource): RandomQuestion {
  const e = new RandomExpressions(random, fields);
  const isDistinct = random.isIn(0.15);
  const value = () => (isDistinct ? e.of(random.one(kinds), random.from(0, 3)) : output(random, e));
  const values = Array.from({ length: random.from(1, 3) }, value);
  const list = isDistinct ? values : [...key, ...values];
  const text = `${before}SELECT ${isDistinct ? 'DISTINCT ' : ''}${list.join(', ')} FROM ${from}${where(random, e)}`;
  if (isDistinct || key.length === 0 || random.isIn(0.4)) return { sql: text, isOrdered: false };
  const first = random.isIn(0.4)
    ? e.of(random.one(['int', 'decimal', 'float', 'time', 'date', 'bool']), random.from(0, 1))
    : null;
  const direction = random.one(['', ' DESC', ' NULLS FIRST', ' DESC NULLS LAST']);
  const order = [
    ...(first === null || /^([-\d'(]|true|false|NULL)/.test(first) ? [] : [`${first}${direction}`]),
    ...key,
  ];
  const page = random.isIn(0.5)
    ? ` LIMIT ${random.from(0, 60)}${random.isIn(0.5) ? ` OFFSET ${random.from(0, 90)}` : ''}`
    : '';
  return { sql: `${text} ORDER BY ${order.join(', ')}${page}`, isOrdered: true };
}

/** A quotient has more digits in PostgreSQL, so it is only shown, not computed with. */
const output = (random: Random, e: RandomExpressions): string =>
  random.isIn(0.08)
    ? `${e.of('decimal', 1)} / nullif(${e.of(random.one(['int', 'decimal']), 1)}, 0)`
    : e.of(random.one(kinds), random.from(0, 3));

function aggregate(random: Random, e: RandomExpressions): { readonly sql: string; readonly kind: Kind } {
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

function groups(random: Random, { from, before, fields }: RandomSource): RandomQuestion {
  const e = new RandomExpressions(random, fields);
  const keys = Array.from({ length: random.from(0, 2) }, () => {
    const kind = random.one<Kind>(['text', 'text', 'bool', 'time', 'date', 'int', 'decimal']);
    return { kind, sql: e.of(kind, random.from(0, 2)) };
  });
  const sure = (): string =>
    random.one(['count(*)', 'sum(1)', `max(${fields.int[0] ?? 1})`, `coalesce(sum(${fields.int[0] ?? 1}), 0)`]);
  const measures = Array.from({ length: random.from(1, 3) }, () => aggregate(random, e).sql);
  const more = random.one([
    () => `sum(${e.of('decimal', 1)}) / count(*)`,
    () => `avg(${e.of(random.one(['int', 'decimal']), 1)})`,
    () => `avg(${e.of('float', 0)})`,
    () => `stddev_samp(${e.of(random.one(['int', 'decimal']), 0)})`,
    () => `CASE WHEN count(*) > 3 THEN ${measures[0]} END`,
    () => `sum(${e.of('int', 1)}) / ${random.one(['2', 'count(*)', '7'])}`,
    () => `${sure()} * 2 - ${sure()}`,
    () => `${keys.find(({ kind }) => kind === 'int')?.sql ?? '1'} + ${sure()}`,
  ])();
  const list = [...keys.map(({ sql }) => sql), ...measures, more];
  const by = keys.length === 0 ? '' : ` GROUP BY ${keys.map((_, nth) => nth + 1).join(', ')}`;
  const having = random.isIn(0.25)
    ? ` HAVING ${random.isIn(0.5) ? `${sure()} ${random.one(['>', '<', '<>'])} 3` : `${sure()} IS NOT NULL AND count(*) > 1`}`
    : '';
  const text = `${before}SELECT ${list.join(', ')} FROM ${from}${where(random, e)}${by}${having}`;
  const isOrdered = keys.length > 0 && keys.every(({ kind }) => kind !== 'text') && random.isIn(0.6);
  if (!isOrdered) return { sql: text, isOrdered };
  const order = keys.map((_, nth) => `${nth + 1}${random.one(['', ' DESC', ' NULLS FIRST'])}`).join(', ');
  return { sql: `${text} ORDER BY ${order}${random.isIn(0.5) ? ` LIMIT ${random.from(1, 30)}` : ''}`, isOrdered };
}
