/**
 * knex as what writes SQL: it has no connection here, and nothing is run by it. In raw SQL `??` stands for an operand and `?` for a
 * value or a condition; a `?` that is neither is written `\?` (`kept`).
 *
 * Traps of knex (`docs/design-notes.md` says more; `test/unit/dialects/knex.test.ts` tests what our code makes of names and marks):
 * - It takes names apart at dots, blanks and ` as `, trims them, finds `?` in them, and reads objects by them: so a name goes in as one
 *   `word`, which `wrapIdentifier` turns back.
 * - `:name:` in raw SQL is filled in by `String.replace`, which takes `$&` and `$$` in a name for its own: only `??` is used.
 * - A raw within a raw costs 2 µs, and deleting 500 records by their keys takes 1000: an `Expression` becomes one.
 * - The bindings of a raw are passed on as the arguments of one call, of which the stack takes some 100,000: a `list` is one binding.
 * - `insert` of records sorts their columns, where servers tell a wrong value by its number, and takes ten times as long as a list.
 * - `orderBy` with NULLS sorts by `(x is null)` alone on MySQL, and forgets the NULLS of an expression on PostgreSQL.
 * - A group by a callback that adds nothing is no condition, where "any of none" must find nothing.
 * - MySQL's `returning` is left out with a warning, and its `whereRaw` refuses an array, also one of operands.
 * - `toNative` numbers each `?`, also in names, and eats backslashes; `limit` binds its number, and COPY has no bindings.
 * - It binds values of any type: `statement` checks each of them.
 * - A builder is a thenable, and runs when it is awaited: never give one back from an `async` function.
 */
import knexOf, { type Knex } from 'knex';
import type { Values } from '../model/dialect.ts';
import type { Statement } from '../model/rows.ts';
import type { Column } from '../model/table.ts';

export type { Knex } from 'knex';

type Bindable = Statement['values'][number];

/** What a raw of knex is made of: SQL, and what its marks stand for. An array of operands for one `??` is a list of them. */
export class Expression {
  readonly sql: string;
  readonly bindings: readonly Binding[];

  constructor(sql: string, bindings: readonly Binding[]) {
    this.sql = sql;
    this.bindings = bindings;
  }
}

/** A value of `??`: a name as a `word`, or an expression. */
export type Operand = string | Expression;

/** A value of `?`: bound, or an expression that stands in the text. */
export type Value = Bindable | Shared | Slot | Expression | Knex.QueryBuilder;

type Binding = Operand | Value | readonly Operand[];

/** A value that is bound once however often it is used, where placeholders have numbers: a statement may have 65,535. */
export class Shared {
  readonly value: Bindable;

  constructor(value: Bindable) {
    this.value = value;
  }
}

/** The place of a value in a query that is compiled once for many rows of values. */
export class Slot {
  readonly of: (row: Values) => Value;

  constructor(of: (row: Values) => Value) {
    this.of = of;
  }
}

/** Values without names, which are one value to knex. */
class List extends Expression {}

export const raw = (sql: string, bindings: readonly Binding[] = []): Expression => new Expression(sql, bindings);

/** A list of values: the text of one, with a `?` for each value that it takes, as often as needed. */
export const list = (one: string, values: readonly Value[], times: number): Expression =>
  new List(Array(times).fill(one).join(', '), values);

/** Rows of values in parentheses. The text is written here at once: as raws of their own, a thousand rows take ten times as long. */
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

/** A list without any mark but those of its bindings, which are all plain values. */
class Tuples extends List {}

