/** Tables on which every kind of error can be provoked. */
export const ddl = {
  postgres: `
    CREATE TABLE parent (id integer PRIMARY KEY, n integer);
    CREATE TABLE t (id integer PRIMARY KEY, "not null" integer NOT NULL DEFAULT 1, u varchar(5), p integer,
      c integer CONSTRAINT "positive" CHECK (c > 0), d date, j json, i integer, CONSTRAINT "the ""key""" UNIQUE (u),
      CONSTRAINT "to parent" FOREIGN KEY (p) REFERENCES parent (id));
    CREATE TABLE spans (r int4range, EXCLUDE USING gist (r WITH &&));
    CREATE TABLE parts (id integer) PARTITION BY LIST (id); CREATE TABLE part PARTITION OF parts FOR VALUES IN (1);
    CREATE VIEW checked AS SELECT id, c FROM t WHERE c < 10 WITH CHECK OPTION;
    CREATE VIEW counted AS SELECT count(*) AS n FROM t; CREATE VIEW computed AS SELECT id, c + 1 AS c1 FROM t;
    CREATE MATERIALIZED VIEW kept AS SELECT id FROM t;
    CREATE FUNCTION complain() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'never'; END $$;
    CREATE TABLE guarded (id integer); CREATE TRIGGER no BEFORE INSERT ON guarded FOR EACH ROW EXECUTE FUNCTION complain();
    CREATE TABLE secret (id integer, n integer); CREATE TABLE long (v text UNIQUE);
    INSERT INTO parent VALUES (1), (2); INSERT INTO t (id, u, p, c) VALUES (1, 'a', 1, 1); INSERT INTO spans VALUES ('[1,5)');`,
  mysql: `
    CREATE TABLE parent (id int PRIMARY KEY, n int) ENGINE=InnoDB;
    CREATE TABLE t (id int PRIMARY KEY, \`not null\` int NOT NULL, u varchar(5), p int, c tinyint, d date, e enum('a'), i int,
      UNIQUE KEY \`the 'key'\` (u), CONSTRAINT \`to parent\` FOREIGN KEY (p) REFERENCES parent (id)) ENGINE=InnoDB CHARACTER SET latin1;
    CREATE TABLE parts (id int) PARTITION BY LIST (id) (PARTITION one VALUES IN (1));
    CREATE VIEW checked AS SELECT id, c, \`not null\` FROM t WHERE c < 10 WITH CHECK OPTION; CREATE VIEW lacking AS SELECT id FROM t;
    CREATE VIEW counted AS SELECT count(*) AS n FROM t; CREATE VIEW computed AS SELECT id, \`not null\`, c + 1 AS c1 FROM t;
    CREATE VIEW joined AS SELECT a.id, b.n FROM t a JOIN parent b ON b.id = a.p;
    CREATE TABLE guarded (id int); CREATE TRIGGER no BEFORE INSERT ON guarded FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'never';
    CREATE TABLE secret (id int, n int);
    INSERT INTO parent VALUES (1, 0), (2, 0); INSERT INTO t (id, \`not null\`, u, p, c) VALUES (1, 1, 'a', 1, 1);`,
};

/** The error that the work throws. Fails the test if it succeeds. */
export async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
