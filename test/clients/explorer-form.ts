import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type Explorer, type Opened, resource, serveExplorer, token } from './explorer-world.ts';

const sql = `
CREATE TABLE scratch (id serial PRIMARY KEY, name text NOT NULL, amount numeric(20,4), done bool);
INSERT INTO scratch (name, amount) SELECT 'item ' || i, i * 1.5 FROM generate_series(1, 20) i;
CREATE TABLE plain (a text, b int); INSERT INTO plain SELECT 'row ' || i, i FROM generate_series(1, 350) i;
CREATE TABLE bytes (code bytea PRIMARY KEY, name text); INSERT INTO bytes VALUES ('\\x01', 'one'), ('\\x02ff', 'two');
CREATE TABLE long (id int PRIMARY KEY, name text); INSERT INTO long SELECT i, 'n' || i FROM generate_series(1, 500) i;
CREATE TABLE countries (iso varchar(2) PRIMARY KEY, name text NOT NULL);
INSERT INTO countries SELECT chr(64 + i) || chr(64 + j), 'Land ' || chr(64 + i) || chr(64 + j) FROM generate_series(1, 3) i, generate_series(1, 9) j;
INSERT INTO countries VALUES ('DE', 'Germany'), ('PL', 'Poland'), ('XX', '50% _of_ Poland');
CREATE TABLE towns (id int PRIMARY KEY, name text NOT NULL, country varchar(2) NOT NULL REFERENCES countries, twin int REFERENCES towns,
  people int NOT NULL DEFAULT 0);
INSERT INTO towns VALUES (1, 'Munich', 'DE', NULL, 1505005), (2, 'Warsaw', 'PL', 1, 1702139);
CREATE TABLE votes (id int PRIMARY KEY, agrees bool NOT NULL);
CREATE TYPE stage AS ENUM ('draft', 'open', 'done');
CREATE TABLE tasks (id bigint PRIMARY KEY, title text NOT NULL, amount numeric(30,10), hours float8, due date, at timestamp, stage stage DEFAULT 'draft',
  done bool NOT NULL DEFAULT false, note text, doc jsonb, tags text[], twice numeric GENERATED ALWAYS AS (amount * 2) STORED, seen text, data bytea,
  CHECK (amount IS NULL OR amount >= 0));
CREATE FUNCTION tasks_seen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.seen := upper(NEW.title); RETURN NEW; END $$;
CREATE TRIGGER seen BEFORE INSERT OR UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION tasks_seen();
INSERT INTO tasks (id, title, amount, note, doc, tags, data) SELECT 9007199254740990 + i, 'task ' || i, 12345678901234567.0000000001 + i,
  CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE E'two\\r\\nlines' END, '{"n": 12345678901234567890.10}', ARRAY['a', NULL], '\\x0001' FROM generate_series(1, 12) i;`;

/** Starts an explorer with writable tables. */
export function openEditable(): Promise<Explorer> {
  const access = { read: 'public', write: 'token' };
  const resources = {
    scratch: resource('scratch', access),
    tasks: resource('tasks', access),
    log: resource('plain', access),
    long: resource('long', access),
    bytes: resource('bytes', access),
    votes: resource('votes', access),
    countries: { ...resource('countries'), title: 'Countries' },
    towns: {
      ...resource('towns', access),
      title: 'Towns',
      columns: { people: { info: { label: 'People', unit: 'people', notes: 'Last estimate' } } },
    },
  };
  return serveExplorer('postgres', sql, { resources });
}

/** A table with a column of most types, with defaults, and with columns that a trigger and the database fill in. */
export const tasks = '/datastore/explore/tasks';
/** The key of its first record. */
export const first = '9007199254740991';

/** Enters a token. */
export async function enter(page: Page, name: string): Promise<void> {
  // With the keyboard, because on a phone the record panel may cover the button.
  await page.getByRole('button', { name: /^Sign(?:ed)? in(?! to)/ }).press('Enter');
  await page.getByRole('dialog', { name: 'Token' }).getByLabel('Token').fill(name);
  await page.getByRole('button', { name: 'Use token' }).click();
}

/** Enters a valid token. */
export async function enterKnown(page: Page, name: string): Promise<void> {
  await enter(page, name);
  await page.getByRole('button', { name: /^Signed in as / }).waitFor();
}

/** Opens a page with a token: from the tab's storage, or entered on each page if tokens are not stored. */
export async function openAs(
  explorer: Explorer,
  name: string,
  path: string,
  options?: BrowserContextOptions,
): Promise<Opened> {
  const opened = await explorer.open('/datastore/explore', options);
  const { page } = opened;
  if (explorer.keeps === 'memory') {
    const goto = page.goto.bind(page);
    page.goto = async (url, options) => {
      const answer = await goto(url, options);
      await enterKnown(page, name);
      return answer;
    };
  } else await page.evaluate(`sessionStorage.setItem('${explorer.keeps}', '${name}')`);
  await page.goto(`${explorer.url}${path}`);
  return opened;
}

export const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
export const field = (page: Page, name: string): Locator => page.locator('.edit').getByLabel(name, { exact: true });
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** A record of the table as JSON, with all digits. */
export async function stored(
  explorer: Explorer,
  id: string,
  fields = 'id,title,amount,hours,due,stage,done,note,doc,tags,twice,seen',
): Promise<string> {
  const query = new URLSearchParams({ filters: `{"id":${id}}`, fields, format: 'jsonl' });
  return (await fetch(`${explorer.url}/datastore/dump/tasks?${query}`, { headers: { Authorization: token } })).text();
}

/** Opens the form of a record. */
export async function edit(explorer: Explorer, page: Page, id = first): Promise<void> {
  await page.goto(`${explorer.url}${tasks}?row={"id":${id}}`);
  await press(page, 'Edit');
  await field(page, 'title').waitFor();
}