/** An expression as what a raw of knex is made of. */
export function flat(knex: Knex, expression: Expression): [sql: string, bindings: Knex.RawBinding[]] {
  let bindings: Binding[] = [];
  const written = ({ sql, bindings: given }: Expression): string => {
    if (given.some(isNested)) return filled(sql, given, nested, '\\?');
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
  if (bindings.length > few) {
    const names = new Map<Binding, string>();
    const values: Binding[] = [];
    const spelled = (one: Binding, mark: Mark): string => {
      if (mark === '?') values.push(one);
      if (mark === '?') return mark;
      const name = names.get(one) ?? knex.raw('??', [String(one)]).toSQL().sql;
      names.set(one, name);
      return name;
    };
    sql = filled(sql, bindings, spelled, '\\?');
    bindings = values;
  }
  // Its types know no bytes but Buffer, and no classes of others; it passes on what it does not know.
  return [sql, bindings as Knex.RawBinding[]];
}
/** With more bindings than these, a name is written by knex once, and not each time that it stands there. */
const few = 100;
const isOperands = (one: Binding): one is readonly Operand[] => Array.isArray(one);
const isNested = (one: Binding): boolean => one instanceof Expression || isOperands(one);

type Mark = '?' | '??';

/** Raw SQL with something else for each mark. */
function filled<T>(sql: string, given: readonly T[], write: (one: T, mark: Mark) => string, question: string): string {
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

/** The builder of an engine's queries. `quote` gets each name as it is: they come from the catalogue only. */
export function builder(client: 'pg' | 'mysql2', quote: (name: string) => string): Knex {
  return knexOf({
    client,
    wrapIdentifier: (part: string) => (part === '*' ? part : escapedMarks(quote(nameOf(part)))),
  });
}

/** A name as one word, which begins as no alias of ours does and no member of an object. */
export const word = (name: string): string => `#${/^\w*$/.test(name) ? name : name.replace(/\W/g, escaped)}`;
const escaped = (unit: string): string => `%${unit.charCodeAt(0).toString(16)};`;

function nameOf(part: string): string {
  if (!part.startsWith('#')) return part;
  const name = part.slice(1);
  return name.includes('%')
    ? name.replace(/%([0-9a-f]+);/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : name;
}

/** SQL whose `?` are no marks. */
export const escapedMarks = (sql: string): string => (sql.includes('?') ? sql.replaceAll('?', '\\?') : sql);

export const id = (column: Column): string => word(column.name);

/** An expression over one column, which replaces each `??` of the text. */
export const of = (column: Column, sql: string): Operand =>
  sql === '??' ? id(column) : raw(sql, filling(sql, column));

/** The column, for each `??` of the text. */
export const filling = (sql: string, column: Column): readonly string[] =>
  Array(sql.split('??').length - 1).fill(id(column));

/** Conditions as one. */
export const joined = (parts: readonly Expression[], by: ' AND ' | ' OR '): Expression =>
  raw(`(${parts.map(() => '?').join(by)})`, parts);

/** How an engine writes placeholders: `$1`, which may stand at several places, or `?`, whose values go by the order of the text. */
export type Placeholders = 'numbered' | 'ordered';

/** The statement of a query. */
export function compiled(knex: Knex, query: Knex.QueryBuilder | Knex.Raw, placeholders: Placeholders): Statement {
  const { sql, bindings } = query.toSQL();
  return filledIn(knex, sql, bindings, [], placeholders);
}

/** Compiles a query once. The function that it returns makes the statement for a row, which the slots take their values from. */
export function template(
  knex: Knex,
  query: Knex.QueryBuilder | Knex.Raw,
  placeholders: Placeholders,
): (row: Values) => Statement {
  const { sql, bindings } = query.toSQL();
  return (row) => filledIn(knex, sql, bindings, row, placeholders);
}

function filledIn(
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
    if (placeholders === 'ordered') {
      values.push(bindable(value instanceof Shared ? value.value : value));
      return '?';
    }
    if (!(value instanceof Shared)) return `$${values.push(bindable(value))}`;
    const number = numbers.get(value) ?? values.push(bindable(value.value));
    numbers.set(value, number);
    return `$${number}`;
  };
  const written = (sql: string, bindings: readonly unknown[]): string => filled(sql, bindings, placeholder, '?');
  return { text: written(sql, bindings), values };
}

/** Nothing else is ever bound: knex would take anything. */
function bindable(value: unknown): Bindable {
  if (typeof value === 'string' || value === null || value instanceof Uint8Array) return value;
  throw new TypeError(`no value of a statement: ${typeof value}`);
}
