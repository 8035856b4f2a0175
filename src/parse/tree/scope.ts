/** The context of the part of a text that we are reading: the limits so far, and the names of WITH. Pure. */
import { type Select, type SqlExpr, SqlFault } from '../../model/select.ts';
import type { TreeNode } from './tree-node.ts';

const maxParts = 1000;
/** We look up all columns of each table, which takes up to a millisecond. */
const maxTables = 32;
const maxLevels = 40;
const maxLevelsOfFrom = 2;

/** Queries contain expressions, and expressions contain queries. Passing the functions avoids files that import each other. */
export interface Readers {
  select(node: TreeNode, scope: Scope): Select;
  expr(node: TreeNode, scope: Scope): SqlExpr;
}

/** A query of WITH, with the scope in which it is defined: it may only use the names before it. */
export interface WithQuery {
  readonly query: TreeNode;
  readonly scope: Scope;
}

interface Around {
  readonly readers: Readers;
  /** How many parts and tables we have read so far in the whole text. */
  readonly parts: { count: number };
  readonly tables: { count: number };
  readonly level: number;
  /** How many queries in FROM enclose this one in the text. A name of WITH adds none. */
  readonly levelOfFrom: number;
  readonly withs: ReadonlyMap<string, WithQuery>;
}

export class Scope {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  static ofText(readers: Readers): Scope {
    return new Scope({
      readers,
      parts: { count: 0 },
      tables: { count: 0 },
      level: 0,
      levelOfFrom: 0,
      withs: new Map(),
    });
  }

  /** Reads an expression inside this part. */
  expr(node: TreeNode): SqlExpr {
    return this.#around.readers.expr(node, this.inner(node.at));
  }

  /** Reads an optional expression. */
  exprOrNull(node: TreeNode | null): SqlExpr | null {
    return node === null ? null : this.expr(node);
  }

  /** Reads a whole query: one that is used as a value, or the text itself. */
  select(node: TreeNode): Select {
    return this.#around.readers.select(node, this.inner(node.at));
  }

  /** Reads a query in parentheses in FROM. @throws SqlFault if two other such queries already enclose it */
  selectInFrom(node: TreeNode): Select {
    const levelOfFrom = this.#around.levelOfFrom + 1;
    if (levelOfFrom > maxLevelsOfFrom)
      throw new SqlFault(`FROM with more than ${maxLevelsOfFrom} levels of queries is not supported`, node.at);
    const inner = this.inner(node.at);
    return this.#around.readers.select(node, new Scope({ ...inner.#around, levelOfFrom }));
  }

  /**
   * Reads the query behind a name of WITH. It has its own scope, but the level of this reference. We count every reference: otherwise a
   * chain of names that each use the previous one twice could grow to 2 to the power of its length.
   */
  selectOfWith({ query, scope }: WithQuery): Select {
    const { withs, levelOfFrom } = scope.#around;
    return new Scope({ ...this.#around, withs, levelOfFrom }).select(query);
  }

  withQuery(name: string): WithQuery | null {
    return this.#around.withs.get(name) ?? null;
  }

  /** This scope, extended by the names of a WITH. Inner names hide outer ones. */
  withQueries(withs: ReadonlyMap<string, WithQuery>): Scope {
    return new Scope({ ...this.#around, withs: new Map([...this.#around.withs, ...withs]) });
  }

  /** Counts a table. @throws SqlFault above the limit */
  countTable(at: number): void {
    this.#around.tables.count++;
    if (this.#around.tables.count > maxTables)
      throw new SqlFault(`must have at most ${maxTables} tables, with those of subqueries`, at);
  }

  /** Counts a part that is one level deeper. @throws SqlFault above the limits */
  inner(at: number): Scope {
    const level = this.#around.level + 1;
    this.#around.parts.count++;
    if (this.#around.parts.count > maxParts) throw new SqlFault(`must have at most ${maxParts} parts`, at);
    if (level > maxLevels) throw new SqlFault(`must have at most ${maxLevels} levels of nesting`, at);
    return new Scope({ ...this.#around, level });
  }
}
