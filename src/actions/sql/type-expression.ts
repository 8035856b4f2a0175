/** Resolves each expression of a SELECT to its columns and type, the same on every engine. Everything else is refused. */
import { type Expr, int8, type Question, some } from '../../model/question.ts';
import { type Arithmetic, type Comparison, type Select, type SqlExpr, SqlFault, turned } from '../../model/select.ts';
import { isText, type Type } from '../../model/table.ts';
import { wireType } from '../query/columns.ts';
import { endsInEscape, portable } from '../query/conditions.ts';
import { arithmeticType, type NumberType } from '../question/digits.ts';
import { columnValue } from '../question/typed.ts';
import { castTo } from './cast.ts';
import { commonType } from './common-type.ts';
import { amongAsFilter, compare, compareAsFilter, comparesAsFilter, filter, isTime } from './compare.ts';
import { bool, constant, date, flag, isUntyped, nothing, number, text, timestamp } from './constants.ts';
import type { Cost } from './cost.ts';
import { callOf } from './functions.ts';
import { aggregates, measure } from './measure.ts';
import type { Scope } from './scope.ts';
import { inRecords, type Place, type Typing } from './typing.ts';

/** Types the expressions of one SELECT. */
export class ExpressionTyper implements Typing {
  /** The questions of the expressions' scalar subqueries. */
  readonly queries: Question[] = [];
  readonly #scope: Scope;
  readonly #cost: Cost;
  readonly #question: (select: Select) => Question;

  constructor(scope: Scope, cost: Cost, question: (select: Select) => Question) {
    this.#scope = scope;
    this.#cost = cost;
    this.#question = question;
  }

  /** A condition. Throws a `SqlFault` if the expression is not true or false. */
  condition(e: SqlExpr, place: Place): Expr {
    const typed = this.as(e, bool, place);
    if (typed.type.kind === 'bool') return typed;
    throw new SqlFault(`${place.clause} needs a condition, got: ${wireType(typed.type)}`, e.at);
  }

  /** An expression, in which a text or NULL without a type has this type. */
  as(e: SqlExpr, type: Type, place: Place): Expr {
    if (e.is === 'null') return nothing(type);
    return e.is === 'text' ? constant(e, type) : this.value(e, place);
  }

  /** An expression. Throws a `SqlFault` for an unknown name, an operation that its types lack, or an expression that is too large. */
  value(e: SqlExpr, place: Place): Expr {
    return this.#cost.checked(this.#typed(e, place), e.at);
  }

  #typed(e: SqlExpr, place: Place): Expr {
    switch (e.is) {
      case 'name':
        return columnValue(this.#scope.column(e.source, e.name, e.at));
      case 'number':
        return number(e.digits);
      case 'text':
      case 'null':
        return this.as(e, text, place);
      case 'flag':
        return flag(e.value);
      case 'and':
      case 'or':
        return {
          is: e.is,
          of: e.of.map((one) => this.condition(one, { ...place, clause: e.is.toUpperCase() })),
          type: bool,
        };
      case 'not':
        return { is: 'not', of: this.condition(e.of, { ...place, clause: 'NOT' }), type: bool };
      case 'negative':
        return this.#negative(e.of, place, e.at);
      case 'nullTest':
        return this.#nullTest(e.of, e.not, place);
      case 'truthTest':
        return { is: 'truthTest', test: e.test, of: this.condition(e.of, { ...place, clause: 'IS TRUE' }), type: bool };
      case 'compare':
        return this.#compare(e.op, e.left, e.right, place, e.at);
      case 'in':
        return this.#in(e, place);
      case 'like':
        return this.#like(e, place);
      case 'arithmetic':
        return this.#arithmetic(e.op, e.left, e.right, place, e.at);
      case 'join texts':
        return {
          is: 'concat',
          skipsNull: false,
          of: [e.left, e.right].map((one) => this.#text(one, '||', place)),
          type: text,
        };
      case 'case':
        return this.#case(e, place);
      case 'cast':
        return e.of.is === 'text' || e.of.is === 'null'
          ? this.#typedConstant(e, place)
          : castTo(e, this.value(e.of, place));
      case 'call':
        return this.#call(e, place);
      case 'now':
        return { is: 'now', type: e.shows === 'date' ? date : timestamp };
      case 'interval':
        throw new SqlFault('an interval is only added to a time, or subtracted from one', e.at);
      case 'query':
        return this.#query(e.of);
    }
  }

  /** Values that have one type, as in CASE. */
  alike(
    es: readonly SqlExpr[],
    what: string,
    place: Place,
    at: number,
  ): { readonly of: readonly Expr[]; readonly type: Type } {
    const typed = es.map((one) => (isUntyped(one) ? null : this.value(one, place)));
    const type = commonType(
      typed.flatMap((one) => one?.type ?? []),
      what,
      at,
    );
    const of = es.map((one, nth) => {
      const value = typed[nth] ?? this.as(one, type, place);
      return type.kind === 'timestamp' && value.type.kind === 'date'
        ? ({ is: 'cast', of: value, type } as const)
        : value;
    });
    return { of, type };
  }

  #negative(of: SqlExpr, place: Place, at: number): Expr {
    if (of.is === 'number') return number(of.digits.startsWith('-') ? of.digits.slice(1) : `-${of.digits}`);
    const value = this.value(of, place);
    const type = this.#number(value, '-', at);
    return {
      is: 'negative',
      of: value,
      type: arithmeticType('-', type, type, (lacks) => new SqlFault(`a value of type ${wireType(type)} ${lacks}`, at)),
    };
  }

