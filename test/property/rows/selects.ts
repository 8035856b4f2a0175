/** Random SELECTs over the table of both properties. All records of an answer have an order, so that answers can be compared as bytes. */
import type { Random } from '../../support/random.ts';
import type { Call } from './calls.ts';
import { chooseValue, columns } from './lines.ts';

/** Stands for the resource of the side that asks. */
export const lines = 'LINES';
/** Resources without a filter: `both` has the rows inside only, `everything` those outside, too. */
export type Beside = 'both' | 'everything';

const numbers = ['id', 'n', 'price'];
const texts = ['region', 'name', 'note', 'code'];
const names = columns.map(({ name }) => name);

/** @param beside the resources without a filter that a join may name */
export function selectCall(random: Random, beside: readonly Beside[]): Call {
  return { action: 'datastore_search_sql', params: { sql: new Selects(random, beside).select() } };
}

/** The names of the sources of a SELECT. */
type Aliases = readonly string[];

class Selects {
  readonly #random: Random;
  readonly #tables: readonly string[];

  constructor(random: Random, beside: readonly Beside[]) {
    this.#random = random;
    this.#tables = [lines, lines, `${lines}-words`, ...beside];
  }

  select(): string {
    const random = this.#random;
    if (random.isIn(0.15)) return this.#hiddenName();
    const kind = random.one(['records', 'records', 'groups', 'groups', 'distinct', 'nested', 'with'] as const);
    if (kind === 'with') {
      const inner = `SELECT id, n, region, price FROM "${lines}"${this.#where(['"LINES"'], ['id', 'n', 'region', 'price'])}`;
      const joined = random.isIn(0.5) ? ` LEFT JOIN "${random.one(this.#tables)}" b ON b.id = q.n` : '';
      return `WITH q AS (${inner}) SELECT count(*) AS c, sum(q.n) AS s, max(q.region) AS m${joined === '' ? '' : ', count(b.id) AS there'} FROM q${joined}`;
    }
    const [from, aliases] = this.#from();
    const where = this.#where(aliases);
    if (kind === 'nested') {
      const a = aliases[0] ?? '';
      const inner = `SELECT ${a}.region AS r, count(*) AS c, max(${a}.n) AS m FROM ${from}${where} GROUP BY ${a}.region`;
      return `SELECT q.c, count(*) AS groups, min(q.m) AS least FROM (${inner}) q GROUP BY q.c ORDER BY q.c`;
    }
    if (kind === 'groups') return this.#groups(from, aliases, where);
    if (kind === 'distinct') {
      const outputs = [this.#column(aliases), this.#column(aliases)];
      return `SELECT DISTINCT ${outputs.join(', ')} FROM ${from}${where} ORDER BY 1, 2${this.#page()}`;
    }
    const outputs = Array.from({ length: random.from(1, 3) }, () => this.#output(aliases));
    const all = random.isIn(0.2) ? ['*'] : outputs;
    const first = random.isIn(0.4) ? `${this.#column(aliases)} ${random.one(['DESC', 'NULLS FIRST', ''])}, ` : '';
    const order = `${first}${aliases.map((alias) => `${alias}.id`).join(', ')}`;
    return `SELECT ${all.join(', ')} FROM ${from}${where} ORDER BY ${order}${this.#page()}`;
  }

  /** The column of the filter is hidden. */
  #hiddenName(): string {
    const random = this.#random;
    const [from, aliases] = this.#from();
    // Another table may show its column of this name.
    const name = aliases.length === 1 && random.isIn(0.5) ? 'tenant' : 'a.tenant';
    return random.one([
      `SELECT ${name} FROM ${from}`,
      `SELECT 1 AS one FROM ${from} WHERE ${name} = 8`,
      `SELECT count(*) FROM ${from} GROUP BY ${name}`,
      `SELECT count(*) FROM ${from} HAVING max(${name}) = 8`,
      `SELECT 1 AS one FROM ${from} ORDER BY ${name}`,
      `SELECT (SELECT max(tenant) FROM "${lines}") FROM ${from}`,
    ]);
  }

  #from(): readonly [string, Aliases] {
    const random = this.#random;
    const first = random.isIn(0.2) ? `(SELECT * FROM "${lines}"${this.#where(['"LINES"'])}) AS a` : `"${lines}" AS a`;
    const joins = random.one([0, 0, 1, 1, 2]);
    const aliases = ['a', 'b', 'c'].slice(0, joins + 1);
    const joined = aliases.slice(1).map((alias, nth) => {
      const before = random.one(aliases.slice(0, nth + 1));
      const [own, other] = random.one([
        ['id', 'id'],
        ['id', 'n'],
        ['n', 'n'],
        ['region', 'region'],
        ['code', 'code'],
      ] as const);
      const more = random.isIn(0.4) ? ` AND ${this.#condition([alias, before])}` : '';
      const table = random.isIn(0.2)
        ? `(SELECT * FROM "${random.one(this.#tables)}")`
        : `"${random.one(this.#tables)}"`;
      return `${random.one(['JOIN', 'LEFT JOIN', 'LEFT JOIN'])} ${table} AS ${alias} ON ${before}.${other} = ${alias}.${own}${more}`;
    });
    return [[first, ...joined].join(' '), aliases];
  }

