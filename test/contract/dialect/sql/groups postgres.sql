-- values of a.b
select "e", CASE WHEN l = 1 THEN 2 WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select CASE WHEN CHAR_LENGTH("a.b") <= 1000 THEN "a.b" END AS e, CASE WHEN CHAR_LENGTH("a.b") > 1000 THEN 1 ELSE 0 END AS l, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1, 2) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of cit
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select ("cit"::text) COLLATE "C" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of fold
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select ("fold")::text COLLATE "C" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of f4
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "f4" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of f8
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "f8" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of flag
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "flag" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of bit5
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "bit5" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of day
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "day" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of seen
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "seen" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of span
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "span" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of 50% as $1
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "50% as $1" AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- values of cit, in order, of the first that match
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select ("cit"::text) COLLATE "C" AS e, COUNT(*) AS n from (select "cit" from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') limit 1000) as "s" group by 1) as "g" order by 2 DESC, e limit 5;
-- "-7", "%O'Brien%"

-- values of day, of the first of the table
select "e", CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, COUNT(e) OVER (), SUM(n) OVER () from (select "day" AS e, COUNT(*) AS n from (select "day", "x?y", "cit" from "Legacy ""S"""."tricky ?" limit 1000) as "s" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1) as "g" order by 2 DESC, 3 DESC, e limit 32;
-- "-7", "%O'Brien%"

-- how many values
EXPLAIN (FORMAT JSON) select ("cit"::text) COLLATE "C" from "Legacy ""S"""."tricky ?" group by 1;

-- extent of f4
select MIN("f4"), MAX("f4") from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') and ("f4" IS NULL IS NOT TRUE);
-- "-7", "%O'Brien%"

-- extent of day, of the first that match
select MIN("day"), MAX("day") from (select "day" from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') limit 1000) as "s" where ("day" IS NULL IS NOT TRUE);
-- "-7", "%O'Brien%"

-- ranges of numbers
select CASE WHEN "50% as $1" IS NULL THEN NULL ELSE CASE WHEN "50% as $1" < $1 THEN CASE WHEN "50% as $1" < $2 THEN CASE WHEN "50% as $1" < $3 THEN 0 ELSE 1 END ELSE 2 END ELSE CASE WHEN "50% as $1" < $4 THEN 3 ELSE 4 END END END AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $5 and (("cit"::text COLLATE pg_catalog."default") ILIKE $6 ESCAPE '|') group by 1;
-- "10", "5", "0", "15", "-7", "%O'Brien%"

-- ranges of days, of the first of the table
select CASE WHEN "day" IS NULL THEN NULL ELSE CASE WHEN "day" < $1 THEN CASE WHEN "day" < $2 THEN 0 ELSE 1 END ELSE 2 END END AS e, COUNT(*) AS n from (select "day", "x?y", "cit" from "Legacy ""S"""."tricky ?" limit 1000) as "s" where "x?y" = $3 and (("cit"::text COLLATE pg_catalog."default") ILIKE $4 ESCAPE '|') group by 1;
-- "2024-02-01", "2024-01-01", "-7", "%O'Brien%"

-- ranges without an edge
select CASE WHEN "day" IS NULL THEN NULL ELSE 0 END AS e, COUNT(*) AS n from "Legacy ""S"""."tricky ?" where "x?y" = $1 and (("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') group by 1;
-- "-7", "%O'Brien%"
