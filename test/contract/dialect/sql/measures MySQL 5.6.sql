-- sums
select `g`.`c0`, `g`.`c1`, TRIM(CONCAT(CONCAT(`g`.`c2`), '            ')), TRIM(CONCAT(CONCAT(`g`.`c3`), '            ')), `g`.`c4` from (select CAST(SUM(`x?y`) AS SIGNED) AS c0, SUM(`50% as $1`) AS c1, (SUM(`f4` * 1e0) * 1e0) AS c2, (SUM(`f8` * 1e0) * 1e0) AS c3, count(*) AS c4 from `tricky ?`) as `g` limit 101;

-- averages
select `g`.`c0`, `g`.`c1`, TRIM(CONCAT(CONCAT(`g`.`c2`), '            ')), TRIM(CONCAT(CONCAT(`g`.`c3`), '            ')), `g`.`c4` from (select ROUND(CAST(SUM(`x?y`) AS DECIMAL(65, 26)) / COUNT(`x?y`), 16) AS c0, ROUND(CAST(SUM(`50% as $1`) AS DECIMAL(65, 26)) / COUNT(`50% as $1`), 16) AS c1, (SUM(`f4` * 1e0) / COUNT(`f4` * 1e0)) AS c2, (SUM(`f8` * 1e0) / COUNT(`f8` * 1e0)) AS c3, count(*) AS c4 from `tricky ?`) as `g` limit 101;

-- least values
select `g`.`c0`, `g`.`c1`, TRIM(CONCAT(CONCAT(`g`.`c2` * 1e0), '            ')), TRIM(CONCAT(CONCAT(`g`.`c3`), '            ')), `g`.`c4`, `g`.`c5`, `g`.`c6`, `g`.`c7`, `g`.`c8`, `g`.`c9` from (select min(`x?y`) AS c0, min(`50% as $1`) AS c1, min(`f4` * 1e0) AS c2, min(`f8` * 1e0) AS c3, min(`a.b`) AS c4, min(`cit`) AS c5, min(IF(`day` = '0000-00-00', NULL, `day`)) AS c6, min(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) AS c7, min(`span`) AS c8, count(*) AS c9 from `tricky ?`) as `g` limit 101;

-- greatest values
select TRIM(CONCAT(CONCAT(`g`.`c0` * 1e0), '            ')), `g`.`c1`, `g`.`c2` from (select max(`f4` * 1e0) AS c0, max(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) AS c1, count(*) AS c2 from `tricky ?`) as `g` limit 101;

-- distinct values
select `g`.`c0`, `g`.`c1`, `g`.`c2`, `g`.`c3`, `g`.`c4`, `g`.`c5`, `g`.`c6`, `g`.`c7`, `g`.`c8` from (select COUNT(DISTINCT `x?y`) AS c0, COUNT(DISTINCT `50% as $1`) AS c1, COUNT(DISTINCT IF(`f4` = 0, 0, `f4`)) AS c2, COUNT(DISTINCT IF(`f8` = 0, 0, `f8`)) AS c3, COUNT(DISTINCT SHA2(CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY), 256)) AS c4, COUNT(DISTINCT CAST(CONVERT(`cit` USING utf8mb4) AS BINARY)) AS c5, COUNT(DISTINCT `flag`) AS c6, COUNT(DISTINCT NULLIF(CONCAT(`day`), '0000-00-00')) AS c7, count(*) AS c8 from `tricky ?`) as `g` limit 101;

-- numbers of values
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select count(case when ((`x?y` IS NULL IS NOT TRUE)) then 1 end) AS c0, count(case when (((`day` IS NULL OR `day` = '0000-00-00') IS NOT TRUE)) then 1 end) AS c1, count(*) AS c2 from `tricky ?`) as `g` limit 101;

