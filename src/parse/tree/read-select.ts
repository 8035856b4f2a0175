/** PostgreSQL's parse tree → our `Select`. Pure. */
import { type Select, type SelectOutput, type SelectSort, SqlFault } from '../../model/select.ts';
import { readExpression } from './read-expression.ts';
import { readSource } from './read-source.ts';
import { scopeOfWith } from './read-with.ts';
import { Scope } from './scope.ts';
import { TreeNode } from './tree-node.ts';

const maxOutputs = 200;

/**
 * Reads the parse tree of a whole text.
 * @throws SqlFault unless the text is one SELECT, and we support all of its parts
 */
export function readTree(tree: unknown): Select {
  const statements: unknown = typeof tree === 'object' && tree !== null ? Reflect.get(tree, 'stmts') : undefined;
  if (!Array.isArray(statements)) throw new SqlFault('a text without a SELECT is not supported', 0);
  const [first, second] = statements.map((one: unknown) => new TreeNode('RawStmt', one, 0));
  if (first === undefined) throw new SqlFault('a text without a SELECT is not supported', 0);
  const select = Scope.ofText({ select: readSelect, expr: readExpression }).select(first.node('stmt'));
  if (second !== undefined) throw new SqlFault('a second statement is not supported', second.at);
  return select;
}

function readSelect(node: TreeNode, around: Scope): Select {
  mustBePlain(node.as('SelectStmt'));
  const scope = node.has('withClause') ? scopeOfWith(node.part('withClause', 'WithClause'), around) : around;
  const outputs = node.list('targetList');
  const [from, second] = node.list('fromClause');
  if (outputs.some((output) => output.isMadeUp())) throw new SqlFault('TABLE is not supported', node.at);
  if (from === undefined) throw new SqlFault('a SELECT without FROM is not supported', node.at);
  if (second !== undefined) throw new SqlFault('a comma in FROM is not supported: use JOIN … ON', second.at);
  if (outputs.length === 0) throw new SqlFault('a SELECT without outputs is not supported', node.at);
  if (outputs.length > maxOutputs) throw new SqlFault(`must have at most ${maxOutputs} outputs`, node.at);
  return {
    at: node.at,
    from: readSource(from, scope),
    distinct: isDistinct(node),
    outputs: outputs.map((output) => readOutput(output.as('ResTarget'), scope)),
    where: scope.exprOrNull(node.optional('whereClause')),
    groups: node.list('groupClause').map((group) => scope.expr(group)),
    having: scope.exprOrNull(node.optional('havingClause')),
    sort: node.list('sortClause').map((sort) => readSort(sort.as('SortBy'), scope)),
    limit: readCount(node.optional('limitCount'), 'LIMIT'),
    offset: readCount(node.optional('limitOffset'), 'OFFSET') ?? 0,
  };
}

/** Refuses forms of SELECT that the parser only distinguishes by a member's value. */
function mustBePlain(node: TreeNode): void {
  const operation = node.text('op');
  if (operation !== 'SETOP_NONE') throw new SqlFault('UNION, INTERSECT or EXCEPT is not supported', node.at);
  const option = node.text('limitOption');
  if (option !== 'LIMIT_OPTION_DEFAULT' && option !== 'LIMIT_OPTION_COUNT')
    throw new SqlFault('WITH TIES is not supported', node.optional('limitCount')?.at ?? node.at);
}

function isDistinct(node: TreeNode): boolean {
  const by = node.list('distinctClause');
  const expression = by.find(({ kind }) => kind !== 'Empty');
  if (expression !== undefined) throw new SqlFault('DISTINCT ON is not supported', expression.at);
  return by.length > 0;
}

function readOutput(node: TreeNode, scope: Scope): SelectOutput {
  const value = node.node('val');
  const { at } = value;
  if (value.kind === 'ColumnRef') {
    const fields = value.list('fields');
    if (fields.at(-1)?.kind === 'A_Star') {
      if (fields.length > 2) throw new SqlFault('a name with a schema is not supported', at);
      return { is: 'all', at, source: fields.length === 2 ? (fields[0]?.as('String').text('sval') ?? null) : null };
    }
  }
  return { is: 'one', at: node.at, name: node.has('name') ? node.text('name') : null, of: scope.expr(value) };
}

function readSort(node: TreeNode, scope: Scope): SelectSort {
  const direction = node.text('sortby_dir');
  const nulls = node.text('sortby_nulls');
  if (direction === 'SORTBY_USING') throw new SqlFault('ORDER BY USING is not supported', node.at);
  const descending = direction === 'SORTBY_DESC';
  return {
    of: scope.expr(node.node('node')),
    descending,
    // PostgreSQL sorts NULL as the largest value.
    nullsFirst: nulls === 'SORTBY_NULLS_DEFAULT' ? descending : nulls === 'SORTBY_NULLS_FIRST',
  };
}

/** The number after LIMIT or OFFSET. Null if there is none, or for LIMIT ALL. */
function readCount(node: TreeNode | null, clause: string): number | null {
  if (node === null || (node.kind === 'A_Const' && node.flag('isnull'))) return null;
  const number =
    node.kind === 'A_Const'
      ? Number(node.constant('fval') ?? (node.has('ival') ? (node.constant('ival') ?? 0) : -1))
      : -1;
  if (!Number.isSafeInteger(number) || number < 0)
    throw new SqlFault(`${clause} must be a whole number from 0`, node.at);
  return number;
}
