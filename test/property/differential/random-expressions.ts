/** Random expressions of PostgreSQL's SQL, each of a known kind, so that PostgreSQL itself accepts most of them. */
import type { Random } from '../../support/random.ts';
import { choice, condition } from './random-conditions.ts';
import { constants, type Fields, formats, intervals, type Kind, parts, units } from './random-words.ts';

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
    return this.random.isIn(0.25) ? choice(this, kind, depth - 1) : this.#own(kind, depth - 1);
  }

  /** A number of any kind. */
  number = (depth: number): string => this.of(this.random.one(['int', 'int', 'decimal', 'decimal', 'float']), depth);

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
        return condition(this, d);
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
      () => `date_part('${this.random.one(parts)}', ${this.moment(d)})`,
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
      () => `to_char(${this.moment(d)}, '${this.random.one(formats)}')`,
    ]);
  }

  #time(d: number): string {
    return this.#one([
      () => `date_trunc('${this.random.one(units)}', ${this.moment(d)})`,
      () => `(${this.moment(d)} ${this.random.one(['+', '-'])} INTERVAL '${this.random.one(intervals)}')`,
      () => `CAST(${this.moment(d)} AS timestamp)`,
      () => this.of('time', 0),
    ]);
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

  /** A time or a date. */
  moment = (d: number): string => this.of(this.random.one(['time', 'time', 'date']), d);

  /** Mostly not zero: the gateway has NULL there, and PostgreSQL an error. */
  #divisor(kind: 'int' | 'decimal' | 'float', d: number): string {
    const constant = { int: ['3', '7', '-2', '1000'], decimal: ['2.5', '0.3', '-7.00'], float: ["'0.3'::float8"] };
    return this.random.isIn(0.6) ? this.random.one(constant[kind]) : `nullif(${this.of(kind, d)}, 0)`;
  }

  #one = (makers: readonly (() => string)[]): string => this.random.one(makers)();
}
