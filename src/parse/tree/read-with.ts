/** The queries of a WITH clause, by their names. Pure. */
import { SqlFault } from '../../model/select.ts';
import { truncate } from '../../values/truncate.ts';
import type { Scope } from './scope.ts';
import type { TreeNode } from './tree-node.ts';

/**
 * The scope of a SELECT, extended by the queries of its WITH. We also read each query here, because we must refuse an unsupported one even
 * if the SELECT does not use it.
 * @throws SqlFault for a query that we don't support, and for a name that occurs twice
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
