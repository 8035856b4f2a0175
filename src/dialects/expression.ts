/** Compiles a question's expressions to SQL: the part that is the same on every engine. Constants are bound, or checked to be digits. */
import type { Where } from '../model/plan.ts';
import { type Aggregation, type Expr, type FormatPart, type FunctionName, type Step, some } from '../model/question.ts';
import { expressionKey } from '../model/read-key.ts';
import type { Arithmetic, Comparison, TimePart } from '../model/select.ts';
import { type Column, isNumber, isText, type Type } from '../model/table.ts';
import { type Expression, type Knex, type Operand, raw, Shared } from './knex.ts';

/** An aggregation that differs by engine. */
export type Folded = Exclude<Aggregation['fn'], 'count' | 'distinct' | 'total'>;

/** Fills an operand into SQL that computes with it: each `??` becomes the operand. */
export const filled = (sql: string, operand: Operand): Operand =>
  sql === '??' ? operand : raw(sql, Array(sql.split('??').length - 1).fill(operand));

/** Compiles the expressions of one statement to SQL. The SQL of each can stand beside any operator, without parentheses around it. */
export abstract class ExpressionPrinter {
  /** Compiles a subquery that is used as a value. */
  readonly query: (nth: number) => Knex.QueryBuilder;
  readonly #constants = new Map<string, Shared>();
  /** Set while compiling a HAVING for an engine that doesn't recognize expressions of GROUP BY there: these expressions. Else null. */
  #keys: ReadonlySet<string> | null = null;

  constructor(query: (nth: number) => Knex.QueryBuilder) {
    this.query = query;
  }

  /** SQL for a value to compute with. */
  print(e: Expr): Operand {
    if (this.#keys?.has(expressionKey(e)) === true) return raw('min(??)', [this.#withoutKeys(() => this.print(e))]);
    switch (e.is) {
      case 'column':
        return this.column(e.column);
      case 'value':
        return e.value === null ? this.missing(e.type) : this.constant(e.type, e.value);
      case 'filter':
        return raw('(?)', [this.filter(e.where)]);
      case 'and':
      case 'or': {
        const parts = e.of.map((one) => this.print(one));
        return raw(`(${parts.map(() => '??').join(` ${e.is} `)})`, parts);
      }
      case 'not':
        return raw('(not ??)', [this.print(e.of)]);
      case 'negative':
        return raw('(- ??)', [this.print(e.of)]);
      case 'nullTest':
        return raw(`(?? is ${e.not ? 'not ' : ''}null)`, [this.print(e.of)]);
      case 'truthTest':
        return raw(`(?? is ${e.test.not ? 'not ' : ''}${e.test.value ?? 'unknown'})`, [this.print(e.of)]);
      case 'compare':
        return this.compare(e.op, e.left, e.right);
      case 'like':
        return this.like(this.print(e.of), e.pattern, e.folds);
      case 'arithmetic':
        return this.arithmetic(e.op, this.number(e.left, e.type), this.number(e.right, e.type), e.type);
      case 'concat': {
        const texts = e.of.map((one) => this.print(one));
        return this.concat(texts, e.skipsNull);
      }
      case 'case':
        return this.#case(e);
      case 'cast':
        return this.cast(this.print(e.of), e.of.type, e.type);
      case 'call':
        return this.#call(e.fn, e.of, e.type);
      case 'truncate':
        return this.truncate(e.every, this.print(e.of), e.type);
      case 'extract':
        return this.extract(e.part, this.print(e.of));
      case 'format':
        return this.format(e.format, this.print(e.of));
      case 'shift':
        return this.shift(this.print(e.of), e.months, e.seconds);
      case 'now':
        return this.now(e.type);
      case 'floor':
        return this.floor(this.number(e.of, e.type), e.width, e.type);
      case 'aggregate':
        return this.#withoutKeys(() => this.#aggregate(e));
      case 'query':
        return raw('(?)', [this.query(e.nth)]);
    }
  }

  /**
   * SQL for a condition on groups. MySQL and MariaDB don't recognize an expression of GROUP BY in HAVING, so we take its minimum: all of a
   * group's records have the same value.
   */
  having(condition: Expr, groups: readonly Expr[]): Operand {
    this.#keys = this.knowsGroups ? null : new Set(groups.map(expressionKey));
    try {
      return this.print(condition);
    } finally {
      this.#keys = null;
    }
  }

  /** Whether we are compiling a HAVING that may use a column only through a GROUP BY expression. */
  protected get isOfGroups(): boolean {
    return this.#keys !== null;
  }

  #withoutKeys(print: () => Operand): Operand {
    const keys = this.#keys;
    this.#keys = null;
    try {
      return print();
    } finally {
      this.#keys = keys;
    }
  }

  /** Whether HAVING may repeat an expression of GROUP BY. */
  protected abstract readonly knowsGroups: boolean;

  /** SQL that is equal for two values if a filter for one finds the other. */
  abstract key(e: Expr): Operand;
  /** SQL for a value in the form that its encoder reads. */
  abstract output(e: Expr): Operand;

