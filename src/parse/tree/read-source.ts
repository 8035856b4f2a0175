/** What follows FROM: tables, queries, and joins of them. Pure. */
import { type SelectSource, SqlFault } from '../../model/select.ts';
import type { Scope } from './scope.ts';
import type { TreeNode } from './tree-node.ts';

const maxSources = 4;

/** Reads a FROM clause, which is one table, query or join. @throws SqlFault for anything that we don't support, and above four tables */
export function readSource(node: TreeNode, scope: Scope): SelectSource {
  const source = readAny(node, scope);
  const extra = leavesOf(source)[maxSources];
  if (extra !== undefined) throw new SqlFault(`FROM must have at most ${maxSources} tables`, extra.at);
  return source;
}

function readAny(node: TreeNode, around: Scope): SelectSource {
  const scope = around.inner(node.at);
  switch (node.kind) {
    case 'RangeVar':
      return readTable(node, scope);
    case 'RangeSubselect':
      return {
        ...{ is: 'query', at: node.at, of: scope.selectInFrom(node.node('subquery')) },
        alias: readAlias(node),
      };
    case 'JoinExpr':
      return readJoin(node, scope);
    default:
      throw new SqlFault('this part of FROM is not supported', node.at);
  }
}

function readTable(node: TreeNode, scope: Scope): SelectSource {
  const { at } = node;
  const name = node.text('relname');
  const alias = readAlias(node) ?? name;
  if (!node.flag('inh')) throw new SqlFault('ONLY is not supported', at);
  const named = scope.withQuery(name);
  if (named === null) scope.countTable(at);
  return named === null ? { is: 'table', at, name, alias } : { is: 'query', at, of: scope.selectOfWith(named), alias };
}

const readAlias = (node: TreeNode): string | null =>
  node.has('alias') ? node.part('alias', 'Alias').text('aliasname') : null;

function readJoin(node: TreeNode, scope: Scope): SelectSource {
  const kind = node.text('jointype');
  const left = readAny(node.node('larg'), scope);
  const right = readAny(node.node('rarg'), scope);
  const { at } = node;
  if (kind !== 'JOIN_INNER' && kind !== 'JOIN_LEFT')
    throw new SqlFault(`${kind === 'JOIN_RIGHT' ? 'RIGHT' : 'FULL'} JOIN is not supported`, at);
  const on = node.optional('quals');
  if (on === null) throw new SqlFault('a JOIN without ON is not supported', at);
  return { is: 'join', at, keepsLeft: kind === 'JOIN_LEFT', left, right, on: scope.expr(on) };
}

const leavesOf = (source: SelectSource): readonly SelectSource[] =>
  source.is === 'join' ? [...leavesOf(source.left), ...leavesOf(source.right)] : [source];
