/** Compiles a question's expressions for MySQL and MariaDB. */
import type { Where } from '../../model/plan.ts';
import type { Expr, FormatPart, Step } from '../../model/question.ts';
import { type Arithmetic, type Comparison, type TimePart, turned } from '../../model/select.ts';
import { type Column, hasZeroDate, isFlag, isText, type Type } from '../../model/table.ts';
import type { Counting } from '../aggregate.ts';
import { digits, ExpressionPrinter, type Folded, filled, isConstant } from '../expression.ts';
import { type Expression, id, type Knex, type Operand, of, raw } from '../knex.ts';
import { condition } from '../sql.ts';
import { beginnings, formats, parts } from './calendar.ts';
import { withoutZero, zeroDate } from './column.ts';
import { folded } from './contains.ts';
import { compared } from './select.ts';

export class MysqlExpressions extends ExpressionPrinter {
  protected readonly total: string;
  protected readonly knowsGroups = false;
  readonly #counting: Counting;

  constructor(counting: Counting, query: (nth: number) => Knex.QueryBuilder) {
    super(query);
    this.#counting = counting;
    this.total = counting.hasWindows ? 'SUM(COUNT(*)) OVER ()' : 'NULL';
  }

  key(e: Expr): Operand {
    if (e.is === 'column') return of(e.column, this.#counting.grouped(e.column));
    if (isText(e.type)) return bytes(this.print(e));
    return e.type.kind === 'float' ? filled('IF(?? = 0, 0, ??)', this.print(e)) : this.print(e);
  }

  output(e: Expr): Operand {
    if (e.is === 'column') return of(e.column, this.#counting.output(e.column));
    const value = this.print(e);
    const { type } = e;
    // The blanks reserve room: a temporary table would cut off the longest text of a double, such as -0.000000000000009999999999999998.
    if (type.kind === 'float') return raw("TRIM(CONCAT(??, '            '))", [value]);
    if (type.kind === 'decimal') return raw(`CAST(?? AS ${decimal(type)})`, [value]);
    return value;
  }

  protected filter = (where: Where): Expression => condition(where, compared) ?? raw('TRUE');
  protected bare = (column: Column): Operand => id(column);

  /** A column's value as the API shows it. Numbers become wide and signed. */
  protected column(column: Column): Operand {
    const { type } = column;
    switch (type.kind) {
      case 'bool':
        return of(column, isFlag(column) ? '(?? <> 0)' : '??');
      case 'int':
        return of(column, type.wire === 'numeric' ? 'CAST(?? AS DECIMAL(20, 0))' : 'CAST(?? AS SIGNED)');
      case 'decimal':
        return of(column, /unsigned|zerofill/.test(column.native) ? `CAST(?? AS ${decimal(type)})` : '??');
      case 'float':
        return of(column, '(?? * 1e0)');
      case 'text':
        return of(column, column.charset === 'utf8mb4' ? '??' : 'CONVERT(?? USING utf8mb4)');
      case 'choice':
        return of(column, 'CONVERT(CONCAT(??) USING utf8mb4)');
      case 'date':
      case 'timestamp':
        return of(column, withoutZero(column));
      default:
        return id(column);
    }
  }

  protected constant(type: Type, value: string): Expression {
    switch (type.kind) {
      case 'bool':
        return raw(value === 'true' ? 'TRUE' : 'FALSE');
      case 'int':
        // Without the cast, MySQL would read the smallest int8 as a DECIMAL.
        return raw(value === String(type.min) ? `CAST(${digits(value)} AS SIGNED)` : `(${digits(value)})`);
      case 'decimal':
        return raw(`CAST(${digits(value)} AS ${decimal(type)})`);
      case 'float':
        return raw(`(${double(value)})`);
      case 'date':
        return raw('CAST(? AS DATE)', [value]);
      case 'timestamp':
        return raw('CAST(? AS DATETIME(6))', [value]);
      default:
        return raw('CONVERT(? USING utf8mb4)', [value]);
    }
  }

  /** A NULL with a type: MySQL would compute a double from a plain NULL. */
  protected missing(type: Type): Expression {
    switch (type.kind) {
      case 'int':
        return raw('CAST(NULL AS SIGNED)');
      case 'decimal':
        return raw(`CAST(NULL AS ${decimal(type)})`);
      case 'float':
        return raw('(NULL + 0e0)');
      case 'date':
        return raw('CAST(NULL AS DATE)');
      case 'timestamp':
        return raw('CAST(NULL AS DATETIME(6))');
      case 'text':
        return raw('CONVERT(NULL USING utf8mb4)');
      default:
        return raw('NULL');
    }
  }

  /** Compares a time column itself, so that an index can be used, and then excludes zero dates. */
  protected override compare(op: Comparison, left: Expr, right: Expr): Expression {
    if (this.isOfGroups) return super.compare(op, left, right);
    const of = left.is === 'column' ? left.column : null;
    if (of === null && right.is === 'column' && isConstant(left)) return this.compare(turned[op], right, left);
    if (of === null || !hasZeroDate(of) || !isConstant(right) || op === '<>') return super.compare(op, left, right);
    const compared = raw(`?? ${op} ??`, [id(of), this.print(right)]);
    // MySQL 8 and newer treats a value below TIMESTAMP's range as if it were above.
    const finds = op === '<' || op === '<=' || /^timestamp/.test(of.native);
    return finds ? raw(`(?? > '${zeroDate(of)}' and ?)`, [id(of), compared]) : raw('(?)', [compared]);
  }

  /** Texts are equal only if their bytes are. Columns are ordered by their collation, computed texts by their characters. */
  protected compareTexts(op: Comparison, left: Expr, right: Expr): Expression {
    const [l, r] = [this.print(left), this.print(right)];
    const collation = left.is === 'column' ? left.column.collation : null;
    const inBytes = raw(`(?? ${op} ??)`, [bytes(l), bytes(r)]);
    if (collation === null || left.is !== 'column') return inBytes;
    // The comparison by collation can use an index on the left column; the comparison of bytes then excludes false matches.
    const candidate = raw(`CONVERT(?? USING ${left.column.charset}) COLLATE ${collation}`, [r]);
    if (op === '=' && !this.isOfGroups) return raw('(?? = ?? and ?)', [id(left.column), candidate, inBytes]);
    const isAlike = right.is === 'column' && right.column.collation === collation;
    return op === '=' || op === '<>' || !isAlike ? inBytes : raw(`(?? ${op} ??)`, [l, r]);
  }

  protected like(text: Operand, pattern: string, folds: boolean): Expression {
    const seen = folds ? folded : (one: string) => `CONVERT(${one} USING utf8mb4) COLLATE utf8mb4_bin`;
    return raw(`(${seen('??')} LIKE ${seen('?')} ESCAPE '|')`, [text, pattern]);
  }

  protected number(e: Expr, type: Type): Operand {
    const value = this.print(e);
    if (type.kind === 'float') return e.type.kind === 'float' ? value : raw('(?? + 0e0)', [value]);
    // MariaDB computes 0 - -9223372036854775808 as a BIGINT, without reporting an overflow.
    const isInt = e.type.kind === 'int' || e.is === 'extract';
    return type.kind === 'decimal' && isInt ? raw('CAST(?? AS DECIMAL(20, 0))', [value]) : value;
  }

  protected arithmetic(op: Arithmetic, left: Operand, right: Operand, type: Type): Expression {
    // A decimal remainder may be -0, and its text would show the sign.
    if (op === '%' && type.kind === 'decimal') return raw('(?? % ?? + 0)', [left, right]);
    if (op !== '/') return raw(`(?? ${op} ??)`, [left, right]);
    if (type.kind === 'int') return raw('(?? DIV ??)', [left, right]);
    return type.kind === 'float'
      ? raw('(?? / ??)', [left, right])
      : raw('ROUND(CAST(?? AS DECIMAL(65, 26)) / ??, 16)', [left, right]);
  }

  protected concat(texts: readonly Operand[], skipsNull: boolean): Expression {
    return raw(skipsNull ? "CONCAT_WS('', ??)" : 'CONCAT(??)', [texts]);
  }

  protected cast(value: Operand, from: Type, to: Type): Operand {
    switch (to.kind) {
      case 'text':
        return from.kind === 'bool'
          ? raw("ELT(?? + 1, 'false', 'true')", [value])
          : raw(`CONVERT(CONCAT(${from.kind === 'decimal' ? `CAST(?? AS ${decimal(from)})` : '??'}) USING utf8mb4)`, [
              value,
            ]);
      case 'int':
        if (from.kind === 'int' || from.kind === 'bool') return value;
        // ROUND of a double rounds halves to the even number, as PostgreSQL does.
        return from.kind === 'float'
          ? filled(`CAST(${bounded('ROUND(??)', '1e18')} AS SIGNED)`, value)
          : raw('CAST(ROUND(??, 0) AS SIGNED)', [value]);
      case 'decimal':
        // Without the cast, MySQL 5.6 would compute with BIGINTs, even beyond their range.
        return from.kind === 'int'
          ? raw(`CAST(?? AS ${decimal(to)})`, [value])
          : raw(`ROUND(??, ${to.scale})`, [exact(value, from)]);
      case 'float':
        return raw('(?? + 0e0)', [value]);
      case 'date':
        return raw('DATE(??)', [value]);
      case 'timestamp':
        return raw('CAST(?? AS DATETIME(6))', [value]);
      default:
        return value;
    }
  }

  protected truncate(every: Step, time: Operand, type: Type): Operand {
    return filled(`CAST(${beginnings[every]} AS ${type.kind === 'date' ? 'DATE' : 'DATETIME'})`, time);
  }

  protected extract = (part: TimePart, time: Operand): Operand => filled(parts[part], time);

  protected format(format: readonly FormatPart[], time: Operand): Expression {
    const text = format.map((one) => ('text' in one ? one.text.replaceAll('%', '%%') : formats[one.part])).join('');
    return raw('DATE_FORMAT(??, ?)', [time, text]);
  }

  protected shift(time: Operand, months: number, seconds: number): Expression {
    return raw(
      `(CAST(?? AS DATETIME(6)) + INTERVAL ${digits(String(months))} MONTH + INTERVAL ${digits(String(seconds))} SECOND)`,
      [time],
    );
  }

  protected now = ({ kind }: Type): Expression => raw(kind === 'date' ? 'UTC_DATE()' : 'UTC_TIMESTAMP(6)');

  /** We don't use FLOOR(a / w): the quotient is rounded, which may carry it over an edge. A negative number has a negative remainder. */
  protected floor(number: Operand, width: string, type: Type): Expression {
    const w = digits(width);
    const floored = raw(`(?? - MOD(MOD(??, ${w}) + ${w}, ${w}))`, [number, number]);
    return type.kind === 'decimal' ? raw(`CAST(?? AS ${decimal(type)})`, [floored]) : floored;
  }

  protected rounded(fn: 'round' | 'floor' | 'ceil', number: Operand, from: Type, type: Type): Operand {
    if (from.kind === 'int') return number;
    if (fn === 'round' && type.kind === 'decimal') return raw(`ROUND(??, ${type.scale})`, [exact(number, from)]);
    // In a GROUP BY, MariaDB would cut off a large double returned by FLOOR or ROUND.
    return raw(from.kind === 'float' ? `(${fn}(??) + 0e0)` : `${fn}(??)`, [number]);
  }

  protected text(fn: 'lower' | 'upper' | 'trim' | 'length', text: Operand): Operand {
    if (fn === 'length') return raw('CHAR_LENGTH(??)', [text]);
    return raw(`${fn}(CONVERT(?? USING utf8mb4))`, [text]);
  }

  protected aggregation(fn: Folded, of: Expr, type: Type): readonly [sql: string, argument: Operand] {
    const number = this.#summed(of);
    switch (fn) {
      case 'min':
      case 'max':
        return isText(of.type) && of.is !== 'column'
          ? [`CONVERT(${fn}(??) USING utf8mb4)`, bytes(this.print(of))]
          : [`${fn}(??)`, this.#least(of)];
      case 'sum':
        // The factor makes MariaDB refuse an infinite sum, instead of storing the largest double.
        if (type.kind === 'float') return ['(SUM(??) * 1e0)', number];
        return [type.kind === 'int' ? 'CAST(SUM(??) AS SIGNED)' : 'SUM(??)', number];
      case 'avg':
        return [
          type.kind === 'float' ? '(SUM(??) / COUNT(??))' : 'ROUND(CAST(SUM(??) AS DECIMAL(65, 26)) / COUNT(??), 16)',
          number,
        ];
      case 'deviation':
        return ['STDDEV_SAMP(??)', raw('(?? + 0e0)', [this.print(of)])];
    }
  }

  /** The argument of SUM: a column, without the rounding of FLOAT(7,2) and the zeros of ZEROFILL. */
  #summed(e: Expr): Operand {
    if (e.is !== 'column' || e.type.kind === 'bool') return this.print(e);
    return of(e.column, e.type.kind === 'float' ? '?? * 1e0' : /zerofill/.test(e.column.native) ? '?? + 0' : '??');
  }

  /** The argument of MIN and MAX: skips zero dates, because the API shows them as null. */
  #least(e: Expr): Operand {
    if (e.is !== 'column') return this.print(e);
    return hasZeroDate(e.column) ? of(e.column, withoutZero(e.column)) : this.#summed(e);
  }
}

const bytes = (text: Operand): Expression => raw('CAST(CONVERT(?? USING utf8mb4) AS BINARY)', [text]);

const decimal = ({ precision, scale }: Extract<Type, { kind: 'decimal' }>): string =>
  `DECIMAL(${Math.max(precision ?? 65, 1)}, ${scale ?? 30})`;

/** SQL for a double (`??`). A cast of a larger number than `most` would return 999…9, so we make EXP fail with an error (out of range). */
const bounded = (sql: string, most: '1e18' | '1e30'): string =>
  `CASE WHEN ABS(??) < ${most} THEN ${sql} ELSE EXP(ABS(??)) END`;

/** A double as a decimal with the digits that the API shows. */
const exact = (value: Operand, from: Type): Operand =>
  from.kind === 'float' ? filled(`CAST(CONCAT(${bounded('??', '1e30')}) AS DECIMAL(65, 30))`, value) : value;

function double(value: string): string {
  const text = String(Number(value));
  return text.includes('e') ? text : `${text}e0`;
}