  #groups(from: string, aliases: Aliases, where: string): string {
    const random = this.#random;
    const keys = Array.from({ length: random.from(0, 2) }, () => this.#column(aliases));
    const measures = Array.from({ length: random.from(1, 3) }, (_, nth) => `${this.#measure(aliases)} AS m${nth}`);
    const group = keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`;
    const having = random.isIn(0.4)
      ? ` HAVING ${random.one([`count(*) > ${random.from(0, 3)}`, `${this.#measure(aliases, numbers)} IS NOT NULL`, `max(${random.one(aliases)}.id) > 100`])}`
      : '';
    const order = keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}${this.#page()}`;
    return `SELECT ${[...keys, ...measures].join(', ')} FROM ${from}${where}${group}${having}${order}`;
  }

  #measure(aliases: Aliases, of = [...numbers, 'day']): string {
    const random = this.#random;
    const filter = random.isIn(0.3) ? ` FILTER (WHERE ${this.#condition(aliases)})` : '';
    const column = `${random.one(aliases)}.${random.one(of)}`;
    const number = `${random.one(aliases)}.${random.one(numbers)}`;
    const any = this.#column(aliases);
    return random.one([
      `count(*)${filter}`,
      ...[`count(${any})${filter}`, `count(DISTINCT ${any})`, `sum(${number})${filter}`, `avg(${number})`],
      ...[`min(${column})${filter}`, `max(${column})${filter}`, `sum(${number}) / count(*)`],
    ]);
  }

  #output(aliases: Aliases): string {
    const random = this.#random;
    const number = `${random.one(aliases)}.${random.one(numbers)}`;
    const text = `${random.one(aliases)}.${random.one(texts)}`;
    return random.one([
      ...[this.#column(aliases), this.#column(aliases), `${number} * 2`, `upper(${text})`, `${text} || '!'`],
      ...[`coalesce(${text}, 'none')`, `CASE WHEN ${this.#condition(aliases)} THEN 'yes' ELSE 'no' END`],
      this.#query(),
    ]);
  }

  /** A subquery as a value. */
  #query(): string {
    const random = this.#random;
    const table = random.one(this.#tables);
    const where = this.#where([`"${table}"`]);
    const number = random.one(numbers);
    return random.one([
      `(SELECT max(${number}) FROM "${table}"${where})`,
      `(SELECT count(*) FROM "${table}"${where})`,
      `(SELECT ${number} FROM "${table}"${where} ORDER BY id ${random.one(['DESC', ''])} LIMIT 1)`,
    ]);
  }

  #where(aliases: Aliases, of?: readonly string[]): string {
    if (this.#random.isIn(0.4)) return '';
    return ` WHERE ${this.#condition(aliases, of)}`;
  }

  #condition(aliases: Aliases, of: readonly string[] = names): string {
    const random = this.#random;
    const kind = random.one(['and', 'or', 'or', 'not', ...Array.from({ length: 7 }, () => 'one')]);
    const again = () => this.#condition(aliases, of);
    if (kind === 'and' || kind === 'or') return `(${again()} ${kind} ${again()})`;
    if (kind === 'not') return `NOT (${again()})`;
    const column = random.one(columns.filter(({ name }) => of.includes(name)));
    const name = `${random.one(aliases)}.${column.name}`;
    const value = () => literal(chooseValue(column, random));
    const options = [
      `${name} ${random.one(['=', '<>', '<', '>='])} ${value()}`,
      `${name} IN (${value()}, ${value()})`,
      `${name} IS ${random.one(['', 'NOT '])}NULL`,
      ...(texts.includes(column.name) ? [`${name} ${random.one(['LIKE', 'NOT LIKE', 'ILIKE'])} '%e%'`] : []),
      ...(numbers.includes(column.name) ? [`${name} < (SELECT max(n) FROM "${lines}")`] : []),
    ];
    return random.one(options);
  }

  #column(aliases: Aliases): string {
    return `${this.#random.one(aliases)}.${this.#random.one(names)}`;
  }

  #page(): string {
    const random = this.#random;
    return `${random.isIn(0.3) ? ` LIMIT ${random.from(0, 5)}` : ''}${random.isIn(0.2) ? ` OFFSET ${random.from(0, 3)}` : ''}`;
  }
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