  #nullTest(e: SqlExpr, not: boolean, place: Place): Expr {
    const of = this.value(e, place);
    if (of.is !== 'column' || place.aggregates) return { is: 'nullTest', not, of, type: bool };
    const isNull = filter(of.column, { op: 'null', field: of.column.label, value: true }, e.at);
    return not ? { is: 'not', of: isNull, type: bool } : isNull;
  }

  #compare(op: Comparison, left: SqlExpr, right: SqlExpr, place: Place, at: number): Expr {
    if (isUntyped(left) && !isUntyped(right)) return this.#compare(turned[op], right, left, place, at);
    return this.#compareWith(op, this.value(left, place), right, place, at);
  }

  #compareWith(op: Comparison, value: Expr, right: SqlExpr, place: Place, at: number): Expr {
    if (right.is === 'null') return nothing(bool);
    if (value.is === 'column' && right.is === 'text' && comparesAsFilter(value.column, place))
      return compareAsFilter(op, value.column, right.text, at);
    return compare(op, value, this.as(right, value.type, place), at);
  }

  /** `x IN (a, b)` means `x = a OR x = b`, even if one of them is NULL. */
  #in({ of, list, not, at }: Extract<SqlExpr, { is: 'in' }>, place: Place): Expr {
    const value = isUntyped(of) ? null : this.value(of, place);
    const texts = list.flatMap((one) => (one.is === 'text' ? [one.text] : []));
    if (value?.is === 'column' && texts.length === list.length && comparesAsFilter(value.column, place)) {
      const among = amongAsFilter(value.column, texts, at);
      return not ? { is: 'not', of: among, type: bool } : among;
    }
    const op = not ? '<>' : '=';
    const each = list.map((one) =>
      value === null ? this.#compare(op, of, one, place, at) : this.#compareWith(op, value, one, place, at),
    );
    return { is: not ? 'and' : 'or', of: each, type: bool };
  }

  #like({ of, pattern, not, folds, at }: Extract<SqlExpr, { is: 'like' }>, place: Place): Expr {
    const what = folds ? 'ILIKE' : 'LIKE';
    if (pattern.is === 'null') return nothing(bool);
    if (pattern.is !== 'text') throw new SqlFault(`${what} needs a text in quotes as its pattern`, pattern.at);
    if (endsInEscape(pattern.text))
      throw new SqlFault(`a pattern of ${what} must not end with a backslash`, pattern.at);
    const value = this.#text(of, what, place);
    const like: Expr =
      value.is === 'column' && !place.aggregates
        ? filter(value.column, { op: folds ? 'ilike' : 'like', field: value.column.label, value: pattern.text }, at)
        : { is: 'like', of: value, pattern: portable(pattern.text), folds, type: bool };
    return not ? { is: 'not', of: like, type: bool } : like;
  }

  #arithmetic(op: Arithmetic, left: SqlExpr, right: SqlExpr, place: Place, at: number): Expr {
    if (right.is === 'interval' && (op === '+' || op === '-')) return this.#shift(left, right, op === '-', place);
    if (left.is === 'interval' && op === '+') return this.#shift(right, left, false, place);
    const l = isUntyped(left) ? null : this.value(left, place);
    const r = isUntyped(right) ? this.as(right, l?.type ?? int8, place) : this.value(right, place);
    const first = l ?? this.as(left, r.type, place);
    const [a, b] = [this.#number(first, op, left.at), this.#number(r, op, right.at)];
    const type = arithmeticType(op, a, b, (lacks) => new SqlFault(`a value of type ${wireType(a)} ${lacks}`, at));
    if (op === '%' && type.kind === 'float') throw new SqlFault('% needs exact numbers, got: a double precision', at);
    return { is: 'arithmetic', op, left: first, right: r, type };
  }

  #shift(time: SqlExpr, { months, seconds }: Extract<SqlExpr, { is: 'interval' }>, back: boolean, place: Place): Expr {
    const of = this.as(time, timestamp, place);
    if (!isTime(of.type)) throw new SqlFault(`an interval is added to a time, got: ${wireType(of.type)}`, time.at);
    const type = of.type.kind === 'timestamp' ? { ...of.type, digits: 6 } : timestamp;
    return { is: 'shift', of, months: back ? -months : months, seconds: back ? -seconds : seconds, type };
  }

  #number(e: Expr, what: string, at: number): NumberType {
    const { type } = e;
    if (type.kind === 'int' || type.kind === 'decimal' || type.kind === 'float') return type;
    throw new SqlFault(`${what} needs numbers, got: ${wireType(type)}`, at);
  }

  #text(e: SqlExpr, what: string, place: Place): Expr {
    const value = this.value(e, place);
    if (isText(value.type)) return value;
    throw new SqlFault(`${what} needs texts, got: ${wireType(value.type)}; use CAST(… AS text)`, e.at);
  }

  #case({ whens, otherwise, at }: Extract<SqlExpr, { is: 'case' }>, place: Place): Expr {
    const conditions = whens.map(({ when }) => this.condition(when, { ...place, clause: 'WHEN' }));
    const all = [...whens.map(({ value }) => value), ...(otherwise === null ? [] : [otherwise])];
    const { of, type } = this.alike(all, 'CASE', place, at);
    const parts = conditions.map((when, nth) => ({ when, value: of[nth] ?? nothing(type) }));
    return { is: 'case', whens: parts, otherwise: otherwise === null ? null : (of.at(-1) ?? null), type };
  }

  /** `DATE '2024-01-01'`, or `CAST('7' AS integer)`. */
  #typedConstant(e: Extract<SqlExpr, { is: 'cast' }>, place: Place): Expr {
    const constant = this.as(e.of, castTo(e, nothing(text)).type, place);
    return e.modifiers.length === 0 ? constant : castTo(e, constant);
  }

  #call(e: Extract<SqlExpr, { is: 'call' }>, place: Place): Expr {
    if (!aggregates.has(e.fn)) return callOf(e, this, place);
    if (!place.aggregates)
      throw new SqlFault(`${place.clause} has records, not groups: ${e.fn} is not allowed here`, e.at);
    const inside = inRecords(e.fn);
    const filter = e.filter === null ? null : this.condition(e.filter, inRecords('FILTER'));
    return measure(
      e,
      e.args.map((one) => this.value(one, inside)),
      filter,
    );
  }

  #query(select: Select): Expr {
    const query = this.#question(select);
    const [output, ...others] = query.outputs;
    if (output === undefined || others.length > 0)
      throw new SqlFault('a subquery in an expression has one output', select.at);
    const isOne = query.groups?.length === 0 || query.limit === 1;
    if (!isOne)
      throw new SqlFault('a subquery in an expression must have one record: use LIMIT 1, or an aggregate', select.at);
    const value: Expr = { is: 'query', nth: this.queries.push(query) - 1, type: output.column.type };
    this.#cost.query(value, query);
    return value;
  }
}

/** Whether an expression has an aggregate. */
export const hasAggregate = (e: Expr): boolean => some(e, ({ is }) => is === 'aggregate');
