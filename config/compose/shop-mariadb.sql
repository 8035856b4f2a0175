-- A small shop, as an older application may have left it: for the tutorial and for compose.yaml.
-- Load it into an empty database:  mariadb -u root -p shop < config/compose/shop-mariadb.sql

CREATE TABLE tbl_Customer (
  CustNo int AUTO_INCREMENT PRIMARY KEY,
  name varchar(80) NOT NULL,
  email varchar(120),
  pw_hash char(40) NOT NULL,
  active tinyint(1) NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  since date NOT NULL
) ENGINE=InnoDB CHARACTER SET utf8mb4;

CREATE TABLE product (
  art_no varchar(20) PRIMARY KEY,
  title varchar(100) NOT NULL,
  price decimal(10,2) NOT NULL,
  serial_from bigint,
  FULLTEXT KEY words (title)
) ENGINE=InnoDB CHARACTER SET utf8mb4;

CREATE TABLE orders (
  order_no int AUTO_INCREMENT PRIMARY KEY,
  customer int NOT NULL,
  art_no varchar(20) NOT NULL,
  quantity int NOT NULL,
  note varchar(200),
  CONSTRAINT orders_customer FOREIGN KEY (customer) REFERENCES tbl_Customer (CustNo),
  CONSTRAINT orders_product FOREIGN KEY (art_no) REFERENCES product (art_no)
) ENGINE=InnoDB CHARACTER SET utf8mb4;

-- No key: its rows can be read and added, but not changed.
CREATE TABLE stock_log (
  day date NOT NULL,
  art_no varchar(20) NOT NULL,
  delta int NOT NULL
) ENGINE=InnoDB CHARACTER SET utf8mb4;

CREATE TABLE orders_bak_2019 (order_no int, customer int) ENGINE=InnoDB;
CREATE TABLE schema_migrations (version varchar(40) PRIMARY KEY) ENGINE=InnoDB;

INSERT INTO tbl_Customer (name, email, pw_hash, active, since) VALUES
  ('Anna Müller', 'anna@example.org', 'a9993e364706816aba3e25717850c26c9cd0d89d', 1, '2011-04-01'),
  ('Ben Okafor', NULL, '84983e441c3bd26ebaae4aa1f95129e5e54670f1', 1, '2015-11-23'),
  ('Chloé Dubois', 'chloe@example.org', '34aa973cd4c4daa4f61eeb2bdbad27316534016f', 0, '2019-02-28');
INSERT INTO product VALUES
  ('A-100', 'Garden chair, oak', 89.90, 9007199254740993),
  ('A-200', 'Garden table, oak', 249.00, 9007199254741993),
  ('B-7', 'Watering can', 14.50, NULL),
  ('B-9', 'Parasol, green', 119.00, NULL);
INSERT INTO orders (customer, art_no, quantity, note) VALUES
  (1, 'A-100', 4, NULL),
  (1, 'A-200', 1, 'deliver after 5 pm'),
  (2, 'B-7', 2, NULL),
  (3, 'A-100', 2, 'call first'),
  (2, 'B-9', 1, NULL);
INSERT INTO stock_log VALUES ('2026-01-05', 'A-100', 20), ('2026-01-05', 'B-7', 50), ('2026-02-01', 'A-100', -6);

CREATE VIEW v_sales AS
  SELECT p.art_no, p.title, sum(o.quantity) AS sold, sum(o.quantity * p.price) AS revenue
  FROM orders o JOIN product p ON p.art_no = o.art_no
  GROUP BY p.art_no, p.title;
