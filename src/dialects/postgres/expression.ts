/** Compiles a question's expressions for PostgreSQL. */
import type { Server } from '../../model/catalog.ts';
import type { Where } from '../../model/plan.ts';
import { type Expr, type FormatPart, int8, type Step } from '../../model/question.ts';
import type { Arithmetic, Comparison, TimePart } from '../../model/select.ts';
import { type Column, isFlag, isText, type Type } from '../../model/table.ts';
import type { Counting } from '../aggregate.ts';
import { ExpressionPrinter, type Folded } from '../expression.ts';
import { type Expression, id, type Knex, type Operand, of, raw } from '../knex.ts';
import { condition } from '../sql.ts';
import { shown } from './column.ts';
import { compared } from './select.ts';

export class PostgresExpressions extends ExpressionPrinter {
  protected readonly total = 'SUM(COUNT(*)) OVER ()';
  protected readonly knowsGroups = true;
  readonly #counting: Counting;
  readonly #server: Server;

  constructor(server: Server, counting: Counting, query: (nth: number) => Knex.QueryBuilder) {
    super(query);
    this.#server = server;
    this.#counting = counting;
  }

  key(e: Expr): Operand {
    return e.is === 'column' ? of(e.column, this.#counting.grouped(e.column)) : this.print(e);
  }

  output(e: Expr): Operand {
    if (e.is === 'column') return this.key(e);
    const value = this.print(e);
    return e.type.kind === 'decimal' && e.type.scale !== null ? raw(`round(??, ${e.type.scale})`, [value]) : value;
  }

  protected filter = (where: Where): Expression =>
    condition(where, (comparison) => compared(comparison, this.#server)) ?? raw('TRUE');
  protected bare = (column: Column): Operand => id(column);

  /** A column's value as the API shows it. Numbers become wide. */
  protected column(column: Column): Operand {
    const { type } = column;
    switch (type.kind) {
      case 'int':
        return of(column, '??::int8');
      case 'float':
        return of(column, type.bits === 64 ? '??' : '??::float8');
      case 'bool':
        return of(column, isFlag(column) ? '(?? <> 0)' : '??');
      case 'text':
        return of(column, column.equality === 'folds' ? this.#counting.grouped(column) : shown(column));
      case 'choice':
        return of(column, shown(column));
      default:
        return id(column);
    }
  }

  protected constant(type: Type, value: string): Expression {
    if (type.kind === 'bool') return raw(value === 'true' ? 'TRUE' : 'FALSE');
    const cast = nameOf(type);
    return raw(`?::${cast}`, [this.shared(value, cast)]);
  }

  protected missing = (type: Type): Expression => raw(`NULL::${nameOf(type)}`);

  /** A column's texts are ordered by its collation, all others by their characters. */
  protected compareTexts(op: Comparison, left: Expr, right: Expr): Expression {
    const inOrder =
      (left.is === 'column' && (right.is !== 'column' || left.column.collation === right.column.collation)) ||
      (right.is === 'column' && left.is !== 'column');
    const isOrder = op !== '=' && op !== '<>';
    return raw(inOrder && isOrder ? `(?? ${op} ??)` : `(?? ${op} ?? COLLATE "C")`, [
      this.print(left),
      this.print(right),
    ]);
  }

  protected like(text: Operand, pattern: string, folds: boolean): Expression {
    return raw(`(?? ${folds ? 'ILIKE' : 'LIKE'} ? ESCAPE '|')`, [text, this.shared(pattern, 'text')]);
  }

  protected number(e: Expr, type: Type): Operand {
    const value = this.print(e);
    return type.kind === 'float' && e.type.kind !== 'float' ? raw('??::float8', [value]) : value;
  }

  protected arithmetic(op: Arithmetic, left: Operand, right: Operand, type: Type): Expression {
    if (op !== '/' && op !== '%') return raw(`(?? ${op} ??)`, [left, right]);
    if (op === '%' || type.kind !== 'decimal') return raw(`(?? ${op} nullif(??, 0))`, [left, right]);
    return raw(`round(?? * ${thirtyPlaces} / nullif(??, 0), 16)`, [left, right]);
  }

  protected concat(texts: readonly Operand[], skipsNull: boolean): Expression {
    return skipsNull ? raw('concat(??)', [texts]) : raw(`(${texts.map(() => '??').join(' || ')})`, texts);
  }

  protected cast(value: Operand, from: Type, to: Type): Operand {
    switch (to.kind) {
      case 'int':
        if (from.kind === 'bool') return raw('??::int::int8', [value]);
        // Rounds halves as PostgreSQL does: a double to the even number, a numeric away from zero.
        return from.kind === 'int'
          ? value
          : raw('round(??)::int8', [from.kind === 'float' ? value : digitsOf(value, from)]);
      case 'decimal':
        return to.scale === null ? raw('??::numeric', [value]) : raw(`round(??, ${to.scale})`, [digitsOf(value, from)]);
      case 'text':
        return raw(`${from.kind === 'decimal' && from.scale !== null ? `round(??, ${from.scale})` : '??'}::text`, [
          value,
        ]);
      default:
        return raw(`??::${nameOf(to)}`, [value]);
    }
  }

  protected truncate(every: Step, time: Operand, type: Type): Operand {
    if (type.kind === 'date') return raw(`date_trunc('${every}', ??::timestamp)::date`, [time]);
    return raw(`date_trunc('${every}', ??)`, [time]);
  }

  protected extract = (part: TimePart, time: Operand): Operand => raw(`extract(${part} from ??)::numeric`, [time]);

  protected format(format: readonly FormatPart[], time: Operand): Expression {
    const text = format.map((one) => ('text' in one ? `"${one.text.replace(/["\\]/g, '\\$&')}"` : one.part)).join('');
    return raw('to_char(??, ?)', [time, this.shared(text, 'text')]);
  }

  protected shift(time: Operand, months: number, seconds: number): Expression {
    return raw('(??::timestamp + make_interval(months => ?::int, secs => ?::float8))', [
      ...[time, this.shared(String(months), 'int')],
      this.shared(String(seconds), 'float8'),
    ]);
  }

  protected now = ({ kind }: Type): Expression => raw(`(now() AT TIME ZONE 'UTC')${kind === 'date' ? '::date' : ''}`);

  /** We don't use floor(a / w): the quotient is rounded, which may carry it over an edge. A negative number has a negative remainder. */
  protected floor(number: Operand, width: string, type: Type): Expression {
    const cast = type.kind === 'int' ? 'int8' : 'numeric';
    const w = this.shared(width, cast);
    const exact = raw(`(?? - mod(mod(??, ?::${cast}) + ?::${cast}, ?::${cast}))`, [number, number, w, w, w]);
    return type.kind === 'int' ? exact : raw(`round(??, ${width.split('.')[1]?.length ?? 0})`, [exact]);
  }

  protected rounded(fn: 'round' | 'floor' | 'ceil', number: Operand, from: Type, type: Type): Operand {
    if (from.kind === 'int') return number;
    if (fn === 'round' && type.kind === 'decimal')
      return raw(`round(??, ${type.scale ?? 0})`, [digitsOf(number, from)]);
    return raw(`${fn}(??)`, [number]);
  }

  protected text(fn: 'lower' | 'upper' | 'trim' | 'length', text: Operand): Operand {
    return raw(`${{ lower: 'lower', upper: 'upper', trim: 'btrim', length: 'char_length' }[fn]}(??)`, [text]);
  }

  protected aggregation(fn: Folded, of: Expr, type: Type): readonly [sql: string, argument: Operand] {
    switch (fn) {
      case 'min':
      case 'max':
        return isText(of.type) && of.is !== 'column'
          ? [`${fn}(?? COLLATE "C")`, this.print(of)]
          : [`${fn}(??)`, of.is === 'column' ? id(of.column) : this.print(of)];
      case 'sum':
        // PostgreSQL sums an int8 as a numeric. And where it would compute with an int4, we compute with an int8.
        return [
          type.kind === 'int' && (of.is !== 'column' || isComputed(of.type)) ? 'SUM(??)::int8' : 'SUM(??)',
          this.#summed(of),
        ];
      case 'avg':
        return type.kind === 'float'
          ? ['(SUM(??) / NULLIF(COUNT(??), 0))', this.print(of)]
          : [`round(SUM(??)::numeric * ${thirtyPlaces} / NULLIF(COUNT(??), 0), 16)`, this.#summed(of)];
      case 'deviation':
        // Exact numbers stay numeric: as doubles, equal numbers would get a deviation of some 1e-13.
        return [of.type.kind === 'float' ? 'stddev_samp(??)' : 'stddev_samp(??::numeric)::float8', this.print(of)];
    }
  }

  /** The argument of SUM: a plain column if the sum of its type is exact. */
  #summed(e: Expr): Operand {
    const isWide = e.is !== 'column' || e.type.kind === 'float' || e.column.native === 'oid';
    return isWide ? this.print(e) : id(e.column);
  }
}

const isComputed = (type: Type): boolean => type.kind === 'int' && type.max === int8.max;

/** A double as a numeric with the digits that the API shows. */
const digitsOf = (value: Operand, from: Type): Operand =>
  raw(from.kind === 'float' ? '??::text::numeric' : '??::numeric', [value]);

/** A factor that gives a quotient 30 places, so that we can round it to exactly 16. */
const thirtyPlaces = `1.${'0'.repeat(30)}`;

/** The type of a constant or a cast. */
function nameOf(type: Type): string {
  switch (type.kind) {
    case 'int':
      return 'int8';
    case 'decimal':
      return 'numeric';
    case 'float':
      return 'float8';
    case 'bool':
      return 'bool';
    case 'date':
      return 'date';
    case 'timestamp':
      return type.zoned ? 'timestamptz' : 'timestamp';
    default:
      return 'text';
  }
}
