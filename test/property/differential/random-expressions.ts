/** Random expressions of PostgreSQL's SQL, each of a known kind, so that PostgreSQL itself accepts most of them. */
import type { Random } from '../../support/random.ts';

export const kinds = ['int', 'decimal', 'float', 'text', 'bool', 'time', 'date'] as const;
export type Kind = (typeof kinds)[number];
/** The fields that an expression may use, by their kinds. */
export type Fields = Readonly<Record<Kind, readonly string[]>>;

const constants: Fields = {
  int: ['0', '1', '3', '-2', '10', '100', '-7', 'NULL::integer', "CAST('12' AS integer)"],
  decimal: [
    '2.5',
    '0.001',
    '-0.5',
    '10.00',
    '0.0',
    '99.999999',
    'NULL::numeric(10, 2)',
    "CAST('1.50' AS numeric(6, 2))",
  ],
  float: ['CAST(0.5 AS double precision)', "'2.5'::float8", '3::float8'],
  text: ["'a'", "''", "'North'", "'é'", "'a '", "'100%'", "'ss'", "'😀'", 'NULL::text'],
  bool: ['true', 'false', 'NULL::boolean', '(1 = 1)'],
  time: ["TIMESTAMP '2024-03-31 23:59:59.5'", "CAST('2024-02-29' AS timestamp)"],
  date: ["DATE '2024-02-29'", "'2024-05-01'::date"],
};
const patterns = ['a%', '%1', 'n_%', '%o%', 'N%', '100\\%', '_', '', '%', '%ß%', '%E', 'é', '%\\_%', '_ ', '%s_'];
const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'];
const parts = ['year', 'quarter', 'month', 'week', 'day', 'dow', 'isodow', 'doy', 'hour', 'minute'];
const formats = ['YYYY-MM', 'DD.MM.YYYY', 'HH24:MI:SS', 'YYYY "year"', '"a%Yb" MM', 'MM/YYYY HH24'];
const intervals = ['1 day', '7 days', '1 month', '2 years', '36 hours', '90 minutes', '-1 month', '13 months 2 days'];
const comparisons = ['=', '<>', '<', '<=', '>', '>='];

/** Makes expressions with these fields. `depth` is how deep they are at most. */
export class RandomExpressions {
  readonly random: Random;
  readonly fields: Fields;

  constructor(random: Random, fields: Fields) {
    this.random = random;
    this.fields = fields;
  }

  of(kind: Kind, depth: number): string {
    const leaves = this.fields[kind];
    if (depth <= 0) return this.random.one(leaves.length > 0 && this.random.isIn(0.75) ? leaves : constants[kind]);
    return this.random.isIn(0.25) ? this.#ofAny(kind, depth - 1) : this.#own(kind, depth - 1);
  }

  /** A number of any kind. */
  number = (depth: number): string => this.of(this.random.one(['int', 'int', 'decimal', 'decimal', 'float']), depth);

