-- search: no filter
SELECT `id`, `a.b`, `x?y`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, CONCAT(`f4` * 1e0), CONCAT(`f8`), `flag`, `bit1`, `bit5`, `js`, `blob`, `day`, `seen`, `span`, IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL) FROM `tricky ?` ORDER BY `id` LIMIT 100 OFFSET 0;

-- search: equality
SELECT `id`, IF(FALSE, `a.b`, NULL), IF(FALSE, `x?y`, NULL), IF(FALSE, `say "hi"`, NULL), IF(FALSE, `back``tick`, NULL), IF(FALSE, `50% as $1`, NULL), IF(FALSE, `latin`, NULL), IF(FALSE, `cit`, NULL), IF(FALSE, `fold`, NULL), IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL), IF(FALSE, `flag`, NULL), IF(FALSE, `bit1`, NULL), IF(FALSE, `bit5`, NULL), IF(FALSE, `blob`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL), IF(FALSE, `span`, NULL) FROM `tricky ?` WHERE (`id` = 1 AND (`a.b` = ? AND CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND `x?y` = -7 AND (`say "hi"` = ? AND CAST(CONVERT(`say "hi"` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND (`back``tick` = ? AND CAST(CONVERT(`back``tick` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND `50% as $1` = 12.50 AND (`latin` = CONVERT(? USING latin1) COLLATE latin1_swedish_ci AND CAST(CONVERT(`latin` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND (`fold` = ? AND CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND `f4` = 0.10000000149011612e0 AND `f8` = 0.1e0 AND (`flag` <> 0) AND `bit1` = 1 AND `bit5` = 21 AND `blob` = ? AND `day` = ? AND `seen` = ? AND `span` = ?) ORDER BY `id` LIMIT 100 OFFSET 0;
-- "O'Brien \\ ?", "O'Brien \\ ?", "Müller", "Müller", "ab", "ab", "Ärger", "Ärger", "Word", "Word", "Word", "Word", x'00ff', "2024-02-29", "2024-02-29 23:59:59.999", "23:59:59"

-- search: IN
SELECT `id`, IF(FALSE, `a.b`, NULL), IF(FALSE, `x?y`, NULL), IF(FALSE, `say "hi"`, NULL), IF(FALSE, `back``tick`, NULL), IF(FALSE, `50% as $1`, NULL), IF(FALSE, `latin`, NULL), IF(FALSE, `cit`, NULL), IF(FALSE, `fold`, NULL), IF(FALSE, `f4`, NULL), IF(FALSE, `f8`, NULL), IF(FALSE, `flag`, NULL), IF(FALSE, `bit1`, NULL), IF(FALSE, `bit5`, NULL), IF(FALSE, `blob`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL), IF(FALSE, `span`, NULL) FROM `tricky ?` WHERE (`id` IN (1, 2) AND (`a.b` IN (?, ?) AND CAST(CONVERT(`a.b` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND `x?y` IN (-7, 2147483647) AND (`say "hi"` IN (?, ?) AND CAST(CONVERT(`say "hi"` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`back``tick` IN (?, ?) AND CAST(CONVERT(`back``tick` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND `50% as $1` IN (12.50, -0.01) AND (`latin` IN (CONVERT(? USING latin1) COLLATE latin1_swedish_ci, CONVERT(? USING latin1) COLLATE latin1_swedish_ci) AND CAST(CONVERT(`latin` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`fold` IN (?, ?) AND CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND `f4` IN (0.10000000149011612e0, 3.4028234663852886e+38) AND `f8` IN (0.1e0, 5e-324) AND (`flag` <> 0 OR `flag` = 0) AND `bit1` IN (1, 0) AND `bit5` IN (21, 0) AND `blob` IN (?, ?) AND `day` IN (?, ?) AND `seen` IN (?, ?) AND `span` IN (?, ?)) ORDER BY `id` LIMIT 100 OFFSET 0;
-- "O'Brien \\ ?", "a\"{,}", "O'Brien \\ ?", "a\"{,}", "Müller", "", "Müller", "", "ab", "cd", "ab", "cd", "Ärger", "漢字", "Ärger", "漢字", "Word", "word ", "Word", "word ", "Word", "ẞ", "Word", "ẞ", x'00ff', x'', "2024-02-29", "1999-12-31", "2024-02-29 23:59:59.999", "1999-12-31 00:00:00", "23:59:59", "00:00:00"

-- search: IN, empty
SELECT `id` FROM `tricky ?` WHERE FALSE ORDER BY `id` LIMIT 100 OFFSET 0;

-- search: null
SELECT `id`, IF(FALSE, `a.b`, NULL), IF(FALSE, `day`, NULL), IF(FALSE, `seen`, NULL) FROM `tricky ?` WHERE (`a.b` IS NULL AND (`day` IS NULL OR `day` = '0000-00-00') AND (`seen` IS NULL OR `seen` = '0000-00-00 00:00:00')) ORDER BY `id` LIMIT 100 OFFSET 0;

-- search: null in an array
SELECT `id`, IF(FALSE, `cit`, NULL), IF(FALSE, `day`, NULL) FROM `tricky ?` WHERE (((`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) OR `cit` IS NULL) AND (`day` IN (?, ?) OR (`day` IS NULL OR `day` = '0000-00-00'))) ORDER BY `id` LIMIT 100 OFFSET 0;
-- "Word", "word ", "Word", "word ", "2024-02-29", "1999-12-31"

-- search: q like
SELECT `id` FROM `tricky ?` WHERE (LOWER(CONVERT(`id` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`a.b` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`x?y` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`say "hi"` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`back``tick` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`50% as $1` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`latin` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`cit` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`fold` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`f4` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(CASE WHEN ABS(`f8`) >= 1e15 THEN REPLACE(CONCAT(`f8`), 'e', 'e+') WHEN ABS(`f8`) >= 1e-4 OR ABS(`f8`) = 0 THEN CONCAT(`f8`) WHEN CONCAT(`f8`) LIKE '%e-_' THEN REPLACE(CONCAT(`f8`), 'e-', 'e-0') WHEN CONCAT(`f8`) LIKE '%e%' THEN CONCAT(`f8`) ELSE CONCAT(IF(`f8` < 0, '-', ''), LEFT(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3)), 1), IF(CHAR_LENGTH(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3))) > 1, '.', ''), SUBSTRING(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3)), 2), 'e-', LPAD(CHAR_LENGTH(TRIM(LEADING '-' FROM CONCAT(`f8`))) - CHAR_LENGTH(TRIM(LEADING '0' FROM SUBSTRING(TRIM(LEADING '-' FROM CONCAT(`f8`)), 3))) - 1, 2, '0')) END USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(ELT((`flag` <> 0) + 1, 'false', 'true') USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT((`bit1` + 0) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(LPAD(BIN(`bit5` + 0), 5, '0') USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`js` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(NULLIF(CONCAT(`day`), '0000-00-00') USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(IF(`seen` = '0000-00-00 00:00:00', NULL, LEFT(DATE_FORMAT(`seen`, '%Y-%m-%dT%H:%i:%s.%f'), 23)) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`span` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|') ORDER BY `id` LIMIT 100 OFFSET 0;
-- "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%", "%50|%|_||%"

-- search: q like, several words
SELECT `id` FROM `tricky ?` WHERE ((LOWER(CONVERT(`cit` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`fold` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|') AND (LOWER(CONVERT(`cit` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`fold` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|') AND (LOWER(CONVERT(`cit` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`fold` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|')) ORDER BY `id` LIMIT 100 OFFSET 0;
-- "%O'Brien%", "%O'Brien%", "%50|%|_||%", "%50|%|_||%", "%two words%", "%two words%"

-- search: q native
SELECT `id` FROM `tricky ?` WHERE MATCH (`a.b`, `say "hi"`) AGAINST (? IN BOOLEAN MODE) ORDER BY `id` LIMIT 100 OFFSET 0;
-- "+\"O'Brien\" +\"50%_|\" +\"two words\""

-- search: sort with nulls, offset
SELECT `id` FROM `tricky ?` ORDER BY `a.b` IS NULL, `a.b`, `x?y` IS NULL DESC, `x?y` DESC, `day`, `seen` DESC, `id` DESC LIMIT 10 OFFSET 20;

-- count
SELECT count(*) FROM `tricky ?` WHERE (`cit` = ? AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)) AND (LOWER(CONVERT(`a.b` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|' OR LOWER(CONVERT(`say "hi"` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin ESCAPE '|');
-- "Word", "Word", "%x%", "%x%"

-- estimate
EXPLAIN FORMAT=TRADITIONAL SELECT 1 FROM `tricky ?` WHERE `x?y` = -7;

-- sizes
SELECT TABLE_TYPE, DATA_LENGTH, INDEX_LENGTH,
      (SELECT SUM(DATA_LENGTH + INDEX_LENGTH) FROM information_schema.TABLES WHERE TABLE_SCHEMA = database())
      FROM information_schema.TABLES WHERE TABLE_SCHEMA = database() AND TABLE_NAME = ?;
-- "tricky ?"

-- delete
DELETE FROM `tricky ?` WHERE ((`latin` IN (CONVERT(? USING latin1) COLLATE latin1_swedish_ci, CONVERT(? USING latin1) COLLATE latin1_swedish_ci) AND CAST(CONVERT(`latin` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`cit` IN (?, ?) AND CAST(CONVERT(`cit` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))) AND (`fold` IN (?, ?) AND CAST(CONVERT(`fold` USING utf8mb4) AS BINARY) IN (CAST(? AS BINARY), CAST(? AS BINARY))));
-- "Ärger", "漢字", "Ärger", "漢字", "Word", "word ", "Word", "word ", "Word", "ẞ", "Word", "ẞ"

-- delete: all
DELETE FROM `tricky ?`;

-- lock
SELECT `id` FROM `tricky ?` WHERE (`id` = 1) OR (`id` = 2) ORDER BY `id` FOR UPDATE;

-- lock: composite key
SELECT `a.b`, `x?y` FROM `tricky ?` WHERE (`a.b` = ? AND `x?y` = -7) OR (`a.b` = ? AND `x?y` = 2147483647) ORDER BY `a.b`, `x?y` FOR UPDATE;
-- "O'Brien \\ ?", "a\"{,}"

-- insert: one
INSERT INTO `tricky ?` (`a.b`, `x?y`, `say "hi"`, `back``tick`, `50% as $1`, `latin`, `cit`, `fold`, `f4`, `f8`, `flag`, `bit1`, `bit5`, `js`, `blob`, `day`, `seen`, `span`) VALUES (?, -7, ?, ?, 12.50, ?, ?, ?, 0.10000000149011612e0, 0.1e0, 1, 1, 21, ?, ?, ?, ?, ?);
-- "O'Brien \\ ?", "Müller", "ab", "Ärger", "Word", "Word", "{\"a\": [1, null]}", x'00ff', "2024-02-29", "2024-02-29 23:59:59.999", "23:59:59"

-- insert: many, with NULL
INSERT INTO `tricky ?` (`a.b`, `x?y`) VALUES (?, -7), (?, NULL);
-- "O'Brien \\ ?", "z"

-- insert: nothing but defaults
INSERT INTO `tricky ?` () VALUES ();

-- update: one
UPDATE `tricky ?` SET `a.b` = ?, `x?y` = 2147483647, `say "hi"` = ?, `back``tick` = ?, `50% as $1` = -0.01, `latin` = ?, `cit` = ?, `fold` = ?, `f4` = 3.4028234663852886e+38, `f8` = 5e-324, `flag` = 0, `bit1` = 0, `bit5` = 0, `js` = ?, `blob` = ?, `day` = ?, `seen` = ?, `span` = ? WHERE (`id` = 1);
-- "a\"{,}", "", "cd", "漢字", "word ", "ẞ", "\"x\"", x'', "1999-12-31", "1999-12-31 00:00:00", "00:00:00"

-- update: many, with NULL
UPDATE `tricky ?` SET `a.b` = CASE WHEN (`id` = 1) THEN ? WHEN (`id` = 2) THEN NULL END, `f4` = CASE WHEN (`id` = 1) THEN 0.10000000149011612e0 WHEN (`id` = 2) THEN NULL END, `bit1` = CASE WHEN (`id` = 1) THEN 1 WHEN (`id` = 2) THEN NULL END WHERE (`id` = 1) OR (`id` = 2);
-- "O'Brien \\ ?"

-- update: many, composite key
UPDATE `tricky ?` SET `latin` = CASE WHEN (`a.b` = ? AND `x?y` = -7) THEN ? WHEN (`a.b` = ? AND `x?y` = 2147483647) THEN ? END, `flag` = CASE WHEN (`a.b` = ? AND `x?y` = -7) THEN 1 WHEN (`a.b` = ? AND `x?y` = 2147483647) THEN 0 END WHERE (`a.b` = ? AND `x?y` = -7) OR (`a.b` = ? AND `x?y` = 2147483647);
-- "O'Brien \\ ?", "Ärger", "a\"{,}", "漢字", "O'Brien \\ ?", "a\"{,}", "O'Brien \\ ?", "a\"{,}"
