-- search: no filter
select `id`, `a.b`, `x?y`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, CONCAT(`f4` * 1e0), CONCAT(`f8`), `flag`, `bit1`, `bit5`, `js`, `blob`, `day`, `seen`, `span`, IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL) from `tricky ?` order by `id` asc limit 100;

-- search: equality
select `id`, IF(FALSE, `a.b`, NULL), IF(FALSE, `x?y`, NULL), IF(FALSE, `say "hi"`, NULL), IF(FALSE, `back``tick`, NULL), IF(FALSE, `50% as $1`, NULL), IF(FALSE, `latin`, NULL), IF(FALSE, `cit`, NULL), IF(FALSE, `fold`, NULL), IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL), IF(FALSE, `flag`, NULL), IF(FALSE, `bit1`, NULL), IF(FALSE, `bit5`, NULL), IF(FALSE, `blob`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL), IF(FALSE, `span`, NULL) from `tricky ?` where (`id` = 1 AND (`a.b` = ? AND CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND `x?y` = -7 AND (`say "hi"` = ? AND CAST(CONVERT(`say "hi"` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND (`back``tick` = ? AND CAST(CONVERT(`back``tick` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND `50% as $1` = 12.50 AND (`latin` = CONVERT(? USING latin1) COLLATE latin1_swedish_ci AND CAST(CONVERT(`latin` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND (`fold` = ? AND CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND `f4` = 0.10000000149011612e0 AND `f8` = 0.1e0 AND `flag` = 1 AND `bit1` = 1 AND `bit5` = 21 AND `blob` = ? AND `day` = ? AND `seen` = ? AND `span` = ?) order by `id` asc limit 100;
-- "O'Brien \\ ?", "O'Brien \\ ?", "Müller", "Müller", "ab", "ab", "Ärger", "Ärger", "Word", "Word", "Word", "Word", x'00ff', "2024-02-29", "2024-02-29 23:59:59.999", "23:59:59"

-- search: IN
select `id`, IF(FALSE, `a.b`, NULL), IF(FALSE, `x?y`, NULL), IF(FALSE, `say "hi"`, NULL), IF(FALSE, `back``tick`, NULL), IF(FALSE, `50% as $1`, NULL), IF(FALSE, `latin`, NULL), IF(FALSE, `cit`, NULL), IF(FALSE, `fold`, NULL), IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL), IF(FALSE, `flag`, NULL), IF(FALSE, `bit1`, NULL), IF(FALSE, `bit5`, NULL), IF(FALSE, `blob`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL), IF(FALSE, `span`, NULL) from `tricky ?` where (`id` IN (1, 2) AND (`a.b` IN (?, ?) AND CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND `x?y` IN (-7, 2147483647) AND (`say "hi"` IN (?, ?) AND CAST(CONVERT(`say "hi"` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`back``tick` IN (?, ?) AND CAST(CONVERT(`back``tick` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND `50% as $1` IN (12.50, -0.01) AND (`latin` IN (CONVERT(? USING latin1) COLLATE latin1_swedish_ci, CONVERT(? USING latin1) COLLATE latin1_swedish_ci) AND CAST(CONVERT(`latin` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`fold` IN (?, ?) AND CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND `f4` IN (0.10000000149011612e0, 3.4028234663852886e+38) AND `f8` IN (0.1e0, 5e-324) AND `flag` IN (1, 0) AND `bit1` IN (1, 0) AND `bit5` IN (21, 0) AND `blob` IN (?, ?) AND `day` IN (?, ?) AND `seen` IN (?, ?) AND `span` IN (?, ?)) order by `id` asc limit 100;
-- "O'Brien \\ ?", "a\"{,}", "O'Brien \\ ?", "a\"{,}", "Müller", "", "Müller", "", "ab", "cd", "ab", "cd", "Ärger", "漢字", "Ärger", "漢字", "Word", "word ", "Word", "word ", "Word", "ẞ", "Word", "ẞ", x'00ff', x'', "2024-02-29", "1999-12-31", "2024-02-29 23:59:59.999", "1999-12-31 00:00:00", "23:59:59", "00:00:00"

-- search: IN, empty
select `id` from `tricky ?` where FALSE order by `id` asc limit 100;

-- search: null
select `id`, IF(FALSE, `a.b`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL) from `tricky ?` where (`a.b` IS NULL AND (`day` IS NULL OR `day` = '0000-00-00') AND (`seen` IS NULL OR `seen` = '0000-00-00 00:00:00')) order by `id` asc limit 100;

-- search: ranges
select `id`, IF(FALSE, `a.b`, NULL), IF(FALSE, `x?y`, NULL), IF(FALSE, `say "hi"`, NULL), IF(FALSE, `back``tick`, NULL), IF(FALSE, `50% as $1`, NULL), IF(FALSE, `latin`, NULL), IF(FALSE, `cit`, NULL), IF(FALSE, `fold`, NULL), IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL), IF(FALSE, `bit1`, NULL), IF(FALSE, `bit5`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL), IF(FALSE, `span`, NULL) from `tricky ?` where (`id` >= 1 AND `id` < 2 AND `a.b` >= ? AND `a.b` < ? AND `x?y` >= -7 AND `x?y` < 2147483647 AND `say "hi"` >= ? AND `say "hi"` < ? AND `back``tick` >= ? AND `back``tick` < ? AND `50% as $1` >= 12.50 AND `50% as $1` < -0.01 AND `latin` >= CONVERT(? USING latin1) COLLATE latin1_swedish_ci AND `latin` < CONVERT(? USING latin1) COLLATE latin1_swedish_ci AND `cit` >= ? AND `cit` < ? AND `fold` >= ? AND `fold` < ? AND `f4` >= 0.10000000149011612e0 AND `f4` < 3.4028234663852886e+38 AND `f8` >= 0.1e0 AND `f8` < 5e-324 AND `bit1` >= 1 AND `bit1` < 0 AND `bit5` >= 21 AND `bit5` < 0 AND `day` >= ? AND (`day` > '0000-00-00' AND `day` < ?) AND `seen` >= ? AND (`seen` > '0000-00-00 00:00:00' AND `seen` < ?) AND `span` >= ? AND `span` < ?) order by `id` asc limit 100;
-- "O'Brien \\ ?", "a\"{,}", "Müller", "", "ab", "cd", "Ärger", "漢字", "Word", "word ", "Word", "ẞ", "2024-02-29", "1999-12-31", "2024-02-29 23:59:59.999", "1999-12-31 00:00:00", "23:59:59", "00:00:00"

-- search: not
select `id`, IF(FALSE, `x?y`, NULL), IF(FALSE, `cit`, NULL), IF(FALSE, `day`, NULL) from `tricky ?` where ((`x?y` IN (-7, 2147483647) IS NOT TRUE) AND ((`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) IS NOT TRUE) AND ((`day` IS NULL OR `day` = '0000-00-00') IS NOT TRUE)) order by `id` asc limit 100;
-- "Word", "word ", "Word", "word "

-- search: like
select `id`, IF(FALSE, `a.b`, NULL), IF(FALSE, `x?y`, NULL), IF(FALSE, `say "hi"`, NULL), IF(FALSE, `back``tick`, NULL), IF(FALSE, `50% as $1`, NULL), IF(FALSE, `latin`, NULL), IF(FALSE, `cit`, NULL), IF(FALSE, `fold`, NULL), IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL), IF(FALSE, `flag`, NULL), IF(FALSE, `bit1`, NULL), IF(FALSE, `bit5`, NULL), IF(FALSE, `js`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL), IF(FALSE, `span`, NULL) from `tricky ?` where (CONVERT(`id` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`a.b` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`x?y` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`say "hi"` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`back``tick` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`50% as $1` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`latin` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`cit` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`fold` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`f4` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(CASE WHEN ABS(`f8`) >= 1e15 THEN REPLACE(CONCAT(`f8`), 'e', 'e+') WHEN ABS(`f8`) >= 1e-4 OR ABS(`f8`) = 0 THEN CONCAT(`f8`) WHEN CONCAT(`f8`) LIKE '%e-_' THEN REPLACE(CONCAT(`f8`), 'e-', 'e-0') WHEN CONCAT(`f8`) LIKE '%e%' THEN CONCAT(`f8`) ELSE CONCAT(IF(`f8` < 0, '-', ''), LEFT(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3)), 1), IF(CHAR_LENGTH(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3))) > 1, '.', ''), SUBSTRING(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3)), 2), 'e-', LPAD(CHAR_LENGTH(TRIM(LEADING '-' FROM CONCAT(`f8`))) - CHAR_LENGTH(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3))) - 1, 2, '0')) END USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(CASE `flag` WHEN 0 THEN 'false' WHEN 1 THEN 'true' END USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT((`bit1` + 0) USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(LPAD(BIN(`bit5` + 0), 5, '0') USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(NULLIF(CONCAT(`day`), '0000-00-00') USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(IF(`seen` = '0000-00-00 00:00:00', NULL, LEFT(DATE_FORMAT(`seen`, '%Y-%m-%dT%H:%i:%s.%f'), 23)) USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND CONVERT(`span` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '|' AND (LOWER(CONVERT(`cit` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(CASE WHEN ABS(`f8`) >= 1e15 THEN REPLACE(CONCAT(`f8`), 'e', 'e+') WHEN ABS(`f8`) >= 1e-4 OR ABS(`f8`) = 0 THEN CONCAT(`f8`) WHEN CONCAT(`f8`) LIKE '%e-_' THEN REPLACE(CONCAT(`f8`), 'e-', 'e-0') WHEN CONCAT(`f8`) LIKE '%e%' THEN CONCAT(`f8`) ELSE CONCAT(IF(`f8` < 0, '-', ''), LEFT(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3)), 1), IF(CHAR_LENGTH(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3))) > 1, '.', ''), SUBSTRING(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3)), 2), 'e-', LPAD(CHAR_LENGTH(TRIM(LEADING '-' FROM CONCAT(`f8`))) - CHAR_LENGTH(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3))) - 1, 2, '0')) END USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|')) order by `id` asc limit 100;
-- "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%"

-- search: null in an array
select `id`, IF(FALSE, `cit`, NULL), IF(FALSE, `day`, NULL) from `tricky ?` where (((`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) OR `cit` IS NULL) AND (`day` IN (?, ?) OR (`day` IS NULL OR `day` = '0000-00-00'))) order by `id` asc limit 100;
-- "Word", "word ", "Word", "word ", "2024-02-29", "1999-12-31"

-- search: q like
select `id` from `tricky ?` where (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `say "hi"`, `back``tick`, CONVERT(`latin` USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') order by `id` asc limit 100;
-- "%50|%|_||%", "%50|%|_||%", "%50|%|_||%"

-- search: q like, several words
select `id` from `tricky ?` where ((CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') AND (CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') AND (CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `cit`, `fold`) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) order by `id` asc limit 100;
-- "%O'Brien%", "%50|%|_||%", "%two words%"

-- search: q native
select `id` from `tricky ?` where MATCH (`a.b`, `say "hi"`) AGAINST (? IN BOOLEAN MODE) order by `id` asc limit 100;
-- "+\"O'Brien\" +\"50%_|\" +\"two words\""

-- search: q of one field, with its rank
select `id`, (CASE WHEN CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END) from `tricky ?` where ((CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') AND (CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) order by `id` asc limit 100;
-- "%x%", "%y%", "%x%", "%y%"

-- search: tsquery like, by rank
select `id` from `tricky ?` where (((CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') OR ((CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') AND ((CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') IS NOT TRUE))) AND (CAST(LOWER(CONCAT_WS(CHAR(1 USING utf8mb4), `cit`, CONVERT(NULLIF(CONCAT(`day`), '0000-00-00') USING utf8mb4)) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) order by ((CASE WHEN CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END) + (CASE WHEN CAST(LOWER(`cit` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN CAST(LOWER(CONVERT(NULLIF(CONCAT(`day`), '0000-00-00') USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END)) desc limit 100;
-- "%O'Brien%", "%two%", "%not \\'%", "%a b%", "%O'Brien%", "%two%", "%a b%", "%a b%"

-- search: tsquery native, by a rank that is shown
select `id`, (((CASE WHEN CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN CAST(LOWER(`say "hi"` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END) + CASE WHEN CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END) + ((CASE WHEN CAST(LOWER(`say "hi"` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END) + CASE WHEN CAST(LOWER(`say "hi"` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' THEN 1 ELSE 0 END)) from `tricky ?` where (((CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(`say "hi"` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') OR ((CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(`say "hi"` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') AND ((CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(`say "hi"` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|') IS NOT TRUE))) AND (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(`say "hi"` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|')) order by 2 desc, `id` asc limit 100;
-- "%O'Brien%", "%O'Brien%", "%two%", "%two%", "%a b%", "%a b%", "%O'Brien%", "%O'Brien%", "%two%", "%two%", "%not \\'%", "%not \\'%", "%a b%", "%a b%"

-- search: tsquery native, of words only
select `id` from `tricky ?` where MATCH (`a.b`, `say "hi"`) AGAINST (? IN BOOLEAN MODE) order by `id` asc limit 100;
-- "+(a b*) -c"

-- search: q auto, with its rank
select MATCH (`a.b`, `say "hi"`) AGAINST (? IN BOOLEAN MODE) from `tricky ?` where MATCH (`a.b`, `say "hi"`) AGAINST (? IN BOOLEAN MODE) order by `id` asc limit 100;
-- "+\"word\"", "+\"word\""

-- search: sort with nulls, offset
select `id` from `tricky ?` order by `a.b` IS NULL asc, LEFT(`a.b`, 255) asc, `x?y` IS NULL desc, `x?y` desc, IF(`day` = '0000-00-00', NULL, `day`) asc, IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) desc, `id` desc limit 10 offset 20;

-- search: after a place
select `id`, `id` from `tricky ?` where `id` > 1 order by `id` asc limit 100;

-- search: after a place, its first column never null
select `id`, IF(FALSE, `day`, NULL) from `tricky ?` where `id` <= 1 and (`id` < 1 OR (`id` = 1 AND (IF(`day` = '0000-00-00', NULL, `day`) > ? OR IF(`day` = '0000-00-00', NULL, `day`) IS NULL))) order by `id` desc, IF(`day` = '0000-00-00', NULL, `day`) IS NULL asc, IF(`day` = '0000-00-00', NULL, `day`) asc limit 100;
-- "2024-02-29"

-- search: after a place in every type
select `id`, LEFT(`a.b`, 255), `x?y`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, CONCAT(`f4` * 1e0), CONCAT(`f8`), `flag`, (`bit1` + 0), (`bit5` + 0), `blob`, IF(`day` = '0000-00-00', NULL, `day`), IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`), `span`, IF(FALSE, `a.b`, NULL), IF(FALSE, `x?y`, NULL), IF(FALSE, `say "hi"`, NULL), IF(FALSE, `back``tick`, NULL), IF(FALSE, `50% as $1`, NULL), IF(FALSE, `latin`, NULL), IF(FALSE, `cit`, NULL), IF(FALSE, `fold`, NULL), IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL), IF(FALSE, `flag`, NULL), IF(FALSE, `bit1`, NULL), IF(FALSE, `bit5`, NULL), IF(FALSE, `blob`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL), IF(FALSE, `span`, NULL) from `tricky ?` where (LEFT(`a.b`, 255) > ? OR LEFT(`a.b`, 255) IS NULL OR (LEFT(`a.b`, 255) = ? AND (`x?y` > -7 OR `x?y` IS NULL OR (`x?y` = -7 AND (`say "hi"` > ? OR `say "hi"` IS NULL OR (`say "hi"` = ? AND (`back``tick` > ? OR `back``tick` IS NULL OR (`back``tick` = ? AND (`50% as $1` > 12.50 OR `50% as $1` IS NULL OR (`50% as $1` = 12.50 AND (`latin` > CONVERT(? USING latin1) COLLATE latin1_swedish_ci OR `latin` IS NULL OR (`latin` = CONVERT(? USING latin1) COLLATE latin1_swedish_ci AND (`cit` > ? OR `cit` IS NULL OR (`cit` = ? AND (`fold` > ? OR `fold` IS NULL OR (`fold` = ? AND (`f4` > 0.10000000149011612e0 OR `f4` IS NULL OR (`f4` = 0.10000000149011612e0 AND (`f8` > 0.1e0 OR `f8` IS NULL OR (`f8` = 0.1e0 AND (`flag` > 1 OR `flag` IS NULL OR (`flag` = 1 AND ((`bit1` + 0) > 1 OR (`bit1` + 0) IS NULL OR ((`bit1` + 0) = 1 AND ((`bit5` + 0) > 1 OR (`bit5` + 0) IS NULL OR ((`bit5` + 0) = 1 AND (`blob` > ? OR `blob` IS NULL OR (`blob` = ? AND (IF(`day` = '0000-00-00', NULL, `day`) > ? OR IF(`day` = '0000-00-00', NULL, `day`) IS NULL OR (IF(`day` = '0000-00-00', NULL, `day`) = ? AND (IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) > ? OR IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) IS NULL OR (IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) = ? AND (`span` > ? OR `span` IS NULL))))))))))))))))))))))))))))))))) order by `a.b` IS NULL asc, LEFT(`a.b`, 255) asc, `x?y` IS NULL asc, `x?y` asc, `say "hi"` IS NULL asc, `say "hi"` asc, `back``tick` IS NULL asc, `back``tick` asc, `50% as $1` IS NULL asc, `50% as $1` asc, `latin` IS NULL asc, `latin` asc, `cit` IS NULL asc, `cit` asc, `fold` IS NULL asc, `fold` asc, `f4` IS NULL asc, `f4` asc, `f8` IS NULL asc, `f8` asc, `flag` IS NULL asc, `flag` asc, `bit1` IS NULL asc, `bit1` asc, `bit5` IS NULL asc, `bit5` asc, `blob` IS NULL asc, `blob` asc, IF(`day` = '0000-00-00', NULL, `day`) IS NULL asc, IF(`day` = '0000-00-00', NULL, `day`) asc, IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) IS NULL asc, IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) asc, `span` IS NULL asc, `span` asc limit 100;
-- "O'Brien \\ ?", "O'Brien \\ ?", "Müller", "Müller", "ab", "ab", "Ärger", "Ärger", "Word", "Word", "Word", "Word", x'00ff', x'00ff', "2024-02-29", "2024-02-29", "2024-02-29 23:59:59.999", "2024-02-29 23:59:59.999", "23:59:59"

-- search: after a NULL, and NULLs first
select `id`, IF(FALSE, `cit`, NULL), IF(FALSE, `x?y`, NULL), IF(FALSE, `seen`, NULL), IF(FALSE, `f8`, NULL) from `tricky ?` where (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and (`x?y` IS NOT NULL OR (`x?y` IS NULL AND (IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) IS NULL AND (`f8` < 0.1e0 OR (`f8` = 0.1e0 AND `id` > 1))))) order by `x?y` IS NULL desc, `x?y` desc, IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) IS NULL asc, IF(`seen` = '0000-00-00 00:00:00', NULL, `seen`) asc, `f8` IS NULL desc, `f8` desc, `id` asc limit 100;
-- "Word", "Word"

-- search: distinct
select `a.b`, `x?y`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, CONCAT(`f4` * 1e0), CONCAT(`f8`), `flag`, `bit1`, `bit5`, `js`, `blob`, `day`, `seen`, `span`, (select IF(FALSE, `f4`, NULL) from `tricky ?` limit 0), (select IF(FALSE, `f8`, NULL) from `tricky ?` limit 0), (select IF(FALSE, `id`, NULL) from `tricky ?` limit 0) from (select `a.b`, `x?y`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, `f4`, `f8`, `flag`, `bit1`, `bit5`, `js`, `blob`, `day`, `seen`, `span` from `tricky ?` where `id` = 1 group by SHA2(CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY), 256), `x?y`, CAST(CONVERT(`say "hi"` USING utf8mb4) AS BINARY), CAST(CONVERT(`back``tick` USING utf8mb4) AS BINARY), `50% as $1`, CAST(CONVERT(`latin` USING utf8mb4) AS BINARY), CAST(CONVERT(`cit` USING utf8mb4) AS BINARY), CAST(CONVERT(`fold` USING utf8mb4) AS BINARY), CONCAT(`f4` * 1e0), CONCAT(`f8`), `flag`, `bit1`, `bit5`, SHA2(NULLIF(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_bin, 'null'), 256), `blob`, NULLIF(CONCAT(`day`), '0000-00-00'), IF(`seen` = '0000-00-00 00:00:00', NULL, LEFT(DATE_FORMAT(`seen`, '%Y-%m-%dT%H:%i:%s.%f'), 23)), `span`) as `d` order by LEFT(`a.b`, 255) IS NULL asc, LEFT(`a.b`, 255) asc, `x?y` IS NULL asc, `x?y` asc, `say "hi"` IS NULL asc, `say "hi"` asc, `back``tick` IS NULL asc, `back``tick` asc, `50% as $1` IS NULL asc, `50% as $1` asc, `latin` IS NULL asc, `latin` asc, `cit` IS NULL asc, `cit` asc, `fold` IS NULL asc, `fold` asc, `f4` IS NULL asc, `f4` asc, `f8` IS NULL asc, `f8` asc, `flag` IS NULL asc, `flag` asc, `bit1` IS NULL asc, `bit1` asc, `bit5` IS NULL asc, `bit5` asc, LEFT(NULLIF(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_bin, 'null'), 255) IS NULL asc, LEFT(NULLIF(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_bin, 'null'), 255) asc, `blob` IS NULL asc, `blob` asc, NULLIF(CONCAT(`day`), '0000-00-00') IS NULL asc, NULLIF(CONCAT(`day`), '0000-00-00') asc, IF(`seen` = '0000-00-00 00:00:00', NULL, LEFT(DATE_FORMAT(`seen`, '%Y-%m-%dT%H:%i:%s.%f'), 23)) IS NULL asc, IF(`seen` = '0000-00-00 00:00:00', NULL, LEFT(DATE_FORMAT(`seen`, '%Y-%m-%dT%H:%i:%s.%f'), 23)) asc, `span` IS NULL asc, `span` asc, SHA2(CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY), 256) asc, CAST(CONVERT(`say "hi"` USING utf8mb4) AS BINARY) asc, CAST(CONVERT(`back``tick` USING utf8mb4) AS BINARY) asc, CAST(CONVERT(`latin` USING utf8mb4) AS BINARY) asc, CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) asc, CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) asc, CONCAT(`f4` * 1e0) asc, CONCAT(`f8`) asc, SHA2(NULLIF(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_bin, 'null'), 256) asc limit 100;

-- search: distinct by the columns themselves
select `x?y`, `span` from (select `x?y`, `span` from `tricky ?` group by `x?y`, `span`) as `d` order by `x?y` IS NULL desc, `x?y` desc, `span` IS NULL desc, `span` desc limit 100;

-- search: sort asc by an index
select `id`, (select IF(FALSE, `cit`, NULL) from `tricky ?` limit 0) from ((select `id` AS `page key 0` from `tricky ?` where (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and `x?y` IS NOT NULL order by `x?y` asc, `id` asc limit 120) UNION (select `id` AS `page key 0` from `tricky ?` where (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and `x?y` IS NULL order by `id` asc limit 120)) AS `page keys` STRAIGHT_JOIN `tricky ?` ON `id` = `page key 0` order by `x?y` IS NULL asc, `x?y` asc, `id` asc limit 100 offset 20;
-- "Word", "Word", "Word", "Word"

-- search: sort desc by an index
select `id`, (select IF(FALSE, `cit`, NULL) from `tricky ?` limit 0) from ((select `id` AS `page key 0` from `tricky ?` where (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and `x?y` IS NULL order by `id` asc limit 120) UNION (select `id` AS `page key 0` from `tricky ?` where (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and `x?y` IS NOT NULL order by `x?y` desc limit 120) UNION (select `id` AS `page key 0` from `tricky ?` where (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and `x?y` IS NOT NULL and `x?y` = (select `x?y` from `tricky ?` where (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and `x?y` IS NOT NULL order by `x?y` desc limit 1 offset 119) order by `id` asc limit 120)) AS `page keys` STRAIGHT_JOIN `tricky ?` ON `id` = `page key 0` order by `x?y` IS NULL desc, `x?y` desc, `id` asc limit 100 offset 20;
-- "Word", "Word", "Word", "Word", "Word", "Word", "Word", "Word"

-- count: distinct
select count(*) from (select `cit`, `day` from `tricky ?` group by CAST(CONVERT(`cit` USING utf8mb4) AS BINARY), NULLIF(CONCAT(`day`), '0000-00-00')) as `d`;

-- count
select count(*) from `tricky ?` where (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and (CAST(LOWER(`a.b` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|' OR CAST(LOWER(`say "hi"` COLLATE utf8mb4_unicode_520_ci) AS BINARY) LIKE CAST(LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) AS BINARY) ESCAPE '|');
-- "Word", "Word", "%x%", "%x%"

-- estimate
EXPLAIN FORMAT=TRADITIONAL select 1 from `tricky ?` where `x?y` = -7;

-- sizes
SELECT TABLE_TYPE, DATA_LENGTH, INDEX_LENGTH,
      (SELECT SUM(DATA_LENGTH + INDEX_LENGTH) FROM information_schema.TABLES WHERE TABLE_SCHEMA = database())
      FROM information_schema.TABLES WHERE TABLE_SCHEMA = database() AND TABLE_NAME = ?;
-- "tricky ?"

-- delete
delete from `tricky ?` where ((`latin` IN (CONVERT(? USING latin1) COLLATE latin1_swedish_ci, CONVERT(? USING latin1) COLLATE latin1_swedish_ci) AND CAST(CONVERT(`latin` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`fold` IN (?, ?) AND CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))));
-- "Ärger", "漢字", "Ärger", "漢字", "Word", "word ", "Word", "word ", "Word", "ẞ", "Word", "ẞ"

-- delete: all
delete from `tricky ?`;

-- delete: in order
delete from `tricky ?` where (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY)));
-- "Word", "word ", "Word", "word "

-- delete: and show
delete from `tricky ?` where (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY)));
-- "Word", "word ", "Word", "word "

-- records: locked
select `id`, `a.b`, `x?y`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, CONCAT(`f4` * 1e0), CONCAT(`f8`), `flag`, `bit1`, `bit5`, `js`, `blob`, `day`, `seen`, `span`, `id`, IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL) from `tricky ?` where (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) order by `a.b` IS NULL asc, `a.b` asc, `x?y` IS NULL asc, `x?y` asc limit 3 for update;
-- "Word", "word ", "Word", "word "

-- lock
select `id` from `tricky ?` where `id` IN (1, 2) order by `id` asc for update;

-- lock: composite key
select `a.b`, `x?y` from `tricky ?` where ((`a.b` = ? AND `x?y` = -7) OR (`a.b` = ? AND `x?y` = 2147483647)) order by `a.b` asc, `x?y` asc for update;
-- "O'Brien \\ ?", "a\"{,}"

-- lock: those inside a filter
select `a.b`, `x?y` from `tricky ?` where ((`a.b` = ? AND `x?y` = -7) OR (`a.b` = ? AND `x?y` = 2147483647)) and (`x?y` IN (-7, 2147483647) OR (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY)))) order by `a.b` asc, `x?y` asc for update;
-- "O'Brien \\ ?", "a\"{,}", "Word", "word ", "Word", "word "

-- insert: one
insert into `tricky ?` (`a.b`, `x?y`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, `f4`, `f8`, `flag`, `bit1`, `bit5`, `js`, `blob`, `day`, `seen`, `span`) VALUES (?, -7, ?, ?, 12.50, ?, ?, ?, 0.10000000149011612e0, 0.1e0, 1, 1, 21, ?, ?, ?, ?, ?);
-- "O'Brien \\ ?", "Müller", "ab", "Ärger", "Word", "Word", "{\"a\": [1, null]}", x'00ff', "2024-02-29", "2024-02-29 23:59:59.999", "23:59:59"

-- insert: many, with NULL
insert into `tricky ?` (`a.b`, `x?y`) VALUES (?, -7), (?, NULL) RETURNING `a.b`, `x?y`;
-- "O'Brien \\ ?", "z"

-- insert: nothing but defaults
insert into `tricky ?` () VALUES () RETURNING `id`;

-- update: one
update `tricky ?` set `a.b` = ?, `x?y` = 2147483647, `say "hi"` = ?, `back``tick` = ?, `50% as $1` = -0.01, `latin` = ?, `cit` = ?, `fold` = ?, `f4` = 3.4028234663852886e+38, `f8` = 5e-324, `flag` = 0, `bit1` = 0, `bit5` = 0, `js` = ?, `blob` = ?, `day` = ?, `seen` = ?, `span` = ? where ((`id` = 1));
-- "a\"{,}", "", "cd", "漢字", "word ", "ẞ", "\"x\"", x'', "1999-12-31", "1999-12-31 00:00:00", "00:00:00"

-- update: one by its exact key
update `tricky ?` set `a.b` = ?, `x?y` = 2147483647, `say "hi"` = ?, `back``tick` = ?, `50% as $1` = -0.01, `latin` = ?, `cit` = ?, `fold` = ?, `f4` = 3.4028234663852886e+38, `f8` = 5e-324, `flag` = 0, `bit1` = 0, `bit5` = 0, `js` = ?, `blob` = ?, `day` = ?, `seen` = ?, `span` = ? where (`id` = 1 AND CAST(CONVERT(`id` USING utf8mb4) AS BINARY) = CAST(? AS BINARY));
-- "a\"{,}", "", "cd", "漢字", "word ", "ẞ", "\"x\"", x'', "1999-12-31", "1999-12-31 00:00:00", "00:00:00", "1"

-- update: one inside a filter
update `tricky ?` set `flag` = 1 where (`id` = 1 AND CAST(CONVERT(`id` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and (`x?y` IN (-7, 2147483647) OR (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))));
-- "1", "Word", "word ", "Word", "word "

-- update: one by an exact composite key, with NULL
update `tricky ?` set `latin` = NULL, `flag` = NULL where (`a.b` = ? AND CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) and (`x?y` = -7 AND CAST(CONVERT(`x?y` USING utf8mb4) AS BINARY) = CAST(? AS BINARY));
-- "O'Brien \\ ?", "O'Brien \\ ?", "-7"

-- update: many, with NULL
update `tricky ?` set `a.b` = CASE WHEN (`id` = 1) THEN ? WHEN (`id` = 2) THEN NULL END, `f4` = CASE WHEN (`id` = 1) THEN 0.10000000149011612e0 WHEN (`id` = 2) THEN NULL END, `bit1` = CASE WHEN (`id` = 1) THEN 1 WHEN (`id` = 2) THEN NULL END where ((`id` = 1) OR (`id` = 2));
-- "O'Brien \\ ?"

-- update: many that are locked, with NULL
insert into `tricky ?` (`id`, `a.b`, `f4`, `bit1`) VALUES (1, ?, 0.10000000149011612e0, 1), (2, NULL, NULL, NULL) ON DUPLICATE KEY UPDATE `a.b` = VALUES(`a.b`), `f4` = VALUES(`f4`), `bit1` = VALUES(`bit1`);
-- "O'Brien \\ ?"

-- update: many, composite key
update `tricky ?` set `latin` = CASE WHEN (`a.b` = ? AND `x?y` = -7) THEN ? WHEN (`a.b` = ? AND `x?y` = 2147483647) THEN ? END, `flag` = CASE WHEN (`a.b` = ? AND `x?y` = -7) THEN 1 WHEN (`a.b` = ? AND `x?y` = 2147483647) THEN 0 END where ((`a.b` = ? AND `x?y` = -7) OR (`a.b` = ? AND `x?y` = 2147483647));
-- "O'Brien \\ ?", "Ärger", "a\"{,}", "漢字", "O'Brien \\ ?", "a\"{,}", "O'Brien \\ ?", "a\"{,}"
