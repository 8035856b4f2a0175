/** The tables for the tests of the explorer. */

/** SQL for PostgreSQL, which generates any number of records with one INSERT. */
export const permits = (table: string, count: number) => `
CREATE TABLE ${table} (id int PRIMARY KEY, permit_no bigint NOT NULL, kind varchar(20), status varchar(20), district varchar(40),
  opened date, decided timestamp, amount numeric(12,2), area float8, approved bool, applicant varchar(80), note text);
INSERT INTO ${table} SELECT i, 9007199254740993 + i * 2,
  (ARRAY['roof', 'facade', 'garage', 'solar', 'extension', 'demolition', 'fence'])[1 + (i % 5003) * (i % 11) % 7],
  (ARRAY['open', 'granted', 'granted', 'granted', 'refused'])[1 + i * 7 % 5],
  (ARRAY['Altstadt', 'Nordend', 'Westhafen', 'Sankt Georg', 'Am Wall', 'Hofgarten', 'Südstadt', 'Lindenau'])[1 + (i % 9973 * 13 + i / 7) % 8],
  date '2014-01-01' + (i % 9973 * 31 % 4200), timestamp '2014-02-01 08:00' + (i % 9973 * 37 % 4200) * interval '1 day' + (i % 600) * interval '1 minute',
  round((120 + 180000 * power((i::bigint * 7919 % 10007) / 10007.0, 4))::numeric, 2), round((i::bigint * 104729 % 100000 / 317.0)::numeric, 3),
  CASE WHEN i % 11 = 0 THEN NULL ELSE i % 3 <> 0 END,
  (ARRAY['Keller & Söhne', 'M. Okafor', 'Ana Duarte', 'Bauhof Nord GmbH', 'J. Lindqvist', 'Nguyễn Thị Hoa', 'Städtische Werke', 'O''Hara'])[1 + i % 9973 * 17 % 8],
  CASE WHEN i % 5 = 0 THEN NULL ELSE 'Site visit ' || (i % 90) || ' days after filing; '
    || (ARRAY['neighbours heard', 'heritage office asked', 'drawings complete', 'second review'])[1 + i % 4] END
FROM (SELECT n::int AS i FROM generate_series(1, ${count}) n) numbers;
CREATE INDEX ON ${table} (opened); CREATE INDEX ON ${table} (kind); ANALYZE ${table};`;

export const tables = `${permits('permits', 30_000)}
CREATE TABLE digits (id bigint PRIMARY KEY, big bigint, exact numeric(65,30), real float8, "a.b?" text, "Ländername, it's" text, note text);
INSERT INTO digits VALUES
  (1, 9007199254740993, 12345678901234567890123456789012345.123456789012345678901234567890, '-0.0', 'x', 'Österreich', ''),
  (9007199254740995, -9223372036854775808, 0.000000000000000000000000000001, 'NaN', 'it''s', E'tab\\tnew\\nline', NULL),
  (3, 9223372036854775807, 1.5, 'Infinity', '10% _\\', 'trailing  ', '  ');
CREATE TABLE hostile (id int PRIMARY KEY, "<img src=x onerror=alert(1)>" text, "</script><script>alert(2)</script>" text, data bytea, doc jsonb);
INSERT INTO hostile VALUES
  (1, '<script>alert(3)</script>', 'javascript:alert(4)', '\\x0001ff', '{"<b>": ["</td>", 12345678901234567890.10]}'),
  (2, E'\\u202Etxt.exe', 'שלום', NULL, NULL), (3, E'\\x01\\x1b[31m', '👩‍👩‍👧', '\\x', 'null'), (4, repeat('<b>long</b> ', 200000), '', NULL, '""'),
  (5, 'x' || repeat(' ', 3000000) || 'y', repeat(E'\\x01', 100000), NULL, NULL);
CREATE TABLE wide (id int PRIMARY KEY, ${Array.from({ length: 300 }, (_, nth) => `column_${nth} int`).join(', ')});
INSERT INTO wide (id, column_0, column_299) SELECT i, i * 3, i * 7 FROM generate_series(1, 500) i;
CREATE TABLE plain (a text, b int); INSERT INTO plain SELECT 'row ' || i, i FROM generate_series(1, 350) i;
CREATE TABLE pairs (a int, b text, c text, PRIMARY KEY (a, b)); INSERT INTO pairs SELECT i, 'k' || i % 7, 'v' || i FROM generate_series(1, 260) i;
CREATE TABLE scratch (id serial PRIMARY KEY, name text NOT NULL, amount numeric(20,4), done bool);
INSERT INTO scratch (name, amount) SELECT 'item ' || i, i * 1.5 FROM generate_series(1, 20) i;`;

/** The same table for MariaDB, whose sequences are tables. */
export const permitsOfMariadb = (table: string, count: number) => `
CREATE TABLE ${table} (id int PRIMARY KEY, permit_no bigint NOT NULL, kind varchar(20), status varchar(20), district varchar(40),
  opened date, decided datetime, amount decimal(12,2), area double, approved bool, applicant varchar(80), note text,
  KEY opened (opened), KEY kind (kind)) CHARACTER SET utf8mb4;
INSERT INTO ${table} SELECT i, 9007199254740993 + i * 2,
  ELT(1 + (i % 5003) * (i % 11) % 7, 'roof', 'facade', 'garage', 'solar', 'extension', 'demolition', 'fence'),
  ELT(1 + i * 7 % 5, 'open', 'granted', 'granted', 'granted', 'refused'),
  ELT(1 + (i % 9973 * 13 + i DIV 7) % 8, 'Altstadt', 'Nordend', 'Westhafen', 'Sankt Georg', 'Am Wall', 'Hofgarten', 'Südstadt', 'Lindenau'),
  DATE_ADD('2014-01-01', INTERVAL i % 9973 * 31 % 4200 DAY),
  DATE_ADD('2014-02-01 08:00', INTERVAL (i % 9973 * 37 % 4200) * 1440 + i % 600 MINUTE),
  ROUND(120 + 180000 * POWER((i * 7919 % 10007) / 10007.0, 4), 2), ROUND(i * 104729 % 100000 / 317.0, 3),
  IF(i % 11 = 0, NULL, i % 3 <> 0),
  ELT(1 + i % 9973 * 17 % 8, 'Keller & Söhne', 'M. Okafor', 'Ana Duarte', 'Bauhof Nord GmbH', 'J. Lindqvist', 'Nguyễn Thị Hoa', 'Städtische Werke', 'O''Hara'),
  IF(i % 5 = 0, NULL, CONCAT('Site visit ', i % 90, ' days after filing; ',
    ELT(1 + i % 4, 'neighbours heard', 'heritage office asked', 'drawings complete', 'second review')))
FROM (SELECT seq AS i FROM seq_1_to_${count}) numbers;
ANALYZE TABLE ${table};`;

export const tablesOfMariadb = `${permitsOfMariadb('permits', 30_000)}
CREATE TABLE digits (id bigint PRIMARY KEY, big bigint, exact decimal(65,30), \`real\` double, \`a.b?\` text, \`Ländername, it's\` text, note text)
  CHARACTER SET utf8mb4;
INSERT INTO digits VALUES
  (1, 9007199254740993, 12345678901234567890123456789012345.123456789012345678901234567890, 0.1, 'x', 'Österreich', ''),
  (9007199254740995, -9223372036854775808, 0.000000000000000000000000000001, 1e300, 'it''s', 'tab\\tnew\\nline', NULL),
  (3, 9223372036854775807, 1.5, -2.5e-300, '10% _\\\\', 'trailing  ', '  ');`;