  /** Compiles a filter's condition. */
  protected abstract filter(where: Where): Expression;
  protected abstract column(column: Column): Operand;
  protected abstract constant(type: Type, value: string): Expression;
  protected abstract missing(type: Type): Expression;
  protected abstract compareTexts(op: Comparison, left: Expr, right: Expr): Expression;
  protected abstract like(text: Operand, pattern: string, folds: boolean): Expression;
  /** SQL for an operand of a computation whose result has this type. */
  protected abstract number(e: Expr, type: Type): Operand;
  protected abstract arithmetic(op: Arithmetic, left: Operand, right: Operand, type: Type): Expression;
  protected abstract concat(texts: readonly Operand[], skipsNull: boolean): Expression;
  protected abstract cast(value: Operand, from: Type, to: Type): Operand;
  protected abstract truncate(every: Step, time: Operand, type: Type): Operand;
  protected abstract extract(part: TimePart, time: Operand): Operand;
  protected abstract format(format: readonly FormatPart[], time: Operand): Expression;
  protected abstract shift(time: Operand, months: number, seconds: number): Expression;
  protected abstract now(type: Type): Expression;
  protected abstract floor(number: Operand, width: string, type: Type): Expression;
  /** Rounds to an integer (or `round` to the scale of `type`). */
  protected abstract rounded(fn: 'round' | 'floor' | 'ceil', number: Operand, from: Type, type: Type): Operand;
  protected abstract text(fn: 'lower' | 'upper' | 'trim' | 'length', text: Operand): Operand;
  /** The SQL of an aggregation, with `??` in place of its argument, and the argument. */
  protected abstract aggregation(fn: Folded, of: Expr, type: Type): readonly [sql: string, argument: Operand];
  /** SQL that counts the records of all groups together. */
  protected abstract readonly total: string;

  /** Binds equal constants as one parameter: PostgreSQL only recognizes an expression of GROUP BY if it has the same parameters. */
  protected shared(value: string, cast: string): Shared {
    const key = `${cast} ${value}`;
    const shared = this.#constants.get(key) ?? new Shared(value);
    this.#constants.set(key, shared);
    return shared;
  }

  protected compare(op: Comparison, left: Expr, right: Expr): Expression {
    if (isText(left.type)) return this.compareTexts(op, left, right);
    return raw(`(?? ${op} ??)`, [this.#compared(left), this.#compared(right)]);
  }

  /** Compares a number column itself, without casts, so that an index can be used. */
  #compared(e: Expr): Operand {
    return e.is === 'column' && isNumber(e.type) && !this.isOfGroups ? this.bare(e.column) : this.print(e);
  }

  /** The plain column, without a cast. */
  protected abstract bare(column: Column): Operand;

  #case({ whens, otherwise }: Extract<Expr, { is: 'case' }>): Expression {
    const parts = whens.flatMap(({ when, value }) => [this.print(when), this.print(value)]);
    const last = otherwise === null ? [] : [this.print(otherwise)];
    const sql = `(case${' when ?? then ??'.repeat(whens.length)}${otherwise === null ? '' : ' else ??'} end)`;
    return raw(sql, [...parts, ...last]);
  }

  #call(fn: FunctionName, args: readonly Expr[], type: Type): Operand {
    const [first, ...others] = args;
    if (first === undefined) throw new TypeError(`no argument for ${fn}`);
    switch (fn) {
      case 'coalesce':
        return raw(
          `coalesce(${args.map(() => '??').join(', ')})`,
          args.map((one) => this.print(one)),
        );
      case 'substring':
        return raw(`substring(??${', ?'.repeat(others.length)})`, [this.print(first), ...others.map(wholeNumber)]);
      case 'abs':
        return raw('abs(??)', [this.number(first, type)]);
      case 'round':
      case 'floor':
      case 'ceil':
        return this.rounded(fn, this.number(first, first.type), first.type, type);
      default:
        return this.text(fn, this.print(first));
    }
  }

  #aggregate(e: Aggregation): Operand {
    if (e.fn === 'total') return raw(this.total);
    const filter = e.filter === null ? null : this.print(e.filter);
    if (e.of === null) return filter === null ? raw('count(*)') : raw('count(case when ?? then 1 end)', [filter]);
    const [sql, argument] = this.#folded(e.fn, e.of, e.type);
    return filled(sql, filter === null ? argument : raw('case when ?? then ?? end', [filter, argument]));
  }

  #folded(fn: Folded | 'count' | 'distinct', of: Expr, type: Type): readonly [sql: string, argument: Operand] {
    if (fn === 'count') return ['COUNT(??)', this.print(of)];
    if (fn === 'distinct') return ['COUNT(DISTINCT ??)', this.key(of)];
    return this.aggregation(fn, of, type);
  }
}

/** Whether the value is the same for all records. */
export const isConstant = (e: Expr): boolean =>
  !some(e, ({ is }) => ['column', 'filter', 'aggregate', 'query'].includes(is));

/** A whole number, written into the statement. */
function wholeNumber(e: Expr): Expression {
  if (e.is !== 'value' || e.value === null || !/^\d{1,9}$/.test(e.value)) throw new TypeError('no whole number');
  return raw(e.value);
}

/** Digits, written into the statement: MySQL would treat a bound number as a double. */
export function digits(value: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(value)) throw new TypeError('no digits');
  return value;
}
