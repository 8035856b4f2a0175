/** One expression of PostgreSQL's parser → ours. Pure. */
import { type SqlExpr, SqlFault } from '../../model/select.ts';
import { readCall } from './read-call.ts';
import { readCast } from './read-cast.ts';
import { readConstant } from './read-constant.ts';
import { readOperator } from './read-operator.ts';
import type { Scope } from './scope.ts';
import type { TreeNode } from './tree-node.ts';

/** Reads an expression. @throws SqlFault for anything that we don't support */
export function readExpression(node: TreeNode, scope: Scope): SqlExpr {
  const { at } = node;
  const all = (member: string) => node.list(member).map((one) => scope.expr(one));
  switch (node.kind) {
    case 'ColumnRef':
      return readName(node);
    case 'A_Const':
      return readConstant(node);
    case 'A_Expr':
      return readOperator(node, scope);
    case 'BoolExpr':
      return readLogic(node, all('args'));
    case 'NullTest':
      return {
        ...{ is: 'nullTest', at, not: node.text('nulltesttype') === 'IS_NOT_NULL' },
        of: scope.expr(node.node('arg')),
      };
    case 'BooleanTest':
      return readTruthTest(node, scope);
    case 'CaseExpr':
      return readCase(node, scope);
    case 'CoalesceExpr':
      return { is: 'call', at, fn: 'coalesce', args: all('args'), ofAll: false, distinct: false, filter: null };
    case 'FuncCall':
      return readCall(node, scope);
    case 'TypeCast':
      return readCast(node, scope);
    case 'SQLValueFunction':
      return readClock(node);
    case 'SubLink':
      return readSubquery(node, scope);
    default:
      throw new SqlFault('this expression is not supported', at);
  }
}

function readName(node: TreeNode): SqlExpr {
  const { at } = node;
  const fields = node.list('fields');
  if (fields.at(-1)?.kind === 'A_Star') throw new SqlFault('* inside an expression is not supported', at);
  const names = node.names('fields');
  if (names.length > 2) throw new SqlFault('a name with a schema is not supported', at);
  const source = names.length === 2 ? (names[0] ?? null) : null;
  return { is: 'name', at, source, name: names.at(-1) ?? '' };
}

function readLogic(node: TreeNode, of: readonly SqlExpr[]): SqlExpr {
  const { at } = node;
  const operator = node.text('boolop');
  if (operator === 'AND_EXPR') return { is: 'and', at, of };
  if (operator === 'OR_EXPR') return { is: 'or', at, of };
  const [negated] = of;
  if (negated === undefined) throw new SqlFault('this expression is not supported', at);
  return { is: 'not', at, of: negated };
}

function readTruthTest(node: TreeNode, scope: Scope): SqlExpr {
  const words = node.text('booltesttype');
  const value = words.endsWith('_UNKNOWN') ? null : words.endsWith('_TRUE');
  const test = { value, not: words.startsWith('IS_NOT_') };
  return { is: 'truthTest', at: node.at, test, of: scope.expr(node.node('arg')) };
}

function readCase(node: TreeNode, scope: Scope): SqlExpr {
  const { at } = node;
  const subject = node.optional('arg');
  const whens = node.list('args').map((one) => {
    const when = one.as('CaseWhen');
    const condition = scope.expr(when.node('expr'));
    return {
      // We read the subject again for each WHEN, and count its parts each time; otherwise nested CASEs could double it at each level.
      when:
        subject === null
          ? condition
          : ({ is: 'compare', at: when.at, op: '=', left: scope.expr(subject), right: condition } as const),
      value: scope.expr(when.node('result')),
    };
  });
  return { is: 'case', at, whens, otherwise: scope.exprOrNull(node.optional('defresult')) };
}

function readClock(node: TreeNode): SqlExpr {
  const { at } = node;
  const name = node.text('op').replace(/^SVFOP_/, '');
  if (name === 'CURRENT_DATE') return { is: 'now', at, shows: 'date' };
  if (name === 'CURRENT_TIMESTAMP') return { is: 'now', at, shows: 'time' };
  throw new SqlFault(`${name.replace(/_N$/, ' with a precision')} is not supported`, at);
}

function readSubquery(node: TreeNode, scope: Scope): SqlExpr {
  const { at } = node;
  const kind = node.text('subLinkType');
  if (kind === 'EXISTS_SUBLINK') throw new SqlFault('EXISTS is not supported', at);
  if (kind !== 'EXPR_SUBLINK') throw new SqlFault('ARRAY is not supported', at);
  return { is: 'query', at, of: scope.select(node.node('subselect')) };
}
