/** Everything that `datastore_search_sql` supports, as it is read. */
import { expect, test } from 'vitest';
import { read, shown } from './shown.ts';

test.each([
  ['a, b', 'a, b'],
  ['a AS "A b", b c', 'a as A b, b as c'],
  ['*, t.*', '*, t*'],
  ['t.a, "T"."A", "ü", "__proto__", constructor', 't.a, T.A, ü, __proto__, constructor'],
  ["'a''b', E'a\\nb', $$a'b$$, U&'\\00e4'", "'a'b', 'a\nb', 'a'b', 'ä'"],
  ["'', null, true, FALSE", "'', null, true, false"],
  ['0, 7, -7, - - 7, -(7), +7, 2147483648, -2147483648', '0, 7, -7, 7, -7, 7, 2147483648, -2147483648'],
  ['1.50, .5, -0.5, 00.10, 9223372036854775808', '1.50, 0.5, -0.5, 0.10, 9223372036854775808'],
  // PostgreSQL takes all of these for numerics, so `7 / 2.` is 3.5.
  ['1., 1e3, -1e3, 1.5e1', '1::numeric(1, 0), 1000::numeric(4, 0), -1000::numeric(4, 0), 15::numeric(2, 0)'],
  ['1e-3, 1.50e1, 15e-1, 0e0, 1e-30', `0.001, 15.0, 1.5, 0::numeric(1, 0), 0.${'1'.padStart(30, '0')}`],
  ['0x1F, 0o17, 0b11, 0xFFFFFFFFFF, 0xE0000000E0', '31, 15, 3, 1099511627775, 962072674528'],
  ['1_000, 1_000_000_000_000, 1_0.5_0', '1000, 1000000000000, 10.50'],
  ['9'.repeat(65), '9'.repeat(65)],
  ['a + b * c, (a - b) / c, a % 2', '(a + (b * c)), ((a - b) / c), (a % 2)'],
  ["-a, +a, -(a + 1), a || 'b'", "(negative a), a, (negative (a + 1)), (a || 'b')"],
  ['CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END', '(case when a then 1 when b then 2 else 3)'],
  ['CASE a WHEN 1 THEN 2 WHEN 3 THEN 4 END', '(case when (a = 1) then 2 when (a = 3) then 4)'],
  ['CAST(a AS integer), a::bigint, a::numeric(10, 2)', 'a::int4, a::int8, a::numeric(10, 2)'],
  ['a::double precision, a::text, a::varchar(3)', 'a::float8, a::text, a::varchar(3)'],
  ["date '2024-01-01', a::timestamp, a::boolean", "'2024-01-01'::date, a::timestamp, a::bool"],
  ['a::pg_catalog.int4, a::"INT", a::regclass', 'a::int4, a::INT, a::regclass'],
  ['lower(a), "Lower"(a), pg_sleep(10), f()', 'lower(a), Lower(a), pg_sleep(10), f()'],
  ['coalesce(a, b, 1), nullif(a, 0)', 'coalesce(a, b, 1), nullif(a, 0)'],
  ['substring(a FROM 2 FOR 3), substring(a FROM 2)', 'substring(a, 2, 3), substring(a, 2)'],
  ['substring(a FOR 3), substring(a, 2, 3)', 'substring(a, 1, 3), substring(a, 2, 3)'],
  ["trim(a), trim(both 'x' from a), btrim(a)", "btrim(a), btrim(a, 'x'), btrim(a)"],
  ['trim(leading from a), trim(trailing a)', 'ltrim(a), rtrim(a)'],
  ["position('x' in a), overlay(a placing b from 1)", "position(a, 'x'), overlay(a, b, 1)"],
  ["extract(year FROM a), extract('dow' from a)", "extract('year', a), extract('dow', a)"],
  ["date_part('year', a), date_trunc('month', a)", "date_part('year', a), date_trunc('month', a)"],
  ['count(*), count(a), count(ALL a), count(DISTINCT a)', 'count(*), count(a), count(a), count(distinct a)'],
  ['sum(a) FILTER (WHERE b > 1)', 'sum(a) filter (b > 1)'],
  ['count(*) FILTER (WHERE b)', 'count(*) filter b'],
  ['now(), CURRENT_TIMESTAMP, CURRENT_DATE, now(1)', 'now time, now time, now date, now(1)'],
  ["INTERVAL '1 month', '3 days'::interval, -INTERVAL '1 day'", 'interval 1 0, interval 0 259200, interval 0 -86400'],
  ["INTERVAL '1 year -2 mons 3 Weeks -4 hours'", `interval 10 ${3 * 604_800 - 4 * 3600}`],
  ["INTERVAL '1day 2hours 3 mins +4 seconds'", `interval 0 ${86_400 + 7200 + 180 + 4}`],
  ["INTERVAL '2' YEAR, INTERVAL '-3' MONTH, INTERVAL '4' DAY", 'interval 24 0, interval -3 0, interval 0 345600'],
  ["INTERVAL '1' HOUR, INTERVAL '1' MINUTE, INTERVAL '1' SECOND", 'interval 0 3600, interval 0 60, interval 0 1'],
  ['(SELECT max(b) FROM u), (SELECT 1 FROM t) + 1', '{max(b) from u}, ({1 from t} + 1)'],
])('the outputs %s', (sql, expected) => {
  expect(shown(read(`SELECT ${sql} FROM t`))).toBe(`${expected} from t`);
});