  /** What every kind has. */
  #ofAny(kind: Kind, d: number): string {
    const also = kind === 'decimal' && this.random.isIn(0.4) ? 'int' : kind;
    const [a, b] = [this.of(kind, d), this.of(also, d)];
    return this.#one([
      () => `coalesce(${a}, ${b})`,
      () => `coalesce(${b}, ${a})`,
      () => `nullif(${a}, ${b})`,
      () => `CASE WHEN ${this.of('bool', d)} THEN ${a} ELSE ${b} END`,
      () => `CASE WHEN ${this.of('bool', d)} THEN ${a} WHEN ${this.of('bool', d)} THEN ${b} END`,
      () => `CASE ${this.of('int', 0)} WHEN 1 THEN ${a} WHEN ${this.of('int', 0)} THEN ${b} ELSE NULL END`,
      () => `CASE ${this.of('text', 0)} WHEN 'a' THEN ${b} ELSE ${a} END`,
    ]);
  }

  #own(kind: Kind, d: number): string {
    switch (kind) {
      case 'int':
        return this.#int(d);
      case 'decimal':
        return this.#decimal(d);
      case 'float':
        return this.#float(d);
      case 'text':
        return this.#text(d);
      case 'bool':
        return this.#bool(d);
      case 'time':
        return this.#time(d);
      case 'date':
        return this.#one([
          () => `CAST(${this.of('time', d)} AS date)`,
          () => `${this.of('time', d)}::date`,
          () => `date(${this.of('time', d)})`,
          () => this.of('date', 0),
        ]);
    }
  }

  #int(d: number): string {
    const int = () => this.of('int', d);
    return this.#one([
      () => `(${int()} ${this.random.one(['+', '-', '*'])} ${int()})`,
      () => `(${int()} ${this.random.one(['/', '%'])} ${this.#divisor('int', d)})`,
      () => `abs(${int()})`,
      () => `-${int()}`.replace('--', '- -'),
      () => `length(${this.of('text', d)})`,
      () => `CAST(${this.of(this.random.one(['decimal', 'int']), d)} AS ${this.random.one(['integer', 'bigint'])})`,
      () => `${this.of('bool', d)}::int`,
      () => `${this.random.one(['round', 'floor', 'ceil'])}(${this.of('decimal', d)})::int`,
      () => `${this.#extract(d)}::int`,
    ]);
  }

  #decimal(d: number): string {
    const decimal = () => this.of('decimal', d);
    const either = () => this.of(this.random.one(['int', 'decimal']), d);
    return this.#one([
      () => `(${decimal()} ${this.random.one(['+', '-', '*'])} ${either()})`,
      () => `(${either()} - ${decimal()})`,
      () => `(${decimal()} % ${this.#divisor('decimal', d)})`,
      () => `${this.random.one(['abs', 'floor', 'ceil', 'round'])}(${decimal()})`,
      () => `round(${decimal()}, ${this.random.from(0, 5)})`,
      () => this.#quotient(),
      () => `CAST(${either()} AS numeric(30, ${this.random.from(0, 8)}))`,
      () => `${this.of('int', d)}::numeric`,
      () => this.#extract(d),
      () => `-${decimal()}`.replace('--', '- -'),
    ]);
  }

  #float(d: number): string {
    const float = () => this.of('float', d);
    return this.#one([
      () => `(${float()} ${this.random.one(['+', '-', '*'])} ${this.number(d)})`,
      () => `(${this.number(d)} ${this.random.one(['+', '*'])} ${float()})`,
      () => `(${float()} / ${this.#divisor(this.random.one(['int', 'decimal', 'float']), d)})`,
      () => `${this.random.one(['abs', 'floor', 'ceil', 'round'])}(${float()})`,
      () => `${this.of(this.random.one(['int', 'decimal']), d)}::float8`,
      () => `date_part('${this.random.one(parts)}', ${this.#moment(d)})`,
      () => `-${float()}`.replace('--', '- -'),
    ]);
  }

  #text(d: number): string {
    const text = () => this.of('text', d);
    return this.#one([
      () => `${this.random.one(['lower', 'upper', 'trim', 'btrim'])}(${text()})`,
      () => `(${text()} || ${text()})`,
      () => `concat(${text()}, ${this.of(this.random.one(['text', 'int', 'bool', 'date', 'decimal']), d)})`,
      () =>
        `substring(${text()}, ${this.random.from(1, 3)}${this.random.isIn(0.7) ? `, ${this.random.from(0, 3)}` : ''})`,
      () => `substring(${text()} from ${this.random.from(1, 3)} for ${this.random.from(1, 3)})`,
      () => `CAST(${this.of(this.random.one(['int', 'bool', 'date', 'decimal']), this.random.from(0, d))} AS text)`,
      () => `to_char(${this.#moment(d)}, '${this.random.one(formats)}')`,
    ]);
  }

  #time(d: number): string {
    return this.#one([
      () => `date_trunc('${this.random.one(units)}', ${this.#moment(d)})`,
      () => `(${this.#moment(d)} ${this.random.one(['+', '-'])} INTERVAL '${this.random.one(intervals)}')`,
      () => `CAST(${this.#moment(d)} AS timestamp)`,
      () => this.of('time', 0),
    ]);
  }

  #bool(d: number): string {
    const not = () => (this.random.isIn(0.4) ? 'NOT ' : '');
    const bool = () => this.of('bool', d);
    const op = () => this.random.one(comparisons);
    const same = () => this.random.one<Kind>(['text', 'time', 'date', 'bool', 'int']);
    return this.#one([
      () => `(${bool()} ${this.random.one(['AND', 'OR'])} ${bool()})`,
      () => `(NOT ${bool()})`,
      () => `(${this.number(d)} ${op()} ${this.number(d)})`,
      () => `(${this.of('text', d)} ${this.random.one(['=', '<>'])} ${this.of('text', d)})`,
      () => `(lower(${this.of('text', d)}) ${op()} upper(${this.of('text', d)}))`,
      () => `(${this.of('text', d)} ${not()}${this.random.one(['LIKE', 'ILIKE'])} '${this.random.one(patterns)}')`,
      () => `(${this.of(this.random.one(kinds), d)} IS ${not()}NULL)`,
      () => `(${this.number(d)} ${not()}IN (1, ${this.number(0)}, 7.5, NULL))`,
      () => `(${this.number(d)} ${not()}IN (2, ${this.number(0)}))`,
      () =>
        `(${this.of('text', d)} ${not()}IN ('a', 'North'${this.random.isIn(0.5) ? `, ${this.of('text', 0)}` : ''}))`,
      () => `(${this.number(d)} ${not()}BETWEEN ${this.number(0)} AND ${this.number(0)})`,
      () => `(${this.#moment(d)} ${not()}BETWEEN '2024-02-01' AND ${this.#moment(0)})`,
      () => `(${bool()} IS ${not()}${this.random.one(['TRUE', 'FALSE', 'UNKNOWN'])})`,
      () => `(${this.#moment(d)} ${op()} ${this.random.one(["'2024-05-01'", "'2024-03-31 12:00:00'"])})`,
      () => `(${this.#moment(d)} ${op()} ${this.#moment(d)})`,
      () => same().replace(/.+/, (kind) => this.#alike(kind, d)),
    ]);
  }

  /** Two values of one kind compared. */
  #alike(kind: string, d: number): string {
    const known = kinds.find((one) => one === kind) ?? 'int';
    return `(${this.of(known, d)} ${this.random.one(['=', '<>'])} ${this.of(known, d)})`;
  }

  /** A date has no hours and minutes. */
  #extract = (d: number): string =>
    this.random.isIn(0.6)
      ? `extract(${this.random.one(parts)} from ${this.of('time', d)})`
      : `extract(${this.random.one(parts.slice(0, -2))} from ${this.of('date', d)})`;

  /** A quotient that PostgreSQL computes with enough digits to be rounded alike: it has 16 of them, which large numbers use up. */
  #quotient(): string {
    const small = this.ofSmall();
    const [a, b] = [small.of(this.random.one(['int', 'decimal']), 0), small.of('decimal', 0)];
    return `round(${a} / nullif(${b}, 0), ${this.random.from(1, 4)})`;
  }

  /** Expressions without the fields of large numbers. */
  ofSmall(): RandomExpressions {
    const small = (all: readonly string[]) => all.filter((one) => !/big|pop|a\d|v\d|g\./.test(one));
    const { int, decimal } = this.fields;
    return new RandomExpressions(this.random, { ...this.fields, int: small(int), decimal: small(decimal) });
  }

  #moment = (d: number): string => this.of(this.random.one(['time', 'time', 'date']), d);

  /** Mostly not zero: the gateway has NULL there, and PostgreSQL an error. */
  #divisor(kind: 'int' | 'decimal' | 'float', d: number): string {
    const constant = { int: ['3', '7', '-2', '1000'], decimal: ['2.5', '0.3', '-7.00'], float: ["'0.3'::float8"] };
    return this.random.isIn(0.6) ? this.random.one(constant[kind]) : `nullif(${this.of(kind, d)}, 0)`;
  }

  #one = (makers: readonly (() => string)[]): string => this.random.one(makers)();
}
