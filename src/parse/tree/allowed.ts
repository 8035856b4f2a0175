/**
 * The members that we read of each node of PostgreSQL's parser. Everything else in a text is refused, so a feature of PostgreSQL that
 * nobody thought of (or that a later version adds) can never be ignored silently. Pure.
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
  // Whether a query of WITH is materialized changes its speed, not its rows.
  CommonTableExpr: ['ctename', 'ctematerialized', 'ctequery', 'location'],
  /** The parser writes DISTINCT without ON as a list of one empty node. */
  Empty: [],
  FuncCall: ['funcname', 'args', 'agg_star', 'agg_distinct', 'agg_filter', 'funcformat', 'location'],
  JoinExpr: ['jointype', 'larg', 'rarg', 'quals'],
  List: ['items'],
  NullTest: ['arg', 'nulltesttype', 'location'],
  RangeSubselect: ['subquery', 'alias'],
  // `inh` is absent with ONLY. `relpersistence` is about CREATE TABLE.
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
 * Checks a node of the parser.
 * @param at where the node begins
 * @returns its kind
 * @throws SqlFault if the node, or one of its members, is not among those that we read
 */
export function mustBeAllowed(kind: string, members: Iterable<string>, at: number): Kind {
  if (!isAllowedKind(kind)) throw new SqlFault(`${wordsOfKind(kind)} is not supported`, at);
  const allowed: readonly string[] = allowedMembers[kind];
  for (const member of members)
    if (!allowed.includes(member)) throw new SqlFault(`${wordsOfMember(kind, member)} is not supported`, at);
  return kind;
}
