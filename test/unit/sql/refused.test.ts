/** Everything that `datastore_search_sql` refuses, with its text and position. Positions are those of the sign ‸, which is not sent. */
import { expect, test } from 'vitest';
import { SqlFault } from '../../../src/model/select.ts';
import { positionOf } from '../../../src/values/sql-position.ts';
import { read } from './shown.ts';

const characters = (text: string) => [...text];

function refusal(marked: string): readonly [string, number, number] {
  const sql = marked.replace('‸', '');
  try {
    read(sql);
  } catch (error) {
    if (error instanceof SqlFault)
      return [error.message, positionOf(sql, error.at ?? -1), characters(marked).indexOf('‸') + 1];
    throw error;
  }
  throw new Error(`not refused: ${sql}`);
}
const union = 'UNION, INTERSECT or EXCEPT';
const statement = 'a statement other than SELECT';

test.each([
  // Statements
  ['‸INSERT INTO t VALUES (1)', statement],
  ['‸DROP TABLE t', statement],
  ['‸EXPLAIN SELECT 1 FROM t', statement],
  ['SET ROLE ‸x', statement],
  ['SELECT 1 FROM t; ‸DELETE FROM t', 'a second statement'],
  ['SELECT 1 FROM t; ‸SELECT 1 FROM t', 'a second statement'],
  ['‸VALUES (1)', 'VALUES'],
  ['‸TABLE t', 'TABLE'],
  ['‸SELECT 1 INTO u FROM t', 'INTO'],
  ['‸SELECT 1 FROM t FOR UPDATE', 'FOR UPDATE or FOR SHARE'],
  ['‸SELECT 1 FROM t UNION SELECT 2 FROM t', union],
  ['‸SELECT 1 FROM t EXCEPT ALL SELECT 2 FROM t', union],
  ['‸SELECT 1', 'a SELECT without FROM'],
  ['‸SELECT FROM t', 'a SELECT without outputs'],
  ['‸;', 'a text without a SELECT'],
  ['‸-- a', 'a text without a SELECT'],
  // FROM
  ['SELECT 1 FROM ‸s.t', 'a table name with a schema'],
  ['SELECT 1 FROM ‸information_schema.tables', 'a table name with a schema'],
  ['SELECT 1 FROM ‸d.s.t', 'a table name with a database'],
  ['SELECT 1 FROM ONLY ‸t', 'ONLY'],
  ['SELECT 1 FROM t JOIN ‸u USING (a)', 'USING'],
  ['SELECT 1 FROM t NATURAL JOIN ‸u', 'NATURAL JOIN'],
  ['SELECT 1 FROM t CROSS JOIN ‸u', 'a JOIN without ON'],
  ['SELECT 1 FROM t RIGHT JOIN ‸u ON true', 'RIGHT JOIN'],
  ['SELECT 1 FROM t FULL JOIN ‸u ON true', 'FULL JOIN'],
  ['SELECT 1 FROM (t JOIN ‸u ON true) j', 'an alias of a JOIN in parentheses'],
  ['SELECT 1 FROM ‸t u (a)', 'a list of column names after an alias'],
  ['SELECT 1 FROM t TABLESAMPLE ‸system(1)', 'TABLESAMPLE'],
  ['SELECT 1 FROM ‸generate_series(1, 3)', 'a function in FROM'],
  ['SELECT 1 FROM ROWS FROM (‸f(1))', 'a function in FROM'],
  ["SELECT 1 FROM ‸XMLTABLE('x' PASSING y COLUMNS z int)", 'XMLTABLE'],
  ["SELECT 1 FROM ‸JSON_TABLE('{}', '$' COLUMNS (a int))", 'JSON syntax'],
  ['SELECT 1 FROM t JOIN LATERAL (SELECT ‸2 FROM u) q ON true', 'LATERAL'],
  ['SELECT 1 FROM (VALUES (‸1)) q', 'VALUES'],
  // WITH
  ['‸WITH RECURSIVE w AS (SELECT 1 FROM t) SELECT 1 FROM w', 'WITH RECURSIVE'],
  ['WITH ‸w (a) AS (SELECT 1 FROM t) SELECT 1 FROM w', 'a list of column names in WITH'],
  ['WITH ‸w AS (DELETE FROM t RETURNING 1) SELECT 1 FROM w', statement],
  ['WITH ‸w AS (DELETE FROM t RETURNING 1) SELECT 1 FROM t', statement],
  ['WITH ‸w AS (SELECT 1 FROM t) SEARCH DEPTH FIRST BY a SET b SELECT 1 FROM w', 'SEARCH'],
  // Outputs, GROUP BY, ORDER BY, LIMIT
  ['SELECT DISTINCT ON (‸a) b FROM t', 'DISTINCT ON'],
  ['SELECT ‸s.t.* FROM t', 'a name with a schema'],
  ['SELECT ‸s.t.a FROM t', 'a name with a schema'],
  ['SELECT ‸(t).a FROM t', 'a part of a value, such as (a).b or a[1],'],
  ['SELECT ‸(t).* FROM t', 'a part of a value, such as (a).b or a[1],'],
  ['SELECT ‸a[1] FROM t', 'a part of a value, such as (a).b or a[1],'],
  ['SELECT 1 FROM t GROUP BY ‸ROLLUP (a)', 'GROUP BY with ROLLUP, CUBE, GROUPING SETS or ()'],
  ['SELECT 1 FROM t GROUP BY ‸()', 'GROUP BY with ROLLUP, CUBE, GROUPING SETS or ()'],
  ['‸SELECT 1 FROM t GROUP BY DISTINCT a', 'GROUP BY DISTINCT'],
  ['SELECT ‸GROUPING(a) FROM t GROUP BY a', 'GROUPING'],
  ['SELECT 1 FROM t ORDER BY a USING ‸<', 'ORDER BY USING'],
  ['SELECT 1 FROM t ORDER BY a ‸COLLATE "C"', 'COLLATE'],
  ['SELECT 1 FROM t ORDER BY a FETCH FIRST ‸3 ROWS WITH TIES', 'WITH TIES'],
  ['‸SELECT 1 FROM t WINDOW w AS (ORDER BY a)', 'WINDOW'],
  // Conditions and operators
  ["SELECT 1 FROM t WHERE a ‸~ 'x'", 'the operator ~'],
  ["SELECT 1 FROM t WHERE a ‸!~* 'x'", 'the operator !~*'],
  ["SELECT 1 FROM t WHERE a ‸~~ 'x'", 'the operator ~~'],
  ['SELECT a ‸^ 2 FROM t', 'the operator ^'],
  ["SELECT a ‸->> 'b' FROM t", 'the operator ->>'],
  ['SELECT ‸@ a FROM t', 'the operator @'],
  ['SELECT a ‸OPERATOR(pg_catalog.+) 1 FROM t', 'an operator with a schema'],
  ["SELECT 1 FROM t WHERE a ‸SIMILAR TO 'x'", 'SIMILAR TO'],
  ["SELECT 1 FROM t WHERE a ‸LIKE 'x' ESCAPE '!'", 'ESCAPE'],
  ['SELECT 1 FROM t WHERE a ‸= ANY (b)', 'ANY'],
  ['SELECT 1 FROM t WHERE a ‸> ALL (b)', 'ALL'],
  ['SELECT 1 FROM t WHERE a ‸IS DISTINCT FROM b', 'IS DISTINCT FROM'],
  ['SELECT 1 FROM t WHERE a ‸IS NOT DISTINCT FROM b', 'IS NOT DISTINCT FROM'],
  ['SELECT 1 FROM t WHERE a ‸BETWEEN SYMMETRIC 1 AND 2', 'BETWEEN SYMMETRIC'],
  ['SELECT 1 FROM t WHERE ‸EXISTS (SELECT 1 FROM u)', 'EXISTS'],
  ['SELECT 1 FROM t WHERE a ‸IN (SELECT 1 FROM u)', 'a subquery after ANY, ALL or IN'],
  ['SELECT 1 FROM t WHERE a ‸> ALL (SELECT 1 FROM u)', 'a subquery after ANY, ALL or IN'],
  ['SELECT 1 FROM t WHERE ‸(a, b) = (1, 2)', 'a row, such as (a, b),'],
  ['SELECT 1 FROM t WHERE a = ‸$1', 'a parameter'],
  // Values
  ['SELECT ‸ARRAY[1] FROM t', 'ARRAY'],
  ['SELECT ‸ARRAY(SELECT 1 FROM t) FROM t', 'ARRAY'],
  ["SELECT ‸B'01' FROM t", 'a string of bits'],
  ['SELECT ‸GREATEST(1, 2) FROM t', 'GREATEST or LEAST'],
  ['SELECT ‸current_user FROM t', 'CURRENT_USER'],
  ['SELECT ‸LOCALTIME FROM t', 'LOCALTIME'],
  ['SELECT ‸CURRENT_TIMESTAMP(3) FROM t', 'CURRENT_TIMESTAMP with a precision'],
  ["SELECT a ‸AT TIME ZONE 'UTC' FROM t", 'AT TIME ZONE'],
  ['SELECT (a, b) ‸OVERLAPS (c, d) FROM t', 'OVERLAPS'],
  ['SELECT ‸COLLATION FOR (a) FROM t', 'COLLATION FOR'],
  ['SELECT ‸xmlelement(name a) FROM t', 'XML'],
  ["SELECT ‸JSON_OBJECT('a': 1) FROM t", 'JSON syntax'],
  ['SELECT ‸a IS JSON FROM t', 'JSON syntax'],
  // Casts
  ['SELECT a::‸int[] FROM t', 'a cast to an array'],
  ['SELECT a::‸public.int4 FROM t', 'a type name with a schema'],
  // Functions
  ['SELECT ‸pg_catalog.now() FROM t', 'a function name with a schema'],
  ["SELECT ‸pg_catalog.extract('year', a) FROM t", 'a function name with a schema'],
  ['SELECT ‸count(*) OVER () FROM t', 'a window function (OVER)'],
  ['SELECT ‸f(VARIADIC a) FROM t', 'VARIADIC'],
  ['SELECT f(‸a => 1) FROM t', 'the name of an argument'],
  ['SELECT ‸string_agg(a, b ORDER BY c) FROM t', 'ORDER BY inside a function'],
  ['SELECT ‸percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t', 'ORDER BY inside a function'],
  ['SELECT count(‸t.*) FROM t', '* inside an expression'],
  // Characters, not bytes
  ["SELECT 'ü', '😀', ‸$1 FROM t", 'a parameter'],
  ['SELECT "ÄÖÜ" FROM t WHERE "😀" ‸~ 1', 'the operator ~'],
])('%s', (marked, what) => {
  const [text, position, expected] = refusal(marked);
  expect([text, position]).toEqual([`${what} is not supported`, expected]);
});

