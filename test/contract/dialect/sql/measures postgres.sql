-- sums
select "g"."c0", "g"."c1", "g"."c2", "g"."c3", "g"."c4" from (select SUM("x?y") AS c0, SUM("50% as $1") AS c1, SUM("f4"::float8) AS c2, SUM("f8") AS c3, count(*) AS c4 from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- averages
select "g"."c0", "g"."c1", "g"."c2", "g"."c3", "g"."c4" from (select round(SUM("x?y")::numeric * 1.000000000000000000000000000000 / NULLIF(COUNT("x?y"), 0), 16) AS c0, round(SUM("50% as $1")::numeric * 1.000000000000000000000000000000 / NULLIF(COUNT("50% as $1"), 0), 16) AS c1, (SUM("f4"::float8) / NULLIF(COUNT("f4"::float8), 0)) AS c2, (SUM("f8") / NULLIF(COUNT("f8"), 0)) AS c3, count(*) AS c4 from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- least values
select "g"."c0", "g"."c1", "g"."c2", "g"."c3", "g"."c4", ("g"."c5"::text) COLLATE "C", "g"."c6", "g"."c7", "g"."c8", "g"."c9" from (select min("x?y") AS c0, min("50% as $1") AS c1, min("f4") AS c2, min("f8") AS c3, min("a.b") AS c4, min("cit") AS c5, min("day") AS c6, min("seen") AS c7, min("span") AS c8, count(*) AS c9 from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- greatest values
select "g"."c0", "g"."c1", "g"."c2" from (select max("f4") AS c0, max("seen") AS c1, count(*) AS c2 from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- distinct values
select "g"."c0", "g"."c1", "g"."c2", "g"."c3", "g"."c4", "g"."c5", "g"."c6", "g"."c7", "g"."c8" from (select COUNT(DISTINCT "x?y") AS c0, COUNT(DISTINCT "50% as $1") AS c1, COUNT(DISTINCT "f4") AS c2, COUNT(DISTINCT "f8") AS c3, COUNT(DISTINCT "a.b") AS c4, COUNT(DISTINCT ("cit"::text) COLLATE "C") AS c5, COUNT(DISTINCT "flag") AS c6, COUNT(DISTINCT "day") AS c7, count(*) AS c8 from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- numbers of values
select "g"."c0", "g"."c1", "g"."c2" from (select count(case when (("x?y" IS NULL IS NOT TRUE)) then 1 end) AS c0, count(case when (("day" IS NULL IS NOT TRUE)) then 1 end) AS c1, count(*) AS c2 from "Legacy ""S"""."tricky ?") as "g" limit 101;

-- a measure with filters
select "g"."c0", "g"."c1", "g"."c2" from (select count(case when ("x?y" = $1) then 1 end) AS c0, SUM(case when ("a.b" LIKE $2 ESCAPE '|') then "x?y" end) AS c1, count(*) AS c2 from "Legacy ""S"""."tricky ?") as "g" limit 101;
-- "1", "?%"

-- groups of texts
select "g"."c0", ("g"."c1"::text) COLLATE "C", ("g"."c2")::text COLLATE "C", "g"."c3", "g"."c4" from (select "a.b" AS c0, ("cit"::text) COLLATE "C" AS c1, ("fold")::text COLLATE "C" AS c2, count(*) AS c3, SUM(COUNT(*)) OVER () AS c4 from "Legacy ""S"""."tricky ?" group by "a.b", ("cit"::text) COLLATE "C", ("fold")::text COLLATE "C") as "g" order by "g"."c0" asc, "g"."c1" asc, ("g"."c1"::text) COLLATE "C", "g"."c2" asc, ("g"."c2")::text COLLATE "C" limit 101;

-- groups of other values
select "g"."c0", "g"."c1", "g"."c2", "g"."c3", "g"."c4" from (select "f4" AS c0, "flag" AS c1, "day" AS c2, count(*) AS c3, SUM(COUNT(*)) OVER () AS c4 from "Legacy ""S"""."tricky ?" group by "f4", "flag", "day") as "g" order by "g"."c0" asc, "g"."c1" asc, "g"."c2" asc limit 101;

-- groups of every year
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('year', "seen") AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('year', "seen")) as "g" order by "g"."c0" asc limit 101;

-- groups of every quarter
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('quarter', "seen") AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('quarter', "seen")) as "g" order by "g"."c0" asc limit 101;

-- groups of every month
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('month', "seen") AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('month', "seen")) as "g" order by "g"."c0" asc limit 101;

-- groups of every week
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('week', "seen") AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('week', "seen")) as "g" order by "g"."c0" asc limit 101;

-- groups of every day
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('day', "seen") AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('day', "seen")) as "g" order by "g"."c0" asc limit 101;

