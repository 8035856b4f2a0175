/** The tables of the checker, which depend on each other in every way that the cache must track, and the meaning of their rows. */
import type { ServerDatabase } from '../../support/servers/engines.ts';
import type { Seen } from './history.ts';

/** A resource: which records it shows, and what the values in its rows mean. */
export interface Shelf {
  readonly resource: string;
  readonly ids: readonly number[];
  /** Whether it has a column `g` with the `groupOf` value. */
  readonly grouped: boolean;
  /** Whether it has exactly one row for each existing record. */
  readonly counted: boolean;
  /** The name of the record behind the row with this id, whether it exists or not. */
  record(id: number): string;
  row(row: Row): readonly Seen[];
}
export type Row = Readonly<Record<string, unknown>>;

export interface World {
  readonly shelves: readonly Shelf[];
  /** For each family a query that reads `id` and `v` directly from the database. */
  readonly families: readonly string[];
  readonly parts: readonly string[];
}

export const ids = (count: number): readonly number[] => Array.from({ length: count }, (_, nth) => nth + 1);
export const items = ids(24);
export const pets = ids(18);
export const owners = ids(6);
const firstEight = ids(8);
export const groups = [0, 1, 2, 3];
export const groupOf = (item: number): number => item % groups.length;
export const ownerOf = (pet: number): number => (pet % owners.length) + 1;

const shared = `
  CREATE TABLE item (id integer PRIMARY KEY, g integer, v integer);
  CREATE VIEW seen AS SELECT id, g, v FROM item WHERE v > 0;
  CREATE VIEW tally AS SELECT g AS id, COUNT(*) AS n FROM seen GROUP BY g;
  CREATE TABLE owner (id integer PRIMARY KEY, v integer);
  CREATE TABLE pet (id integer PRIMARY KEY, owner integer, v integer,
    CONSTRAINT kept FOREIGN KEY (owner) REFERENCES owner (id) ON DELETE CASCADE);
  CREATE VIEW home AS SELECT p.id, p.v, o.id AS owner, o.v AS ov FROM pet p JOIN owner o ON o.id = p.owner;
  CREATE TABLE source (id integer PRIMARY KEY, v integer);
  CREATE TABLE mirror (id integer PRIMARY KEY, v integer);
  CREATE TABLE number (id integer PRIMARY KEY);
  INSERT INTO number VALUES ${items.map((id) => `(${id})`).join(', ')};`;
const asked = 'CREATE VIEW asked AS SELECT id, v_of(id) AS v FROM number;';
const scripts = {
  postgres: `${shared}
    CREATE FUNCTION v_of(i integer) RETURNS integer LANGUAGE sql STABLE AS 'SELECT v FROM item WHERE id = i';
    ${asked}
    CREATE FUNCTION mirrored() RETURNS trigger LANGUAGE plpgsql AS '
    BEGIN
      IF TG_OP <> ''INSERT'' THEN DELETE FROM mirror WHERE id = OLD.id; END IF;
      IF TG_OP <> ''DELETE'' THEN INSERT INTO mirror VALUES (NEW.id, NEW.v); END IF;
      RETURN NULL;
    END';
    CREATE TRIGGER m AFTER INSERT OR UPDATE OR DELETE ON source FOR EACH ROW EXECUTE FUNCTION mirrored();
    CREATE TABLE whole (id integer PRIMARY KEY, v integer) PARTITION BY RANGE (id);
    CREATE TABLE low PARTITION OF whole FOR VALUES FROM (0) TO (5);
    CREATE TABLE high PARTITION OF whole FOR VALUES FROM (5) TO (100);`,
  mysql: `${shared}
    CREATE FUNCTION v_of(i integer) RETURNS integer READS SQL DATA RETURN (SELECT v FROM item WHERE id = i);
    ${asked}
    CREATE TRIGGER m1 AFTER INSERT ON source FOR EACH ROW INSERT INTO mirror VALUES (NEW.id, NEW.v);
    CREATE TRIGGER m2 AFTER UPDATE ON source FOR EACH ROW UPDATE mirror SET v = NEW.v WHERE id = NEW.id;
    CREATE TRIGGER m3 AFTER DELETE ON source FOR EACH ROW DELETE FROM mirror WHERE id = OLD.id;`,
};
const emptied = {
  postgres: 'TRUNCATE item, owner, pet, source, mirror, whole',
  mysql: `SET foreign_key_checks = 0; ${['item', 'owner', 'pet', 'source', 'mirror'].map((name) => `TRUNCATE ${name}`).join('; ')}; SET foreign_key_checks = 1`,
};
type Client = keyof typeof scripts;

export const create = (fresh: ServerDatabase): Promise<void> => fresh.exec(scripts[fresh.client]);

/** Empties the tables; waits for sessions that still hold locks. Cache entries for these tables are stale afterwards. */
export const empty = (fresh: ServerDatabase): Promise<void> => fresh.exec(emptied[fresh.client]);

/** The configuration for a database, which is configured twice, under the same URL. */
export function configuration(client: Client, url: string): Record<string, unknown> {
  // Without commit markers, because they would hide missing invalidations of our own writes.
  const at = { client, connection: url, maxStaleness: 'none' };
  const resource = (table: string, more = {}) => ({
    ...{ database: 'db', table, access: { read: 'token', write: 'token', deleteAll: true, sql: true } },
    ...(table === 'seen' ? { access: { read: 'public', write: 'token', sql: true } } : {}),
    ...(['seen', 'tally', 'home', 'asked'].includes(table) ? { key: ['id'] } : {}),
    ...more,
  });
  const tables = ['item', 'seen', 'tally', 'owner', 'pet', 'home', 'source', 'mirror', 'asked'];
  const parts = client === 'postgres' ? ['whole', 'low', 'high'] : [];
  return {
    databases: { db: at, again: at },
    resources: {
      ...Object.fromEntries([...tables, ...parts].map((table) => [table, resource(table)])),
      'item again': resource('item', { database: 'again' }),
      'pet again': resource('pet', { database: 'again' }),
    },
    cache: { ttl: '1h' },
  };
}

export function worldOf(client: Client): World {
  const parts =
    client === 'postgres'
      ? [
          shelf('whole', 'whole', firstEight),
          shelf('low', 'whole', firstEight.slice(0, 4)),
          shelf('high', 'whole', firstEight.slice(4)),
        ]
      : [];
  return {
    shelves: [
      shelf('item', 'item', items, true),
      shelf('item again', 'item', items, true),
      shelf('seen', 'item', items, true),
      { ...shelf('asked', 'item', items), counted: false },
      shelf('owner', 'owner', owners),
      shelf('pet', 'pet', pets),
      shelf('pet again', 'pet', pets),
      {
        ...shelf('home', 'pet', pets),
        row: ({ id, v, owner, ov }) => [
          { record: `pet/${id}`, is: state(v) },
          { record: `owner/${owner}`, is: state(ov) },
        ],
      },
      shelf('source', 'source', firstEight),
      shelf('mirror', 'mirror', firstEight),
      ...parts,
    ],
    families: ['item', 'owner', 'pet', 'source', 'mirror', ...(parts.length > 0 ? ['whole'] : [])],
    parts: parts.map(({ resource }) => resource),
  };
}

function shelf(resource: string, family: string, ids: readonly number[], grouped = false): Shelf {
  const record = (id: unknown) => `${family}/${id}`;
  return { resource, ids, grouped, counted: true, record, row: ({ id, v }) => [{ record: record(id), is: state(v) }] };
}

const state = (v: unknown): number | null => (v === null || v === undefined ? null : Number(v));