const number = 'a number must have at most 65 digits, and 30 behind the point';
const interval =
  "an interval must have whole numbers of years, months, weeks, days, hours, minutes or seconds, such as '1 month 3 days'";

test.each([
  ['SELECT 1 FORM ‸t', 'syntax error at or near "t"'],
  ['‸SELEC 1', 'syntax error at or near "SELEC"'],
  ["SELECT ä FROM t WHERE '😀' = ‸)", 'syntax error at or near ")"'],
  ["SELECT 'ü' ‸'abc", 'unterminated quoted string at or near "\'abc"'],
  [`SELECT ‸'${'x'.repeat(900)}`, `unterminated quoted string at or near "'${'x'.repeat(49)}…"`],
  ['SELECT 1 FROM ‸`t`', 'syntax error at or near "`"'],
  ['SELECT 1 FROM t WHERE a = ?‸', 'syntax error at end of input'],
  ['SELECT 1 FROM t LIMIT ‸-1', 'LIMIT must be a whole number from 0'],
  ['SELECT 1 FROM t LIMIT 1 ‸+ 1', 'LIMIT must be a whole number from 0'],
  ["SELECT 1 FROM t LIMIT ‸'1'", 'LIMIT must be a whole number from 0'],
  ['SELECT 1 FROM t OFFSET ‸1.5', 'OFFSET must be a whole number from 0'],
  ['SELECT 1 FROM t LIMIT ‸9223372036854775807', 'LIMIT must be a whole number from 0'],
  ['SELECT 1 FROM t, ‸u', 'a comma in FROM is not supported: use JOIN … ON'],
  [`SELECT ‸${'9'.repeat(66)} FROM t`, number],
  ['SELECT ‸1e65 FROM t', number],
  ['SELECT ‸1e-31 FROM t', number],
  ['SELECT ‸1e999999999999 FROM t', number],
  ['SELECT ‸1e-999999999999 FROM t', number],
  [`SELECT ‸0x${'F'.repeat(60)} FROM t`, number],
  ["SELECT ‸INTERVAL '1.5 days' FROM t", interval],
  ["SELECT ‸INTERVAL '1 day 2 days' FROM t", interval],
  ["SELECT ‸INTERVAL '1 day ago' FROM t", interval],
  ["SELECT ‸INTERVAL '01:00' FROM t", interval],
  ["SELECT ‸INTERVAL 'P1Y' FROM t", interval],
  ["SELECT ‸INTERVAL '' FROM t", interval],
  ["SELECT ‸INTERVAL '1 __proto__' FROM t", interval],
  ["SELECT ‸INTERVAL '999999999999 years' FROM t", interval],
  ["SELECT ‸INTERVAL '1-2' YEAR TO MONTH FROM t", interval],
  ["SELECT ‸INTERVAL '1 day' DAY FROM t", interval],
  ["SELECT ‸INTERVAL(3) '1 second' FROM t", interval],
  ['SELECT a‸::interval FROM t', "an interval must be a constant, such as INTERVAL '3 days'"],
  ['WITH w AS (SELECT 1 FROM t), ‸w AS (SELECT 2 FROM t) SELECT 1 FROM w', 'the name "w" is in WITH twice'],
])('%s: text', (marked, text) => {
  const [refused, position, expected] = refusal(marked);
  expect([refused, position]).toEqual([text, expected]);
});
