/**
 * For each kind of node in PostgreSQL's parse tree, the members that we read. We refuse everything else in a text, so that we never
 * silently ignore a feature of PostgreSQL that we did not think of, or that a later version adds. Pure.
 */
import { SqlFault } from '../../model/select.ts';
import { wordsOfKind, wordsOfMember } from './words.ts';

export const allowedMembers = {
  A_Const: ['ival', 'fval', 'sval', 'boolval', 'isnull', 'location'],
  A_Expr: ['kind', 'name', 'lexpr', 'rexpr', 'rexpr_list_start', 'rexpr_list_end', 'location'],
  A_Star: [],
  Alias: ['aliasname'],
  BoolExpr: ['boolop', 'args', 'location'],
  BooleanTest: ['arg', 'booltesttype', 'location'],
  CaseExpr: ['arg', 'args', 'defresult', 'location'],
  CaseWhen: ['expr', 'result', 'location'],
  CoalesceExpr: ['args', 'location'],
  ColumnRef: ['fields', 'location'],
  // Materializing a query of WITH changes its speed, not its rows.
  CommonTableExpr: ['ctename', 'ctematerialized', 'ctequery', 'location'],
  /** The parser writes DISTINCT without ON as a list of one empty node. */
  Empty: [],
  FuncCall: ['funcname', 'args', 'agg_star', 'agg_distinct', 'agg_filter', 'funcformat', 'location'],
  JoinExpr: ['jointype', 'larg', 'rarg', 'quals'],
  List: ['items'],
  NullTest: ['arg', 'nulltesttype', 'location'],
  RangeSubselect: ['subquery', 'alias'],
  // `inh` is absent if the query has ONLY. `relpersistence` only matters for CREATE TABLE.
  RangeVar: ['relname', 'inh', 'relpersistence', 'alias', 'location'],
  RawStmt: ['stmt', 'stmt_location', 'stmt_len'],
  ResTarget: ['name', 'val', 'location'],
  SQLValueFunction: ['op', 'typmod', 'location'],
  SelectStmt: [
    ...['distinctClause', 'targetList', 'fromClause', 'whereClause', 'groupClause', 'havingClause', 'sortClause'],
    ...['limitCount', 'limitOffset', 'limitOption', 'withClause', 'op'],
  ],
  SortBy: ['node', 'sortby_dir', 'sortby_nulls', 'location'],
  String: ['sval'],
  SubLink: ['subLinkType', 'subselect', 'location'],
  TypeCast: ['arg', 'typeName', 'location'],
  TypeName: ['names', 'typmods', 'typemod', 'location'],
  WithClause: ['ctes', 'location'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Kind = keyof typeof allowedMembers;

const isAllowedKind = (kind: string): kind is Kind => Object.hasOwn(allowedMembers, kind);

/**
 * Checks a node of the parse tree.
 * @param at where the node begins
 * @returns its kind
 * @throws SqlFault if we don't read this kind of node, or one of its members
 */
export function mustBeAllowed(kind: string, members: Iterable<string>, at: number): Kind {
  if (!isAllowedKind(kind)) throw new SqlFault(`${wordsOfKind(kind)} is not supported`, at);
  const allowed: readonly string[] = allowedMembers[kind];
  for (const member of members)
    if (!allowed.includes(member)) throw new SqlFault(`${wordsOfMember(kind, member)} is not supported`, at);
  return kind;
}
