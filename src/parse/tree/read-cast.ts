/** Casts. Pure. Whether a type is supported is checked later. */
import { type SqlExpr, SqlFault } from '../../model/select.ts';
import { readInterval } from './read-interval.ts';
import type { Scope } from './scope.ts';
import type { TreeNode } from './tree-node.ts';

/** Reads `CAST(x AS type)`, `x::type` and `type 'text'`. @throws SqlFault for a type with a schema, an array, or a non-constant interval */
export function readCast(node: TreeNode, scope: Scope): SqlExpr {
  const type = node.part('typeName', 'TypeName');
  const at = node.isMadeUp() ? type.at : node.at;
  const names = type.names('names');
  // The parser returns `integer` as `pg_catalog.int4`, and a client that writes that schema means the same type.
  if (names.length > 2 || (names.length === 2 && names[0] !== 'pg_catalog'))
    throw new SqlFault('a type name with a schema is not supported', type.at);
  const to = names.at(-1) ?? '';
  const modifiers = type.list('typmods').map((one) => {
    const value = one.kind === 'A_Const' && one.has('ival') ? (one.constant('ival') ?? 0) : null;
    if (typeof value !== 'number') throw new SqlFault('this type is not supported', type.at);
    return value;
  });
  const of = scope.expr(node.node('arg'));
  if (to !== 'interval') return { is: 'cast', at, to, modifiers, of };
  if (of.is !== 'text') throw new SqlFault("an interval must be a constant, such as INTERVAL '3 days'", at);
  return { is: 'interval', at, ...readInterval(of.text, modifiers, at) };
}
