/** The cost of printing expressions. A dialect may print an expression several times inside another one, so we count the printed tree. */
import { type Expr, partsOf, type Question, type Source } from '../../model/question.ts';
import { SqlFault } from '../../model/select.ts';

/** Enough for a SELECT with 150 rounded averages. */
const maxParts = 5000;

/** How often, at most, a dialect writes the expressions inside this one. */
const copies: Readonly<Partial<Record<Expr['is'], number>>> = {
  ...{ aggregate: 2, compare: 2, floor: 2 },
  ...{ truncate: 3, cast: 3, call: 3 },
};

export class Cost {
  readonly #sizes = new WeakMap<Expr, number>();
  readonly #questions = new WeakMap<Question, number>();

  /** Returns the expression. Throws a `SqlFault` if it is too large. */
  checked(e: Expr, at: number): Expr {
    if (this.#sizeOf(e) > maxParts) throw new SqlFault('this expression is too complex', at);
    return e;
  }

  /** Says which question an expression takes its value from. */
  query(e: Expr, of: Question): void {
    this.#sizes.set(e, this.#questions.get(of) ?? 0);
  }

  /** Throws a `SqlFault` if the expressions of a question and its subqueries are too large together. */
  check(question: Question, at: number): void {
    const { from, outputs, where, groups, having, sort, queries } = question;
    const conditions = [where, having].filter((one) => one !== null);
    const all = [...outputs.map(({ of }) => of), ...conditions, ...(groups ?? []), ...sort.map(({ by }) => by)];
    const own = all.reduce((sum, one) => sum + this.#sizeOf(one), this.#ofSource(from));
    const total = queries.reduce((sum, one) => sum + (this.#questions.get(one) ?? 0), own);
    if (total > maxParts) throw new SqlFault('this SELECT is too complex', at);
    this.#questions.set(question, total);
  }

  /** Gives a question the size of the question from which it was made. */
  isAlike(question: Question, other: Question): void {
    this.#questions.set(question, this.#questions.get(other) ?? 0);
  }

  #ofSource(from: Source): number {
    if (from.is === 'table') return 1;
    if (from.is === 'query') return this.#questions.get(from.of) ?? 0;
    return this.#ofSource(from.left) + this.#ofSource(from.right) + this.#sizeOf(from.on);
  }

  #sizeOf(e: Expr): number {
    const known = this.#sizes.get(e);
    if (known !== undefined) return known;
    const inside = partsOf(e).reduce((sum, part) => sum + this.#sizeOf(part), 0);
    const size = 1 + (copies[e.is] ?? 1) * inside;
    this.#sizes.set(e, size);
    return size;
  }
}
