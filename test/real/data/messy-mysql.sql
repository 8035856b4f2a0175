-- A schema as an application of twenty years leaves it: names in two languages, copies, leftovers, a broken view.
CREATE TABLE artikel (nr INT NOT NULL, bez VARCHAR(80) COMMENT 'Bezeichnung; see ${HOME} and "this"', preis DECIMAL(10,2), UNIQUE KEY artikel_nr (nr), FULLTEXT KEY bez (bez)) ENGINE=InnoDB COMMENT='Alle Artikel\nseit 1998';
INSERT INTO artikel VALUES (1, 'Schraube M4', 0.05), (2, 'Mutter M4', 0.04);
CREATE TABLE artikel_bak_2014 LIKE artikel;
CREATE TABLE messwert (sensor INT, zeit DATETIME, wert DOUBLE, UNIQUE KEY (sensor, zeit)) ENGINE=InnoDB;
CREATE TABLE protokoll (zeile TEXT) ENGINE=MyISAM;
CREATE TABLE tbl_Kunde (id INT AUTO_INCREMENT PRIMARY KEY, anrede TINYINT(1), name VARCHAR(80), email VARCHAR(100) UNIQUE, iban CHAR(34), pw_hash CHAR(60), geloescht TINYINT(1) NOT NULL DEFAULT 0, aktiv TINYINT(1), `_intern` INT, anschrift_id INT) ENGINE=InnoDB;
INSERT INTO tbl_Kunde (anrede, name, email, iban, pw_hash, aktiv) VALUES (2, 'A', 'a@example.org', 'DE1', 'x', NULL), (1, 'B', 'b@example.org', 'DE2', 'y', 1);
CREATE TABLE schalter (id INT PRIMARY KEY, an TINYINT(1));
CREATE TABLE `Order Items "2"` (`a b` INT PRIMARY KEY, `x``y` TEXT, `# no` INT, `null` INT, `say "hi"` INT, `${HOME}` INT) ENGINE=InnoDB;
CREATE TABLE `order items 2` (id INT PRIMARY KEY);
CREATE TABLE schema_migrations (version VARCHAR(20) PRIMARY KEY);
CREATE TABLE sessions (id VARCHAR(40) PRIMARY KEY, data TEXT);
CREATE TABLE api_tokens (id INT PRIMARY KEY, token VARCHAR(40));
CREATE TABLE logins (password VARCHAR(10), pin CHAR(4));
CREATE VIEW v_umsatz AS SELECT name, email FROM tbl_Kunde;
CREATE TABLE weg (a INT);
CREATE VIEW v_kaputt AS SELECT a FROM weg;
DROP TABLE weg;