-- a measure with filters
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select count(case when (`x?y` = 1) then 1 end) AS c0, CAST(SUM(case when (CONVERT(`a.b` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|') then `x?y` end) AS SIGNED) AS c1, count(*) AS c2 from `tricky ?`) as `g` limit 101;
-- "?%"

-- groups of texts
select `g`.`c0`, `g`.`c1`, `g`.`c2`, `g`.`c3`, `g`.`c4` from (select `a.b` AS c0, `cit` AS c1, `fold` AS c2, count(*) AS c3, NULL AS c4 from `tricky ?` group by SHA2(CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY), 256), CAST(CONVERT(`cit` USING utf8mb4) AS BINARY), CAST(CONVERT(`fold` USING utf8mb4) AS BINARY)) as `g` order by `g`.`c0` IS NULL asc, LEFT(`g`.`c0`, 255) asc, SHA2(CAST(CONVERT(`g`.`c0` USING utf8mb4) AS BINARY), 256), `g`.`c1` IS NULL asc, `g`.`c1` asc, CAST(CONVERT(`g`.`c1` USING utf8mb4) AS BINARY), `g`.`c2` IS NULL asc, `g`.`c2` asc, CAST(CONVERT(`g`.`c2` USING utf8mb4) AS BINARY) limit 101;

-- groups of other values
select TRIM(CONCAT(CONCAT(`g`.`c0` * 1e0), '            ')), `g`.`c1`, `g`.`c2`, `g`.`c3`, `g`.`c4` from (select `f4` AS c0, `flag` AS c1, `day` AS c2, count(*) AS c3, NULL AS c4 from `tricky ?` group by IF(`f4` = 0, 0, `f4`), `flag`, NULLIF(CONCAT(`day`), '0000-00-00')) as `g` order by `g`.`c0` IS NULL asc, `g`.`c0` asc, `g`.`c1` IS NULL asc, `g`.`c1` asc, IF(`g`.`c2` = '0000-00-00', NULL, `g`.`c2`) IS NULL asc, IF(`g`.`c2` = '0000-00-00', NULL, `g`.`c2`) asc limit 101;

-- groups of every year
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - INTERVAL (DAYOFYEAR(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - 1) DAY AS DATETIME) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - INTERVAL (DAYOFYEAR(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - 1) DAY AS DATETIME)) as `g` order by IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) asc limit 101;

-- groups of every quarter
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - INTERVAL (DAYOFYEAR(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - 1) DAY + INTERVAL (QUARTER(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - 1) QUARTER AS DATETIME) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - INTERVAL (DAYOFYEAR(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - 1) DAY + INTERVAL (QUARTER(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - 1) QUARTER AS DATETIME)) as `g` order by IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) asc limit 101;

-- groups of every month
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - INTERVAL (DAYOFMONTH(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - 1) DAY AS DATETIME) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - INTERVAL (DAYOFMONTH(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - 1) DAY AS DATETIME)) as `g` order by IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) asc limit 101;

-- groups of every week
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - INTERVAL WEEKDAY(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) DAY AS DATETIME) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) - INTERVAL WEEKDAY(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) DAY AS DATETIME)) as `g` order by IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) asc limit 101;

-- groups of every day
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) AS DATETIME) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) AS DATETIME)) as `g` order by IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) asc limit 101;

-- groups of every hour
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE_FORMAT(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`), '%Y-%m-%d %H:00:00') AS DATETIME) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE_FORMAT(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`), '%Y-%m-%d %H:00:00') AS DATETIME)) as `g` order by IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) asc limit 101;

-- groups of every minute
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE_FORMAT(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`), '%Y-%m-%d %H:%i:00') AS DATETIME) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE_FORMAT(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`), '%Y-%m-%d %H:%i:00') AS DATETIME)) as `g` order by IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) asc limit 101;

-- groups of every second
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE_FORMAT(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`), '%Y-%m-%d %H:%i:%s') AS DATETIME) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE_FORMAT(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`), '%Y-%m-%d %H:%i:%s') AS DATETIME)) as `g` order by IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00 00:00:00', NULL, `g`.`c0`) asc limit 101;

-- groups of every month of dates
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select CAST(DATE(IF(`day` = '0000-00-00', NULL, `day`)) - INTERVAL (DAYOFMONTH(IF(`day` = '0000-00-00', NULL, `day`)) - 1) DAY AS DATE) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by CAST(DATE(IF(`day` = '0000-00-00', NULL, `day`)) - INTERVAL (DAYOFMONTH(IF(`day` = '0000-00-00', NULL, `day`)) - 1) DAY AS DATE)) as `g` order by IF(`g`.`c0` = '0000-00-00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00', NULL, `g`.`c0`) asc limit 101;

