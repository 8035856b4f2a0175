/** SQL names for the parser's kinds of nodes and their members, for error messages. Pure. */

const kinds: ReadonlyMap<string, string> = new Map([
  ['A_ArrayExpr', 'ARRAY'],
  ['A_Indirection', 'a part of a value, such as (a).b or a[1],'],
  ['CollateClause', 'COLLATE'],
  ['GroupingFunc', 'GROUPING'],
  ['GroupingSet', 'GROUP BY with ROLLUP, CUBE, GROUPING SETS or ()'],
  ['MergeSupportFunc', 'merge_action'],
  ['MinMaxExpr', 'GREATEST or LEAST'],
  ['MultiAssignRef', 'an assignment'],
  ['NamedArgExpr', 'the name of an argument'],
  ['ParamRef', 'a parameter'],
  ['RangeFunction', 'a function in FROM'],
  ['RangeTableFunc', 'XMLTABLE'],
  ['RangeTableSample', 'TABLESAMPLE'],
  ['RowExpr', 'a row, such as (a, b),'],
  ['SetToDefault', 'DEFAULT'],
  ['XmlExpr', 'XML'],
  ['XmlSerialize', 'XML'],
]);

const members: ReadonlyMap<string, string> = new Map([
  ['A_Const.bsval', 'a string of bits'],
  ['Alias.colnames', 'a list of column names after an alias'],
  ['CommonTableExpr.aliascolnames', 'a list of column names in WITH'],
  ['CommonTableExpr.cycle_clause', 'CYCLE'],
  ['CommonTableExpr.search_clause', 'SEARCH'],
  ['FuncCall.agg_order', 'ORDER BY inside a function'],
  ['FuncCall.agg_within_group', 'WITHIN GROUP'],
  ['FuncCall.func_variadic', 'VARIADIC'],
  ['FuncCall.over', 'a window function (OVER)'],
  ['JoinExpr.alias', 'an alias of a JOIN in parentheses'],
  ['JoinExpr.isNatural', 'NATURAL JOIN'],
  ['JoinExpr.join_using_alias', 'USING'],
  ['JoinExpr.usingClause', 'USING'],
  ['RangeSubselect.lateral', 'LATERAL'],
  ['RangeVar.catalogname', 'a table name with a database'],
  ['RangeVar.schemaname', 'a table name with a schema'],
  ['ResTarget.indirection', 'a part of an output'],
  ['SelectStmt.all', 'UNION, INTERSECT or EXCEPT'],
  ['SelectStmt.groupDistinct', 'GROUP BY DISTINCT'],
  ['SelectStmt.intoClause', 'INTO'],
  ['SelectStmt.larg', 'UNION, INTERSECT or EXCEPT'],
  ['SelectStmt.lockingClause', 'FOR UPDATE or FOR SHARE'],
  ['SelectStmt.rarg', 'UNION, INTERSECT or EXCEPT'],
  ['SelectStmt.valuesLists', 'VALUES'],
  ['SelectStmt.windowClause', 'WINDOW'],
  ['SortBy.useOp', 'ORDER BY USING'],
  ['SubLink.operName', 'a subquery after ANY, ALL or IN'],
  ['SubLink.testexpr', 'a subquery after ANY, ALL or IN'],
  ['TypeName.arrayBounds', 'a cast to an array'],
  ['TypeName.pct_type', '%TYPE'],
  ['TypeName.setof', 'SETOF'],
  ['WithClause.recursive', 'WITH RECURSIVE'],
]);

/** A kind of node as SQL calls it, with an article if it needs one: `a parameter`. */
export function wordsOfKind(kind: string): string {
  const words = kinds.get(kind);
  if (words !== undefined) return words;
  if (kind.endsWith('Stmt')) return 'a statement other than SELECT';
  return kind.startsWith('Json') ? 'JSON syntax' : 'this syntax';
}

/** A node's member as SQL calls it: `VARIADIC`. */
export const wordsOfMember = (kind: string, member: string): string =>
  members.get(`${kind}.${member}`) ?? 'this syntax';
