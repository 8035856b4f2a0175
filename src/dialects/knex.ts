/**
 * We use knex only to write SQL: it gets no connection and runs nothing. In raw SQL `??` stands for an operand, `?` for a value or a
 * condition, and `\?` for a question mark.
 * knex's traps (`test/unit/dialects/knex.test.ts` tests that we avoid those with names and placeholders):
 * - It splits names at dots, blanks and ` as `, trims them, looks for `?` in them, and uses them as object keys. We encode each name as
 *   one `word`, which `wrapIdentifier` decodes.
 * - It replaces `:name:` by `String.replace`, which interprets `$&` and `$$` in a name. We use only `??`.
 * - A raw inside a raw costs 2 µs, and deleting 500 records by key would take 1000 of them. We flatten an `Expression` into one raw.
 * - It spreads bindings as function arguments, and the stack holds only some 100,000. A `list` is one binding.
 * - `insert` of objects reorders the columns, but servers report a bad value by its position. It also takes ten times as long as a list.
 * - `orderBy` with NULLS sorts only by `(x is null)` on MySQL, and drops NULLS after an expression on PostgreSQL.
 * - An empty group callback adds no condition, but "any of none" must match nothing.
 * - On MySQL it drops `returning` with a warning, and `whereRaw` refuses arrays.
 * - `toNative` numbers every `?`, even inside names, and swallows backslashes. `limit` binds its number, but COPY takes no bindings.
 * - It binds values of any type, so `statement` checks each of them.
 * - A builder is a thenable, and runs when it is awaited: never return one from an `async` function.
 */
import knexOf, { type Knex } from 'knex';
import type { Values } from '../model/dialect/edit.ts';
import type { Statement } from '../model/rows.ts';
import type { Column } from '../model/table.ts';

export type { Knex } from 'knex';

type Bindable = Statement['values'][number];

/** SQL and the bindings of its placeholders, from which we build a knex raw. An array bound to one `??` becomes a comma-separated list. */
export class Expression {
  readonly sql: string;
  readonly bindings: readonly Binding[];

  constructor(sql: string, bindings: readonly Binding[]) {
    this.sql = sql;
    this.bindings = bindings;
  }
}

/** An operand for `??`: a name encoded by `word`, or an expression. */
export type Operand = string | Expression;

/** A value for `?`: bound as a parameter, or an expression that is inserted into the SQL. */
export type Value = Bindable | Shared | Slot | Expression | Knex.QueryBuilder;

type Binding = Operand | Value | readonly Operand[];

/** A value that is bound only once if placeholders have numbers, even if it is used often: a statement may have at most 65,535 bindings. */
export class Shared {
  readonly value: Bindable;

  constructor(value: Bindable) {
    this.value = value;
  }
}

/** A placeholder in a template. Its value comes from the row that fills the template. */
export class Slot {
  readonly of: (row: Values) => Value;

  constructor(of: (row: Values) => Value) {
    this.of = of;
  }
}

/** Many values that knex handles as one binding. */
class List extends Expression {}

export const raw = (sql: string, bindings: readonly Binding[] = []): Expression => new Expression(sql, bindings);

/** A comma-separated list that repeats the SQL `one`; its `?` take the values in turn. */
export const list = (one: string, values: readonly Value[], times: number): Expression =>
  new List(Array(times).fill(one).join(', '), values);

/** Rows of values in parentheses. We write the SQL ourselves: a thousand rows would take ten times as long with a knex raw for each. */
export function tuples(rows: readonly (readonly Value[])[]): Expression {
  const bindings: Bindable[] = [];
  const cell = (value: Value): string => {
    if (value === null) return 'NULL';
    if (value instanceof Expression && value.bindings.length === 0) return value.sql;
    bindings.push(bindable(value));
    return '?';
  };
  return new Tuples(rows.map((row) => `(${row.map(cell).join(', ')})`).join(', '), bindings);
}

/** A list whose only placeholders are `?` for plain values, so its SQL can be used unchanged. */
class Tuples extends List {}

/** Flattens an expression into the arguments of `knex.raw`. */
export function flat(knex: Knex, expression: Expression): [sql: string, bindings: Knex.RawBinding[]] {
  let bindings: Binding[] = [];
  const written = ({ sql, bindings: given }: Expression): string => {
    if (given.some(isNested)) return fillMarks(sql, given, nested, '\\?');
    for (const one of given) bindings.push(one);
    return sql;
  };
  const nested = (one: Binding, mark: Mark): string => {
    if (one instanceof Expression && !(one instanceof List)) return written(one);
    if (mark === '??' && isOperands(one)) return one.map((operand) => nested(operand, mark)).join(', ');
    bindings.push(one);
    return mark;
  };
  let sql = written(expression);
  if (bindings.length > maxDirectBindings) {
    const names = new Map<Binding, string>();
    const values: Binding[] = [];
    const spelled = (one: Binding, mark: Mark): string => {
      if (mark === '?') values.push(one);
      if (mark === '?') return mark;
      const name = names.get(one) ?? knex.raw('??', [String(one)]).toSQL().sql;
      names.set(one, name);
      return name;
    };
    sql = fillMarks(sql, bindings, spelled, '\\?');
    bindings = values;
  }
  // knex's types allow neither Uint8Array nor our classes, but at run time knex accepts any binding.
  return [sql, bindings as Knex.RawBinding[]];
}
/** With more bindings than this, we let knex quote each distinct name once instead of at each placeholder. */
const maxDirectBindings = 100;
const isOperands = (one: Binding): one is readonly Operand[] => Array.isArray(one);
const isNested = (one: Binding): boolean => one instanceof Expression || isOperands(one);

