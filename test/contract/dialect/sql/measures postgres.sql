-- sums
select "c0", "c1", "c2", "c3", t from (select SUM("x?y") AS c0, SUM("50% as $1") AS c1, SUM("f4"::float8) AS c2, SUM("f8"::float8) AS c3, COUNT(*) AS t from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- averages
select "c0", "c1", "c2", "c3", t from (select round(SUM("x?y")::numeric * 1.000000000000000000000000000000 / NULLIF(COUNT("x?y"), 0), 16) AS c0, round(SUM("50% as $1")::numeric * 1.000000000000000000000000000000 / NULLIF(COUNT("50% as $1"), 0), 16) AS c1, SUM("f4"::float8) / NULLIF(COUNT("f4"::float8), 0) AS c2, SUM("f8"::float8) / NULLIF(COUNT("f8"::float8), 0) AS c3, COUNT(*) AS t from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- least values
select "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", t from (select MIN("x?y") AS c0, MIN("50% as $1") AS c1, MIN("f4") AS c2, MIN("f8") AS c3, MIN("a.b") AS c4, MIN("cit") AS c5, MIN("day") AS c6, MIN("seen") AS c7, MIN("span") AS c8, COUNT(*) AS t from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- greatest values
select "c0", "c1", t from (select MAX("f4") AS c0, MAX("seen") AS c1, COUNT(*) AS t from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- distinct values
select "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", t from (select COUNT(DISTINCT "x?y") AS c0, COUNT(DISTINCT "50% as $1") AS c1, COUNT(DISTINCT "f4") AS c2, COUNT(DISTINCT "f8") AS c3, COUNT(DISTINCT "a.b") AS c4, COUNT(DISTINCT ("cit"::text) COLLATE "C") AS c5, COUNT(DISTINCT "flag") AS c6, COUNT(DISTINCT "day") AS c7, COUNT(*) AS t from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- numbers of values
select "c0", "c1", t from (select COUNT(CASE WHEN ("x?y" IS NULL IS NOT TRUE) THEN 1 END) AS c0, COUNT(CASE WHEN ("day" IS NULL IS NOT TRUE) THEN 1 END) AS c1, COUNT(*) AS t from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- a measure with filters
select "c0", "c1", t from (select COUNT(CASE WHEN "x?y" = $1 THEN 1 END) AS c0, SUM(CASE WHEN "a.b" LIKE $2 ESCAPE '|' THEN "x?y" END) AS c1, COUNT(*) AS t from "Legacy ""S"""."tricky ?") as "g" limit 101;
-- "1", "?%"

-- groups of texts
select "c0", "c1", "c2", "c3", t from (select "a.b" AS c0, ("cit"::text) COLLATE "C" AS c1, ("fold")::text COLLATE "C" AS c2, COUNT(*) AS c3, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1, 2, 3) as "g" order by "c0" asc, "c1" asc, "c2" asc limit 101;

-- groups of other values
select "c0", "c1", "c2", "c3", t from (select "f4" AS c0, "flag" AS c1, "day" AS c2, COUNT(*) AS c3, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1, 2, 3) as "g" order by "c0" asc, "c1" asc, "c2" asc limit 101;

-- groups of every year
select "c0", "c1", t from (select date_trunc('year', "seen") AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of every quarter
select "c0", "c1", t from (select date_trunc('quarter', "seen") AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of every month
select "c0", "c1", t from (select date_trunc('month', "seen") AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of every week
select "c0", "c1", t from (select date_trunc('week', "seen") AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of every day
select "c0", "c1", t from (select date_trunc('day', "seen") AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of every hour
select "c0", "c1", t from (select date_trunc('hour', "seen") AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of every minute
select "c0", "c1", t from (select date_trunc('minute', "seen") AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of every second
select "c0", "c1", t from (select date_trunc('second', "seen") AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of every month of dates
select "c0", "c1", t from (select date_trunc('month', "day"::timestamp)::date AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;

-- groups of a whole width
select "c0", "c1", t from (select "x?y"::int8 - mod(mod("x?y"::int8, $1::int8) + $1::int8, $1::int8) AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1) as "g" order by "c0" asc limit 101;
-- "100"

-- groups of a decimal width
select "c0", "c1", "c2", t from (select round("50% as $1"::numeric - mod(mod("50% as $1"::numeric, $1::numeric) + $1::numeric, $1::numeric), 1) AS c0, round("x?y"::numeric - mod(mod("x?y"::numeric, $2::numeric) + $2::numeric, $2::numeric), 1) AS c1, COUNT(*) AS c2, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" group by 1, 2) as "g" order by "c0" asc, "c1" asc limit 101;
-- "2.5", "0.5"

-- a condition, an order and a page
select "c0", "c1", "c2", "c3", t from (select ("cit"::text) COLLATE "C" AS c0, "x?y" AS c1, COUNT(*) AS c2, SUM("50% as $1") AS c3, SUM(COUNT(*)) OVER () AS t from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text, "back`tick"::text, "latin"::text, "cit"::text, "fold", "js"::text) COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') group by 1, 2) as "g" where (("c2" >= $3 OR "c3" IS NULL) AND "c1" = ANY($4)) order by "c3" desc NULLS last, "c0" asc, "c1" asc limit 6 offset 10;
-- "-7", "%O'Brien%", "2", "{\"1\",\"2\"}"

-- the first that match
select "c0", "c1", t from (select ("cit"::text) COLLATE "C" AS c0, COUNT(*) AS c1, SUM(COUNT(*)) OVER () AS t from (select "cit" from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text, "back`tick"::text, "latin"::text, "cit"::text, "fold", "js"::text) COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') limit 1000) as "s" group by 1) as "g" order by "c0" asc limit 101;
-- "-7", "%O'Brien%"

-- the first of the table
select "c0", "c1", t from (select "day" AS c0, SUM("f8"::float8) AS c1, SUM(COUNT(*)) OVER () AS t from (select "day", "f8", "x?y", "id", "a.b", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "flag", "bit1", "bit5", "js", "seen", "span" from "Legacy ""S"""."tricky ?" limit 1000) as "s" where "x?y" = $1 and (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text, "back`tick"::text, "latin"::text, "cit"::text, "fold", "js"::text) COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') group by 1) as "g" order by "c0" asc limit 101;
-- "-7", "%O'Brien%"
