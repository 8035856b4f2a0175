/** Random SELECTs over the tables of `sales.ts`. */
import type { Random } from '../../support/random.ts';
import { RandomExpressions } from './random-expressions.ts';
import { aggregate, type RandomSource, randomSource, where } from './random-sources.ts';
import { type Kind, kinds } from './random-words.ts';

/** A SELECT, and whether its ORDER BY puts each record in one place. */
export interface RandomQuestion {
  readonly sql: string;
  readonly isOrdered: boolean;
}

/** A SELECT of records or of groups. */
export function randomQuestion(random: Random): RandomQuestion {
  const from = randomSource(random);
  return random.isIn(0.55) ? records(random, from) : groups(random, from);
}

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