-- groups of every hour
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('hour', "seen") AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('hour', "seen")) as "g" order by "g"."c0" asc limit 101;

-- groups of every minute
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('minute', "seen") AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('minute', "seen")) as "g" order by "g"."c0" asc limit 101;

-- groups of every second
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('second', "seen") AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('second', "seen")) as "g" order by "g"."c0" asc limit 101;

-- groups of every month of dates
select "g"."c0", "g"."c1", "g"."c2" from (select date_trunc('month', "day"::timestamp)::date AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by date_trunc('month', "day"::timestamp)::date) as "g" order by "g"."c0" asc limit 101;

-- groups of a whole width
select "g"."c0", "g"."c1", "g"."c2" from (select ("x?y"::int8 - mod(mod("x?y"::int8, $1::int8) + $1::int8, $1::int8)) AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from "Legacy ""S"""."tricky ?" group by ("x?y"::int8 - mod(mod("x?y"::int8, $1::int8) + $1::int8, $1::int8))) as "g" order by "g"."c0" asc limit 101;
-- "100"

-- groups of a decimal width
select "g"."c0", "g"."c1", "g"."c2", "g"."c3" from (select round(("50% as $1" - mod(mod("50% as $1", $1::numeric) + $1::numeric, $1::numeric)), 1) AS c0, round(("x?y"::int8 - mod(mod("x?y"::int8, $2::numeric) + $2::numeric, $2::numeric)), 1) AS c1, count(*) AS c2, SUM(COUNT(*)) OVER () AS c3 from "Legacy ""S"""."tricky ?" group by round(("50% as $1" - mod(mod("50% as $1", $1::numeric) + $1::numeric, $1::numeric)), 1), round(("x?y"::int8 - mod(mod("x?y"::int8, $2::numeric) + $2::numeric, $2::numeric)), 1)) as "g" order by "g"."c0" asc, "g"."c1" asc limit 101;
-- "2.5", "0.5"

-- a condition, an order and a page
select ("g"."c0"::text) COLLATE "C", "g"."c1", "g"."c2", "g"."c3", "g"."c4" from (select ("cit"::text) COLLATE "C" AS c0, "x?y" AS c1, count(*) AS c2, SUM("50% as $1") AS c3, SUM(COUNT(*)) OVER () AS c4 from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text, "back`tick"::text, "latin"::text, "cit"::text, "fold", "js"::text) COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') group by ("cit"::text) COLLATE "C", "x?y") as "g" where ((("g"."c2" >= $3 OR "g"."c3" IS NULL) AND "g"."c1" = ANY($4))) order by "g"."c3" desc NULLS last, "g"."c0" asc, ("g"."c0"::text) COLLATE "C", "g"."c1" asc limit 6 offset 10;
-- "-7", "%O'Brien%", "2", "{\"1\",\"2\"}"

-- the first that match
select ("g"."c0"::text) COLLATE "C", "g"."c1", "g"."c2" from (select ("cit"::text) COLLATE "C" AS c0, count(*) AS c1, SUM(COUNT(*)) OVER () AS c2 from (select "cit", "x?y" from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text, "back`tick"::text, "latin"::text, "cit"::text, "fold", "js"::text) COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') limit 1000) as "s" group by ("cit"::text) COLLATE "C") as "g" order by "g"."c0" asc, ("g"."c0"::text) COLLATE "C" limit 101;
-- "-7", "%O'Brien%"

-- the first of the table
select "g"."c0", "g"."c1", "g"."c2" from (select "day" AS c0, SUM("f8") AS c1, SUM(COUNT(*)) OVER () AS c2 from (select "day", "f8", "x?y", "id", "a.b", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "flag", "bit1", "bit5", "js", "seen", "span" from "Legacy ""S"""."tricky ?" limit 1000) as "s" where "x?y" = $1 and (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text, "back`tick"::text, "latin"::text, "cit"::text, "fold", "js"::text) COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') group by "day") as "g" order by "g"."c0" asc limit 101;
-- "-7", "%O'Brien%"
