/** Operators between values. Pure. */
import {
  type Arithmetic,
  arithmetics,
  type Comparison,
  comparisons,
  type SqlExpr,
  SqlFault,
} from '../../model/select.ts';
import { truncate } from '../../values/truncate.ts';
import { negated } from './read-constant.ts';
import type { Scope } from './scope.ts';
import type { TreeNode } from './tree-node.ts';

const isComparison = (text: string): text is Comparison => comparisons.some((one) => one === text);
const isArithmetic = (text: string): text is Arithmetic => arithmetics.some((one) => one === text);

/** Operators with a special syntax in SQL, which we refuse. */
const refusedForms: ReadonlyMap<string, string> = new Map([
  ['AEXPR_BETWEEN_SYM', 'BETWEEN SYMMETRIC'],
  ['AEXPR_DISTINCT', 'IS DISTINCT FROM'],
  ['AEXPR_NOT_BETWEEN_SYM', 'BETWEEN SYMMETRIC'],
  ['AEXPR_NOT_DISTINCT', 'IS NOT DISTINCT FROM'],
  ['AEXPR_OP_ALL', 'ALL'],
  ['AEXPR_OP_ANY', 'ANY'],
  ['AEXPR_SIMILAR', 'SIMILAR TO'],
]);

/** Reads an operator and its operands. @throws SqlFault for anything that we don't support */
export function readOperator(node: TreeNode, scope: Scope): SqlExpr {
  const { at } = node;
  const kind = node.text('kind');
  const [operator = '', ...others] = node.names('name');
  if (others.length > 0) throw new SqlFault('an operator with a schema is not supported', at);
  const left = () => scope.expr(node.node('lexpr'));
  const right = () => scope.expr(node.node('rexpr'));
  switch (kind) {
    case 'AEXPR_OP':
      return node.has('lexpr') ? binary(operator, at, left, right) : unary(operator, at, right);
    case 'AEXPR_IN':
      return { is: 'in', at, not: operator === '<>', of: left(), list: itemsOf(node, scope) };
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE': {
      const folds = kind === 'AEXPR_ILIKE';
      return { is: 'like', at, not: operator.startsWith('!'), folds, of: left(), pattern: right() };
    }
    case 'AEXPR_BETWEEN':
      return between(node, scope);
    case 'AEXPR_NOT_BETWEEN':
      return { is: 'not', at, of: between(node, scope) };
    case 'AEXPR_NULLIF': {
      const args = [left(), right()];
      return { is: 'call', at, fn: 'nullif', args, ofAll: false, distinct: false, filter: null };
    }
    default:
      throw new SqlFault(`${refusedForms.get(kind) ?? 'this operator'} is not supported`, at);
  }
}

const unsupported = (operator: string, at: number) =>
  new SqlFault(`the operator ${truncate(operator)} is not supported`, at);

function binary(operator: string, at: number, left: () => SqlExpr, right: () => SqlExpr): SqlExpr {
  if (isComparison(operator)) return { is: 'compare', at, op: operator, left: left(), right: right() };
  if (isArithmetic(operator)) return { is: 'arithmetic', at, op: operator, left: left(), right: right() };
  if (operator === '||') return { is: 'join texts', at, left: left(), right: right() };
  throw unsupported(operator, at);
}

function unary(operator: string, at: number, right: () => SqlExpr): SqlExpr {
  if (operator === '+') return right();
  if (operator === '-') return negated(right(), at);
  throw unsupported(operator, at);
}

function itemsOf(node: TreeNode, scope: Scope): readonly SqlExpr[] {
  const items = node.node('rexpr').as('List').list('items');
  return items.map((one) => scope.expr(one));
}

/** `x BETWEEN a AND b` as two comparisons. We read `x` twice and count it twice; otherwise nested BETWEENs could double it at each level. */
function between(node: TreeNode, scope: Scope): SqlExpr {
  const { at } = node;
  const left = () => scope.expr(node.node('lexpr'));
  const [low, high] = itemsOf(node, scope);
  if (low === undefined || high === undefined) throw new SqlFault('this operator is not supported', at);
  return {
    ...{ is: 'and', at },
    of: [
      { is: 'compare', at, op: '>=', left: left(), right: low },
      { is: 'compare', at, op: '<=', left: left(), right: high },
    ],
  };
}