test.each([
  ['a = 1 AND b <> 2 OR NOT c', '(((a = 1) and (b <> 2)) or (not c))'],
  ['a != 1 AND b < 2 AND c <= 3', '((a <> 1) and (b < 2) and (c <= 3))'],
  ['a > 1 OR a >= 1 OR b', '((a > 1) or (a >= 1) or b)'],
  ["a IN (1, 2) AND b NOT IN ('x')", "((a in 1, 2) and (b not in 'x'))"],
  ['a BETWEEN 1 AND 2', '((a >= 1) and (a <= 2))'],
  ['a NOT BETWEEN 1 AND 2', '(not ((a >= 1) and (a <= 2)))'],
  ['a IS NULL AND b IS NOT NULL AND c ISNULL', '((a is null) and (b is not null) and (c is null))'],
  ['a IS TRUE AND b IS NOT TRUE', '((a is true) and (b is not true))'],
  ['a IS FALSE AND b IS NOT FALSE', '((a is false) and (b is not false))'],
  ['a IS UNKNOWN AND b IS NOT UNKNOWN', '((a is unknown) and (b is not unknown))'],
  ["a LIKE 'x%' AND b NOT LIKE c", "((a like 'x%') and (b not like c))"],
  ["a ILIKE 'x%' OR b NOT ILIKE 'y'", "((a ilike 'x%') or (b not ilike 'y'))"],
  ['a > (SELECT avg(b) FROM u WHERE b > 0)', '(a > {avg(b) from u where (b > 0)})'],
])('the condition %s', (sql, expected) => {
  expect(shown(read(`SELECT * FROM t WHERE ${sql}`))).toBe(`* from t where ${expected}`);
});

test.each([
  ['SELECT DISTINCT a FROM t;', 'distinct a from t'],
  ['SELECT ALL a FROM "T b" AS x', 'a from T b as x'],
  ['-- a comment\nSELECT a /* another */ FROM t', 'a from t'],
  ['(SELECT a FROM t)', 'a from t'],
  ['SELECT a FROM t GROUP BY a, 1, b + 1 HAVING count(*) > 3', 'a from t group a, 1, (b + 1) having (count(*) > 3)'],
  ['SELECT a FROM t ORDER BY a, b ASC, c DESC', 'a from t sort a, b, c desc nulls first'],
  ['SELECT a FROM t ORDER BY a NULLS FIRST, 2 DESC NULLS LAST', 'a from t sort a nulls first, 2 desc'],
  ['SELECT a FROM t LIMIT 5 OFFSET 10', 'a from t limit 5 offset 10'],
  ['SELECT a FROM t LIMIT ALL OFFSET 0', 'a from t'],
  ['SELECT a FROM t LIMIT 0', 'a from t limit 0'],
  ['SELECT a FROM t LIMIT 5000000000', 'a from t limit 5000000000'],
  ['SELECT a FROM t OFFSET 1 ROW FETCH FIRST 3 ROWS ONLY', 'a from t limit 3 offset 1'],
  ['SELECT * FROM (SELECT * FROM "id") AS "q01" WHERE (0 = 1)', '* from {* from id} as q01 where (0 = 1)'],
  ['SELECT * FROM (SELECT * FROM t)', '* from {* from t} as null'],
  ['SELECT * FROM (SELECT * FROM (SELECT * FROM t) a) b', '* from {* from {* from t} as a} as b'],
  ['SELECT * FROM t JOIN u ON t.a = u.a', '* from (t join u on (t.a = u.a))'],
  ['SELECT * FROM t x LEFT OUTER JOIN t y ON x.a = y.b', '* from (t as x left join t as y on (x.a = y.b))'],
  ['SELECT * FROM a JOIN (b JOIN c ON 1) ON 2', '* from (a join (b join c on 1) on 2)'],
  ['SELECT * FROM a JOIN (SELECT * FROM b) c ON 1', '* from (a join {* from b} as c on 1)'],
  ['SELECT * FROM a JOIN b ON 1 JOIN c ON 2 JOIN d ON 3', '* from (((a join b on 1) join c on 2) join d on 3)'],
  ['WITH w AS (SELECT a FROM t) SELECT a FROM w', 'a from {a from t} as w'],
  ['WITH w AS MATERIALIZED (SELECT a FROM t) SELECT a FROM w x', 'a from {a from t} as x'],
  ['WITH w AS (SELECT 1 FROM t), x AS (SELECT 2 FROM w) SELECT 3 FROM x', '3 from {2 from {1 from t} as w} as x'],
  ['WITH w AS (SELECT 1 FROM t) SELECT 2 FROM w JOIN w x ON 1', '2 from ({1 from t} as w join {1 from t} as x on 1)'],
  ['WITH w AS (SELECT 1 FROM t) SELECT (SELECT 2 FROM w) FROM u', '{2 from {1 from t} as w} from u'],
  ['WITH "__proto__" AS (SELECT 1 FROM t) SELECT 2 FROM "__proto__"', '2 from {1 from t} as __proto__'],
  ['WITH w AS (SELECT 1 FROM t) SELECT 2 FROM "constructor"', '2 from constructor'],
  // A query of WITH does not see its own name, nor later ones.
  ['WITH t AS (SELECT 1 FROM t) SELECT 2 FROM t', '2 from {1 from t} as t'],
  ['WITH w AS (SELECT 1 FROM x), x AS (SELECT 2 FROM t) SELECT 3 FROM w', '3 from {1 from x} as w'],
  // The inner name hides the outer one, but not for queries that were written outside.
  [
    'WITH w AS (SELECT 1 FROM t), x AS (SELECT 2 FROM w) SELECT * FROM (WITH w AS (SELECT 3 FROM u) SELECT 4 FROM x JOIN w ON 1) q',
    '* from {4 from ({2 from {1 from t} as w} as x join {3 from u} as w on 1)} as q',
  ],
])('%s', (sql, expected) => {
  expect(shown(read(sql))).toBe(expected);
});
