/** Random conditions, and values that depend on them. */
import type { RandomExpressions } from './random-expressions.ts';
import { comparisons, type Kind, kinds, patterns } from './random-words.ts';

/** A condition. @param d how deep its parts are at most */
export function condition(e: RandomExpressions, d: number): string {
  const { random } = e;
  const not = () => (random.isIn(0.4) ? 'NOT ' : '');
  const bool = () => e.of('bool', d);
  const op = () => random.one(comparisons);
  const same = () => random.one<Kind>(['text', 'time', 'date', 'bool', 'int']);
  return random.one<() => string>([
    () => `(${bool()} ${random.one(['AND', 'OR'])} ${bool()})`,
    () => `(NOT ${bool()})`,
    () => `(${e.number(d)} ${op()} ${e.number(d)})`,
    () => `(${e.of('text', d)} ${random.one(['=', '<>'])} ${e.of('text', d)})`,
    () => `(lower(${e.of('text', d)}) ${op()} upper(${e.of('text', d)}))`,
    () => `(${e.of('text', d)} ${not()}${random.one(['LIKE', 'ILIKE'])} '${random.one(patterns)}')`,
    () => `(${e.of(random.one(kinds), d)} IS ${not()}NULL)`,
    () => `(${e.number(d)} ${not()}IN (1, ${e.number(0)}, 7.5, NULL))`,
    () => `(${e.number(d)} ${not()}IN (2, ${e.number(0)}))`,
    () => `(${e.of('text', d)} ${not()}IN ('a', 'North'${random.isIn(0.5) ? `, ${e.of('text', 0)}` : ''}))`,
    () => `(${e.number(d)} ${not()}BETWEEN ${e.number(0)} AND ${e.number(0)})`,
    () => `(${e.moment(d)} ${not()}BETWEEN '2024-02-01' AND ${e.moment(0)})`,
    () => `(${bool()} IS ${not()}${random.one(['TRUE', 'FALSE', 'UNKNOWN'])})`,
    () => `(${e.moment(d)} ${op()} ${random.one(["'2024-05-01'", "'2024-03-31 12:00:00'"])})`,
    () => `(${e.moment(d)} ${op()} ${e.moment(d)})`,
    () => same().replace(/.+/, (kind) => alike(e, kind, d)),
  ])();
}

/** Two values of one kind compared. */
function alike(e: RandomExpressions, kind: string, d: number): string {
  const known = kinds.find((one) => one === kind) ?? 'int';
  return `(${e.of(known, d)} ${e.random.one(['=', '<>'])} ${e.of(known, d)})`;
}

/** A choice between values of one kind. */
export function choice(e: RandomExpressions, kind: Kind, d: number): string {
  const { random } = e;
  const also = kind === 'decimal' && random.isIn(0.4) ? 'int' : kind;
  const [a, b] = [e.of(kind, d), e.of(also, d)];
  return random.one<() => string>([
    () => `coalesce(${a}, ${b})`,
    () => `coalesce(${b}, ${a})`,
    () => `nullif(${a}, ${b})`,
    () => `CASE WHEN ${e.of('bool', d)} THEN ${a} ELSE ${b} END`,
    () => `CASE WHEN ${e.of('bool', d)} THEN ${a} WHEN ${e.of('bool', d)} THEN ${b} END`,
    () => `CASE ${e.of('int', 0)} WHEN 1 THEN ${a} WHEN ${e.of('int', 0)} THEN ${b} ELSE NULL END`,
    () => `CASE ${e.of('text', 0)} WHEN 'a' THEN ${b} ELSE ${a} END`,
  ])();
}
