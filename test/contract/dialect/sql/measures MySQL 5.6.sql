-- sums
select `c0`, `c1`, TRIM(CONCAT(CONCAT(`c2`), '    ')), TRIM(CONCAT(CONCAT(`c3`), '    ')), t from (select CAST(SUM(`x?y`) AS SIGNED) AS c0, SUM(`50% as $1`) AS c1, SUM(`f4` * 1e0) * 1e0 AS c2, SUM(`f8` * 1e0) * 1e0 AS c3, COUNT(*) AS t from `tricky ?`) as `g` limit 101;

-- averages
select `c0`, `c1`, TRIM(CONCAT(CONCAT(`c2`), '    ')), TRIM(CONCAT(CONCAT(`c3`), '    ')), t from (select ROUND(CAST(SUM(`x?y`) AS DECIMAL(65, 26)) / COUNT(`x?y`), 16) AS c0, ROUND(CAST(SUM(`50% as $1`) AS DECIMAL(65, 26)) / COUNT(`50% as $1`), 16) AS c1, SUM(`f4` * 1e0) / COUNT(`f4` * 1e0) AS c2, SUM(`f8` * 1e0) / COUNT(`f8` * 1e0) AS c3, COUNT(*) AS t from `tricky ?`) as `g` limit 101;

-- least values
select `c0`, `c1`, TRIM(CONCAT(CONCAT(`c2` * 1e0), '    ')), TRIM(CONCAT(CONCAT(`c3`), '    ')), `c4`, `c5`, `c6`, `c7`, `c8`, t from (select MIN(`x?y`) AS c0, MIN(`50% as $1`) AS c1, MIN(`f4` * 1e0) AS c2, MIN(`f8` * 1e0) AS c3, MIN(`a.b`) AS c4, MIN(`cit`) AS c5, MIN(IF(`day` = '0000-00-00', NULL, `day`)) AS c6, MIN(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) AS c7, MIN(`span`) AS c8, COUNT(*) AS t from `tricky ?`) as `g` limit 101;

