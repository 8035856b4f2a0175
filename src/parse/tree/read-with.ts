/** The names of WITH. Pure. */
import { SqlFault } from '../../model/select.ts';
import { truncate } from '../../values/truncate.ts';
import type { Scope } from './scope.ts';
import type { TreeNode } from './tree-node.ts';

/**
 * The scope of a SELECT with the queries of its WITH. Each query is read here as well, so one that nobody uses cannot have parts that we
 * refuse.
 * @throws SqlFault for a query that is not supported, and a name that is there twice
 */
export function scopeOfWith(node: TreeNode, around: Scope): Scope {
  return node.list('ctes').reduce((scope, one) => {
    const name = one.as('CommonTableExpr').text('ctename');
    const isTwice = scope.withQuery(name) !== around.withQuery(name);
    if (isTwice) throw new SqlFault(`the name "${truncate(name)}" is in WITH twice`, one.at);
    const query = one.node('ctequery');
    scope.select(query);
    return scope.withQueries(new Map([[name, { query, scope }]]));
  }, around);
}