-- groups of a whole width
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select (CAST(`x?y` AS SIGNED) - MOD(MOD(CAST(`x?y` AS SIGNED), 100) + 100, 100)) AS c0, count(*) AS c1, NULL AS c2 from `tricky ?` group by (CAST(`x?y` AS SIGNED) - MOD(MOD(CAST(`x?y` AS SIGNED), 100) + 100, 100))) as `g` order by `g`.`c0` IS NULL asc, `g`.`c0` asc limit 101;

-- groups of a decimal width
select `g`.`c0`, `g`.`c1`, `g`.`c2`, `g`.`c3` from (select CAST((`50% as $1` - MOD(MOD(`50% as $1`, 2.5) + 2.5, 2.5)) AS DECIMAL(6, 1)) AS c0, CAST((CAST(CAST(`x?y` AS SIGNED) AS DECIMAL(20, 0)) - MOD(MOD(CAST(CAST(`x?y` AS SIGNED) AS DECIMAL(20, 0)), 0.5) + 0.5, 0.5)) AS DECIMAL(12, 1)) AS c1, count(*) AS c2, NULL AS c3 from `tricky ?` group by CAST((`50% as $1` - MOD(MOD(`50% as $1`, 2.5) + 2.5, 2.5)) AS DECIMAL(6, 1)), CAST((CAST(CAST(`x?y` AS SIGNED) AS DECIMAL(20, 0)) - MOD(MOD(CAST(CAST(`x?y` AS SIGNED) AS DECIMAL(20, 0)), 0.5) + 0.5, 0.5)) AS DECIMAL(12, 1))) as `g` order by `g`.`c0` IS NULL asc, `g`.`c0` asc, `g`.`c1` IS NULL asc, `g`.`c1` asc limit 101;

-- a condition, an order and a page
select `g`.`c0`, `g`.`c1`, `g`.`c2`, `g`.`c3`, `g`.`c4` from (select `cit` AS c0, `x?y` AS c1, count(*) AS c2, SUM(`50% as $1`) AS c3, NULL AS c4 from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `say "hi"`, `back``tick`, CONVERT(`latin` USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by CAST(CONVERT(`cit` USING utf8mb4) AS BINARY), `x?y`) as `g` where (((`g`.`c2` >= 2 OR `g`.`c3` IS NULL) AND `g`.`c1` IN (1, 2))) order by `g`.`c3` desc, `g`.`c0` IS NULL asc, `g`.`c0` asc, CAST(CONVERT(`g`.`c0` USING utf8mb4) AS BINARY), `g`.`c1` IS NULL asc, `g`.`c1` asc limit 6 offset 10;
-- "%O'Brien%", "%O'Brien%", "%O'Brien%"

-- the first that match
select `g`.`c0`, `g`.`c1`, `g`.`c2` from (select `cit` AS c0, count(*) AS c1, NULL AS c2 from (select `cit`, `x?y` from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `say "hi"`, `back``tick`, CONVERT(`latin` USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') limit 1000) as `s` group by CAST(CONVERT(`cit` USING utf8mb4) AS BINARY)) as `g` order by `g`.`c0` IS NULL asc, `g`.`c0` asc, CAST(CONVERT(`g`.`c0` USING utf8mb4) AS BINARY) limit 101;
-- "%O'Brien%", "%O'Brien%", "%O'Brien%"

-- the first of the table
select `g`.`c0`, TRIM(CONCAT(CONCAT(`g`.`c1`), '            ')), `g`.`c2` from (select `day` AS c0, (SUM(`f8` * 1e0) * 1e0) AS c1, NULL AS c2 from (select `day`, `f8`, `x?y`, `id`, `a.b`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, `f4`, `flag`, `bit1`, `bit5`, `js`, `seen`, `span` from `tricky ?` limit 1000) as `s` where `x?y` = -7 and (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `say "hi"`, `back``tick`, CONVERT(`latin` USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by NULLIF(CONCAT(`day`), '0000-00-00')) as `g` order by IF(`g`.`c0` = '0000-00-00', NULL, `g`.`c0`) IS NULL asc, IF(`g`.`c0` = '0000-00-00', NULL, `g`.`c0`) asc limit 101;
-- "%O'Brien%", "%O'Brien%", "%O'Brien%"
