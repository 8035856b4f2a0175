-- values of a.b
select `v`, CASE WHEN l = 1 THEN 2 WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select CASE WHEN CHAR_LENGTH(`a.b`) <= 1000 THEN SHA2(CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY), 256) END AS e, CASE WHEN CHAR_LENGTH(`a.b`) > 1000 THEN 1 ELSE 0 END AS l, CASE WHEN CHAR_LENGTH(`a.b`) <= 1000 THEN `a.b` END AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1, 2) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT CASE WHEN CHAR_LENGTH(`a.b`) <= 1000 THEN SHA2(CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY), 256) END) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, LEFT(v, 255), e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of cit
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) AS e, `cit` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT CAST(CONVERT(`cit` USING utf8mb4) AS BINARY)) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of fold
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) AS e, `fold` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT CAST(CONVERT(`fold` USING utf8mb4) AS BINARY)) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of f4
select TRIM(CONCAT(CONCAT(`v` * 1e0), '            ')), CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select IF(`f4` = 0, 0, `f4`) AS e, `f4` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT IF(`f4` = 0, 0, `f4`)) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of f8
select TRIM(CONCAT(CONCAT(`v`), '            ')), CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select IF(`f8` = 0, 0, `f8`) AS e, `f8` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT IF(`f8` = 0, 0, `f8`)) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of flag
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select `flag` AS e, `flag` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT `flag`) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of bit5
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select `bit5` AS e, `bit5` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT `bit5`) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of day
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select NULLIF(CONCAT(`day`), '0000-00-00') AS e, `day` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT NULLIF(CONCAT(`day`), '0000-00-00')) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of seen
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select IF(`seen` = '0000-00-00 00:00:00', NULL, LEFT(DATE_FORMAT(`seen`, '%Y-%m-%dT%H:%i:%s.%f'), 23)) AS e, `seen` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT IF(`seen` = '0000-00-00 00:00:00', NULL, LEFT(DATE_FORMAT(`seen`, '%Y-%m-%dT%H:%i:%s.%f'), 23))) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of span
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select `span` AS e, `span` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT `span`) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of 50% as $1
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select `50% as $1` AS e, `50% as $1` AS v, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT `50% as $1`) AS c from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- values of cit, in order, of the first that match
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) AS e, `cit` AS v, COUNT(*) AS n from (select `cit` from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') limit 1000) as `s` group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT CAST(CONVERT(`cit` USING utf8mb4) AS BINARY)) AS c from (select `cit` from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') limit 1000) as `s`) as s order by 2 DESC, v, e limit 5;
-- "%O'Brien%", "%O'Brien%"

-- values of day, of the first of the table
select `v`, CASE WHEN e IS NULL THEN 1 ELSE 0 END, n, c, t from (select NULLIF(CONCAT(`day`), '0000-00-00') AS e, `day` AS v, COUNT(*) AS n from (select `day`, `x?y`, `cit` from `tricky ?` limit 1000) as `s` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1) as `g` cross join (select COUNT(*) AS t, COUNT(DISTINCT NULLIF(CONCAT(`day`), '0000-00-00')) AS c from (select `day`, `x?y`, `cit` from `tricky ?` limit 1000) as `s` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) as s order by 2 DESC, 3 DESC, v, e limit 32;
-- "%O'Brien%", "%O'Brien%"

-- how many values
SELECT MAX(CARDINALITY) FROM information_schema.STATISTICS
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ? AND SEQ_IN_INDEX = 1;
-- "tricky ?", "cit"

-- extent of f4
select TRIM(CONCAT(CONCAT(MIN(`f4`) * 1e0), '            ')), TRIM(CONCAT(CONCAT(MAX(`f4`) * 1e0), '            ')) from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') and (`f4` IS NULL IS NOT TRUE);
-- "%O'Brien%"

-- extent of day, of the first that match
select MIN(`day`), MAX(`day`) from (select `day` from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') limit 1000) as `s` where ((`day` IS NULL OR `day` = '0000-00-00') IS NOT TRUE);
-- "%O'Brien%"

-- ranges of numbers
select CASE WHEN `50% as $1` IS NULL THEN NULL ELSE CASE WHEN `50% as $1` < 10 THEN CASE WHEN `50% as $1` < 5 THEN CASE WHEN `50% as $1` < 0 THEN 0 ELSE 1 END ELSE 2 END ELSE CASE WHEN `50% as $1` < 15 THEN 3 ELSE 4 END END END AS e, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1;
-- "%O'Brien%"

-- ranges of days, of the first of the table
select CASE WHEN (`day` IS NULL OR `day` = '0000-00-00') THEN NULL ELSE CASE WHEN (`day` > '0000-00-00' AND `day` < ?) THEN CASE WHEN (`day` > '0000-00-00' AND `day` < ?) THEN 0 ELSE 1 END ELSE 2 END END AS e, COUNT(*) AS n from (select `day`, `x?y`, `cit` from `tricky ?` limit 1000) as `s` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1;
-- "2024-02-01", "2024-01-01", "%O'Brien%"

-- ranges without an edge
select CASE WHEN (`day` IS NULL OR `day` = '0000-00-00') THEN NULL ELSE 0 END AS e, COUNT(*) AS n from `tricky ?` where `x?y` = -7 and (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') group by 1;
-- "%O'Brien%"
