-- The tables of the transcripts, MySQL and MariaDB. The same tables and rows as fixture.postgres.sql.
SET NAMES utf8mb4, sql_mode = 'STRICT_TRANS_TABLES';

CREATE TABLE numbers (
  id int PRIMARY KEY, tiny tinyint, small smallint, medium mediumint, n int, big bigint, unsig int unsigned,
  price decimal(10,2), exact decimal(30,10), f4 float, f8 double, flag tinyint(1)
);
INSERT INTO numbers VALUES
  (1, 0, 0, 0, 0, 0, 0, 0.00, 0, 0, 0, false),
  (2, 127, 32767, 8388607, 2147483647, 9223372036854775807, 4294967295, 99999999.99, 12345678901234567890.0123456789, 16777216, 1.7976931348623157e308, true),
  (3, -128, -32768, -8388608, -2147483648, -9223372036854775808, 1, -0.01, -1, -1.5, -1e20, false),
  (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (5, 5, 5, 5, 5, 9007199254740993, 5, 2.50, 0.1, 0.1, 1e-7, true),
  (6, 5, 6, 6, 6, 6, 6, 2.50, 2.5, 2.5, 0.30000000000000004, true);

CREATE TABLE words (id int PRIMARY KEY, t text, v varchar(40), c char(8));
INSERT INTO words VALUES
  (1, 'Alpha', 'Alpha', 'Alpha'),
  (2, 'alpha', 'alpha', 'alpha'),
  (3, 'alpha ', 'alpha ', 'alpha'),
  (4, '', '', ''),
  (5, NULL, NULL, NULL),
  (6, '0', '0', '0'),
  (7, 'true', 'true', 'true'),
  (8, 'Straße, Київ, 日本語 😀', 'crème', 'ж'),
  (9, 'it''s "so" \\ 100% a_b', 'a,b', 'x y'),
  (10, 'two\nlines\tand a tab', '2.50', '5');

CREATE TABLE moments (id int PRIMARY KEY, d date, tm time, ts datetime(3));
INSERT INTO moments VALUES
  (1, '2024-02-29', '23:59:59', '2024-02-29 12:34:56.789'),
  (2, '1999-12-31', '00:00:00', '1999-12-31 00:00:00.500'),
  (3, NULL, NULL, NULL),
  (4, '1000-01-01', '12:00:00', '9999-12-31 23:59:59.999'),
  (5, '2024-02-29', '06:30:00', '2024-02-29 00:00:00');

CREATE TABLE files (id int PRIMARY KEY, name varchar(20), data blob);
INSERT INTO files VALUES (1, 'three bytes', x'00ff41'), (2, 'no bytes', ''), (3, 'nothing', NULL);

-- needs json
CREATE TABLE documents (id int PRIMARY KEY, doc json);
INSERT INTO documents VALUES (1, '{"a": 1, "b": [1, null, "ü"]}'), (2, '[]'), (3, '"text"'), (4, 'null'), (5, NULL), (6, '9007199254740993');

CREATE TABLE `odd 'names' 表` (
  id int PRIMARY KEY, `Größe, cm` int, `a.b` int, `50% of` int, `what?` int, `x as y` int, `it's` int, `say "hi"` int,
  `back``tick` int, `_internal` int, `_unseen` int, ` blank` int, `order` int, `order desc` int, `表` int
);
INSERT INTO `odd 'names' 表` VALUES
  (1, 180, 1, 50, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
  (2, 170, 2, 25, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2);

CREATE TABLE person (id int PRIMARY KEY, full_name varchar(40) NOT NULL, email varchar(40), born date, active tinyint(1));
INSERT INTO person VALUES
  (1, 'Ada Lovelace', 'ada@secret.example', '1815-12-10', true),
  (2, 'Alan Turing', 'alan@secret.example', '1912-06-23', true),
  (3, 'Grace Hopper', NULL, NULL, false);
CREATE VIEW active_person AS SELECT id, full_name, born FROM person WHERE active;

CREATE TABLE dollars (id int PRIMARY KEY, `$AUD` int, `$$b` int, `$or` int);
INSERT INTO dollars VALUES (1, 100, 1, 1), (2, 200, 2, NULL);
CREATE TABLE keyless (a int, b varchar(10));
INSERT INTO keyless VALUES (1, 'one'), (2, 'two'), (2, 'two'), (NULL, NULL);
CREATE TABLE keyless_written (a int, b varchar(10));

CREATE TABLE film (
  film_id int AUTO_INCREMENT PRIMARY KEY, title varchar(40) NOT NULL UNIQUE, year int,
  rating decimal(3,1) DEFAULT 5.0, note text
);
CREATE TABLE film_insert LIKE film;
CREATE TABLE film_update LIKE film;
CREATE TABLE film_upsert LIKE film;
CREATE TABLE film_errors LIKE film;
CREATE TABLE film_form LIKE film;
CREATE TABLE film_small LIKE film;
CREATE TABLE film_shown LIKE film;
CREATE TABLE film_dry LIKE film;
CREATE TABLE film_deleted LIKE film;
INSERT INTO film_update VALUES (1, 'Alien', 1979, 8.5, 'in space'), (2, 'Heat', 1995, 8.3, NULL), (3, 'Ran', 1985, NULL, 'war');
INSERT INTO film_upsert VALUES (1, 'Alien', 1979, 8.5, 'in space'), (2, 'Heat', 1995, 8.3, NULL);
INSERT INTO film_errors VALUES (1, 'Alien', 1979, 8.5, 'in space'), (2, 'Heat', 1995, 8.3, NULL);
INSERT INTO film_dry VALUES (1, 'Alien', 1979, 8.5, 'in space'), (2, 'Heat', 1995, 8.3, NULL);
INSERT INTO film_deleted VALUES (1, 'Alien', 1979, 8.5, 'in space'), (2, 'Heat', 1995, 8.3, NULL), (3, 'Ran', 1985, NULL, 'war'), (4, 'Brazil', 1985, 7.9, NULL);

CREATE TABLE typed (
  id int PRIMARY KEY, small smallint, n int, big bigint, price decimal(10,2), f4 float, f8 double, flag tinyint(1),
  t text, v varchar(5), c char(5), d date, tm time, ts datetime(3), data blob, fixed int DEFAULT 7
);

CREATE TABLE order_line (order_no int NOT NULL, line_no int NOT NULL, item varchar(20), amount decimal(8,3), PRIMARY KEY (order_no, line_no));
INSERT INTO order_line VALUES (1, 1, 'bolt', 10), (1, 2, 'nut', 20.5), (2, 1, 'washer', NULL);

CREATE TABLE line_shown (order_no int NOT NULL, line_no int NOT NULL, item varchar(20), amount decimal(8,3), data blob, PRIMARY KEY (order_no, line_no));
INSERT INTO line_shown (order_no, line_no, item, amount) VALUES (1, 1, 'bolt', 10), (1, 2, 'nut', 20.5);

CREATE TABLE code (code varchar(10) PRIMARY KEY, label varchar(20) NOT NULL);
INSERT INTO code VALUES ('a', 'first'), ('b', 'second'), ('ü/1', 'third');

CREATE TABLE ckan_made (_id int AUTO_INCREMENT PRIMARY KEY, _full_text text, name text);
INSERT INTO ckan_made (_full_text, name) VALUES ('one uno', 'one'), ('two dos', 'two');

CREATE TABLE bin (id int PRIMARY KEY, kind varchar(10), n int, at date);
INSERT INTO bin VALUES (1, 'glass', 1, '2024-01-01'), (2, 'glass', 2, NULL), (3, 'paper', NULL, '2024-01-03'), (4, 'Paper', 4, NULL), (5, NULL, 5, NULL), (6, 'metal', 6, NULL);
CREATE TABLE bin_all (id int PRIMARY KEY, kind varchar(10));
INSERT INTO bin_all VALUES (1, 'glass'), (2, 'paper');

CREATE TABLE country (id int PRIMARY KEY, name varchar(20));
CREATE TABLE city (id int PRIMARY KEY, country_id int, name varchar(20), FOREIGN KEY (country_id) REFERENCES country (id));
INSERT INTO country VALUES (1, 'Norway'), (2, 'Chad');
INSERT INTO city VALUES (1, 1, 'Oslo');