type Mark = '?' | '??';

/** Replaces each placeholder of raw SQL by the result of `write`, and each `\?` by `question`. */
function fillMarks<T>(
  sql: string,
  given: readonly T[],
  write: (one: T, mark: Mark) => string,
  question: string,
): string {
  let [text, end, nth] = ['', 0, 0];
  for (let at = sql.indexOf('?'); at !== -1; at = sql.indexOf('?', end)) {
    if (sql[at - 1] === '\\') {
      text += sql.slice(end, at - 1) + question;
      end = at + 1;
      continue;
    }
    const mark = sql[at + 1] === '?' ? '??' : '?';
    const one = given[nth++];
    if (one === undefined) throw new Error(`no value for place ${nth}`);
    text += sql.slice(end, at) + write(one, mark);
    end = at + mark.length;
  }
  if (nth !== given.length) throw new Error(`${given.length} values for ${nth} places`);
  return text + sql.slice(end);
}

/** Creates the query builder of an engine. `quote` gets names exactly as the catalogue has them. */
export function builder(client: 'pg' | 'mysql2', quote: (name: string) => string): Knex {
  return knexOf({
    client,
    wrapIdentifier: (part: string) => (part === '*' ? part : escapedMarks(quote(nameOf(part)))),
  });
}

/** Encodes a name as one word. The leading `#` distinguishes it from our aliases and from properties such as `__proto__`. */
export const word = (name: string): string => `#${/^\w*$/.test(name) ? name : name.replace(/\W/g, escaped)}`;
const escaped = (unit: string): string => `%${unit.charCodeAt(0).toString(16)};`;

function nameOf(part: string): string {
  if (!part.startsWith('#')) return part;
  const name = part.slice(1);
  return name.includes('%')
    ? name.replace(/%([0-9a-f]+);/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : name;
}

/** Escapes each `?`, so that knex does not take it for a placeholder. */
export const escapedMarks = (sql: string): string => (sql.includes('?') ? sql.replaceAll('?', '\\?') : sql);

export const id = ({ source, name }: Column): string => (source === undefined ? word(name) : `${source}.${word(name)}`);

/** Fills a column into SQL: each `??` becomes the column. */
export const of = (column: Column, sql: string): Operand =>
  sql === '??' ? id(column) : raw(sql, filling(sql, column));

/** The bindings for SQL over one column: the column, repeated for each `??`. */
export const filling = (sql: string, column: Column): readonly string[] =>
  Array(sql.split('??').length - 1).fill(id(column));

/** Joins conditions by AND or OR. */
export const joined = (parts: readonly Expression[], by: ' AND ' | ' OR '): Expression =>
  raw(`(${parts.map(() => '?').join(by)})`, parts);

/** Returns a value as an SQL literal. */
type Quote = (value: Bindable) => string;

/**
 * How values get into the SQL: as `$1` (which may be repeated), as `?` (then the values are in the order of the text), or as literals,
 * for statements that take no parameters.
 */
export type Placeholders = 'numbered' | 'ordered' | Quote;

/** Compiles a query into a statement. */
export function compiled(knex: Knex, query: Knex.QueryBuilder | Knex.Raw, placeholders: Placeholders): Statement {
  const { sql, bindings } = query.toSQL();
  return fillTemplate(knex, sql, bindings, [], placeholders);
}

/** Compiles a query only once. The returned function makes a statement by filling the slots from a row. */
export function template(
  knex: Knex,
  query: Knex.QueryBuilder | Knex.Raw,
  placeholders: Placeholders,
): (row: Values) => Statement {
  const { sql, bindings } = query.toSQL();
  return (row) => fillTemplate(knex, sql, bindings, row, placeholders);
}

function fillTemplate(
  knex: Knex,
  sql: string,
  bindings: readonly unknown[],
  row: Values,
  placeholders: Placeholders,
): Statement {
  const values: Bindable[] = [];
  const numbers = new Map<Shared, number>();
  const placeholder = (value: unknown): string => {
    if (value instanceof Slot) return placeholder(value.of(row));
    if (value instanceof Tuples && placeholders === 'ordered') {
      for (const one of value.bindings) values.push(bindable(one));
      return value.sql;
    }
    if (value instanceof Expression) return written(...flat(knex, value));
    if (typeof placeholders === 'function')
      return placeholders(bindable(value instanceof Shared ? value.value : value));
    if (placeholders === 'ordered') {
      values.push(bindable(value instanceof Shared ? value.value : value));
      return '?';
    }
    if (!(value instanceof Shared)) return `$${values.push(bindable(value))}`;
    const number = numbers.get(value) ?? values.push(bindable(value.value));
    numbers.set(value, number);
    return `$${number}`;
  };
  const written = (sql: string, bindings: readonly unknown[]): string => fillMarks(sql, bindings, placeholder, '?');
  return { text: written(sql, bindings), values };
}

/** Throws for values of any other type, because knex would bind them. */
function bindable(value: unknown): Bindable {
  if (typeof value === 'string' || value === null || value instanceof Uint8Array) return value;
  throw new TypeError(`no value of a statement: ${typeof value}`);
}
