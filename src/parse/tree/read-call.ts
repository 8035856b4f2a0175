/** Calls of functions. Pure. Whether a function is supported is checked later, with the types of its arguments. */
import { type SqlExpr, SqlFault } from '../../model/select.ts';
import type { Scope } from './scope.ts';
import type { TreeNode } from './tree-node.ts';

/** Functions with a special syntax in SQL, such as `extract(year FROM x)`. The parser adds a schema to their names. */
const withSyntax: readonly string[] = ['extract', 'btrim', 'ltrim', 'rtrim', 'position', 'substring', 'overlay'];

/** Syntax that the parser turns into functions with other names, and that we refuse. */
const refusedSyntax: ReadonlyMap<string, string> = new Map([
  ['is_normalized', 'IS NORMALIZED'],
  ['like_escape', 'ESCAPE'],
  ['normalize', 'NORMALIZE'],
  ['overlaps', 'OVERLAPS'],
  ['pg_collation_for', 'COLLATION FOR'],
  ['similar_to_escape', 'SIMILAR TO'],
  ['system_user', 'SYSTEM_USER'],
  ['timezone', 'AT TIME ZONE'],
  ['xmlexists', 'XMLEXISTS'],
]);

/** Reads a call. @throws SqlFault for a function with a schema, and for syntax that is not supported */
export function readCall(node: TreeNode, scope: Scope): SqlExpr {
  const { at } = node;
  const fn = nameOf(node);
  const filter = node.optional('agg_filter');
  const [ofAll, distinct] = [node.flag('agg_star'), node.flag('agg_distinct')];
  const args = node.list('args');
  if (fn === 'now' && args.length === 0 && !ofAll && filter === null) return { is: 'now', at, shows: 'time' };
  return {
    ...{ is: 'call', at, fn, ofAll, distinct },
    args: args.map((arg) => scope.expr(fn === 'substring' ? withoutAddedCast(arg) : arg)),
    filter: scope.exprOrNull(filter),
  };
}

function nameOf(node: TreeNode): string {
  const names = node.names('funcname');
  const name = names.at(-1) ?? '';
  if (names.length === 1) return name;
  // Nobody can write `pg_catalog` in this syntax, so the parser has added it.
  const isSyntax = node.text('funcformat') === 'COERCE_SQL_SYNTAX';
  if (isSyntax && withSyntax.includes(name)) return name;
  const isEscape = names.length === 2 && names[0] === 'pg_catalog' && /^(?:like|similar_to)_escape$/.test(name);
  const words = isSyntax || isEscape ? refusedSyntax.get(name) : undefined;
  throw new SqlFault(`${words ?? 'a function name with a schema'} is not supported`, node.at);
}

/** The argument of `substring(x FOR 3)` without the cast that the parser has added. */
function withoutAddedCast(arg: TreeNode): TreeNode {
  return arg.kind === 'TypeCast' && arg.isMadeUp() && arg.part('typeName', 'TypeName').isMadeUp()
    ? arg.node('arg')
    : arg;
}