-- greatest values
select TRIM(CONCAT(CONCAT(`c0` * 1e0), '    ')), `c1`, t from (select MAX(`f4` * 1e0) AS c0, MAX(IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`)) AS c1, COUNT(*) AS t from `tricky ?`) as `g` limit 101;

-- distinct values
select `c0`, `c1`, `c2`, `c3`, `c4`, `c5`, `c6`, `c7`, t from (select COUNT(DISTINCT `x?y`) AS c0, COUNT(DISTINCT `50% as $1`) AS c1, COUNT(DISTINCT IF(`f4` = 0, 0, `f4`)) AS c2, COUNT(DISTINCT IF(`f8` = 0, 0, `f8`)) AS c3, COUNT(DISTINCT SHA2(CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY), 256)) AS c4, COUNT(DISTINCT CAST(CONVERT(`cit` USING utf8mb4) AS BINARY)) AS c5, COUNT(DISTINCT `flag`) AS c6, COUNT(DISTINCT NULLIF(CONCAT(`day`), '0000-00-00')) AS c7, COUNT(*) AS t from `tricky ?`) as `g` limit 101;

-- numbers of values
select `c0`, `c1`, t from (select COUNT(CASE WHEN (`x?y` IS NULL IS NOT TRUE) THEN 1 END) AS c0, COUNT(CASE WHEN ((`day` IS NULL OR `day` = '0000-00-00') IS NOT TRUE) THEN 1 END) AS c1, COUNT(*) AS t from `tricky ?`) as `g` limit 101;

-- a measure with filters
select `c0`, `c1`, t from (select COUNT(CASE WHEN `x?y` = 1 THEN 1 END) AS c0, CAST(SUM(CASE WHEN CONVERT(`a.b` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' THEN `x?y` END) AS SIGNED) AS c1, COUNT(*) AS t from `tricky ?`) as `g` limit 101;
-- "?%"

-- groups of texts
select `c0`, `c1`, `c2`, `c3`, t from (select SHA2(CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY), 256) AS kc0, CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) AS kc1, CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) AS kc2, `a.b` AS c0, `cit` AS c1, `fold` AS c2, COUNT(*) AS c3, NULL AS t from `tricky ?` group by 1, 2, 3) as `g` order by `c0` IS NULL asc, LEFT(`c0`, 255) asc, `c1` IS NULL asc, `c1` asc, `c2` IS NULL asc, `c2` asc, `kc0` asc, `kc1` asc, `kc2` asc limit 101;

-- groups of other values
select TRIM(CONCAT(CONCAT(`c0` * 1e0), '    ')), `c1`, `c2`, `c3`, t from (select IF(`f4` = 0, 0, `f4`) AS kc0, `flag` AS c1, NULLIF(CONCAT(`day`), '0000-00-00') AS kc2, `f4` AS c0, `day` AS c2, COUNT(*) AS c3, NULL AS t from `tricky ?` group by 1, 2, 3) as `g` order by `c0` IS NULL asc, `c0` asc, `c1` IS NULL asc, `c1` asc, IF(`c2` = '0000-00-00', NULL, `c2`) IS NULL asc, IF(`c2` = '0000-00-00', NULL, `c2`) asc, `kc0` asc, `kc2` asc limit 101;

-- groups of every year
select `c0`, `c1`, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, CAST(DATE(`seen`) - INTERVAL (DAYOFYEAR(`seen`) - 1) DAY AS DATETIME)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) asc limit 101;

-- groups of every quarter
select `c0`, `c1`, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, CAST(DATE(`seen`) - INTERVAL (DAYOFYEAR(`seen`) - 1) DAY + INTERVAL (QUARTER(`seen`) - 1) QUARTER AS DATETIME)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) asc limit 101;

-- groups of every month
select `c0`, `c1`, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, CAST(DATE(`seen`) - INTERVAL (DAYOFMONTH(`seen`) - 1) DAY AS DATETIME)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) asc limit 101;

-- groups of every week
select `c0`, `c1`, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, CAST(DATE(`seen`) - INTERVAL WEEKDAY(`seen`) DAY AS DATETIME)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) asc limit 101;

-- groups of every day
select `c0`, `c1`, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, CAST(DATE(`seen`) AS DATETIME)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) asc limit 101;

-- groups of every hour
select `c0`, `c1`, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, CAST(DATE_FORMAT(`seen`, '%Y-%m-%d %H:00:00') AS DATETIME)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) asc limit 101;

-- groups of every minute
select `c0`, `c1`, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, CAST(DATE_FORMAT(`seen`, '%Y-%m-%d %H:%i:00') AS DATETIME)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) asc limit 101;

-- groups of every second
select `c0`, `c1`, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, CAST(DATE_FORMAT(`seen`, '%Y-%m-%d %H:%i:%s') AS DATETIME)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00 00:00:00', NULL, `c0`) asc limit 101;

-- groups of every month of dates
select `c0`, `c1`, t from (select IF(`day` = '0000-00-00', NULL, CAST(DATE(`day`) - INTERVAL (DAYOFMONTH(`day`) - 1) DAY AS DATE)) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by IF(`c0` = '0000-00-00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00', NULL, `c0`) asc limit 101;

-- groups of a whole width
select `c0`, `c1`, t from (select `x?y` - MOD(MOD(`x?y`, 100) + 100, 100) AS c0, COUNT(*) AS c1, NULL AS t from `tricky ?` group by 1) as `g` order by `c0` IS NULL asc, `c0` asc limit 101;

-- groups of a decimal width
select `c0`, `c1`, `c2`, t from (select CAST(`50% as $1` - MOD(MOD(`50% as $1`, 2.5) + 2.5, 2.5) AS DECIMAL(6, 1)) AS c0, CAST(`x?y` - MOD(MOD(`x?y`, 0.5) + 0.5, 0.5) AS DECIMAL(12, 1)) AS c1, COUNT(*) AS c2, NULL AS t from `tricky ?` group by 1, 2) as `g` order by `c0` IS NULL asc, `c0` asc, `c1` IS NULL asc, `c1` asc limit 101;

-- a condition, an order and a page
select `c0`, `c1`, `c2`, `c3`, t from (select CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) AS kc0, `x?y` AS c1, `cit` AS c0, COUNT(*) AS c2, SUM(`50% as $1`) AS c3, NULL AS t from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `say "hi"`, `back``tick`, CONVERT(`latin` USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1, 2) as `g` where ((`c2` >= 2 OR `c3` IS NULL) AND `c1` IN (1, 2)) order by `c3` desc, `c0` IS NULL asc, `c0` asc, `c1` IS NULL asc, `c1` asc, `kc0` asc limit 6 offset 10;
-- "%O'Brien%", "%O'Brien%", "%O'Brien%"

-- the first that match
select `c0`, `c1`, t from (select CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) AS kc0, `cit` AS c0, COUNT(*) AS c1, NULL AS t from (select `cit` from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `say "hi"`, `back``tick`, CONVERT(`latin` USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') limit 1000) as `s` group by 1) as `g` order by `c0` IS NULL asc, `c0` asc, `kc0` asc limit 101;
-- "%O'Brien%", "%O'Brien%", "%O'Brien%"

-- the first of the table
select `c0`, TRIM(CONCAT(CONCAT(`c1`), '    ')), t from (select NULLIF(CONCAT(`day`), '0000-00-00') AS kc0, `day` AS c0, SUM(`f8` * 1e0) * 1e0 AS c1, NULL AS t from (select `day`, `f8`, `x?y`, `id`, `a.b`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, `f4`, `flag`, `bit1`, `bit5`, `js`, `seen`, `span` from `tricky ?` limit 1000) as `s` where `x?y` = -7 and (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `say "hi"`, `back``tick`, CONVERT(`latin` USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` order by IF(`c0` = '0000-00-00', NULL, `c0`) IS NULL asc, IF(`c0` = '0000-00-00', NULL, `c0`) asc, `kc0` asc limit 101;
-- "%O'Brien%", "%O'Brien%", "%O'Brien%"
