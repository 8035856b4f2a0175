import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { entry } from '../support/gateway.ts';
import { programAt } from '../support/program.ts';
import { type Engine, engines, type FreshDatabase, freshDatabase, servers } from '../support/servers/engines.ts';
import { freePort } from '../support/servers/scope.ts';

/** A token that may do whatever `access` allows. Other tokens are unknown. */
export const token = 'clients-token';

/** A gateway with a database on every engine, started as an operator would. */
export interface Served {
  readonly url: string;
  /** Throws if the gateway does not exit cleanly. */
  stop(): Promise<void>;
}

/** The resources on one engine: one for everybody, one that needs a token, one to write to. */
export const resources = (engine: string) =>
  ({ open: `surveys_${engine}`, closed: `closed_${engine}`, scratch: `scratch_${engine}` }) as const;

/** The names of the engines in this run. */
export const names = (): readonly string[] => engines().map(({ name }) => name);

/** The names of those that take SQL. */
export const sqlNames = (): readonly string[] => servers().map(({ name }) => name);

/** Fills the databases and starts `dist/main.js serve` with a generated configuration. */
export async function serveAll(more: Record<string, unknown> = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-clients-'));
  const opened: (readonly [Engine, FreshDatabase])[] = [];
  const remove = async () => {
    for (const [, fresh] of opened) await fresh.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const engine of engines()) opened.push([engine, await freshDatabase(engine)]);
    for (const [engine, fresh] of opened) await fresh.exec(script(engine));
    const file = join(folder, 'gateway.yaml');
    // The port is chosen here, because links in answers must contain it.
    writeFileSync(file, JSON.stringify({ ...configuration(opened), server: { port: await freePort() }, ...more }));
    const main = resolve(import.meta.dirname, '../../dist/main.js');
    const running = await programAt(main, folder).serve(['serve', file]);
    if ('code' in running) throw new Error(running.stderr);
    return {
      url: running.url,
      async stop() {
        const { code, stderr } = await running.stop();
        await remove();
        // Level 50 is an error in pino: a client has found a bug.
        const errors = stderr.split('\n').filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
        if (code !== 0 || errors.length > 0) throw new Error(`the gateway ended with ${code}\n${errors.join('\n')}`);
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Serves during the tests of a file. @returns a function that returns its address, to be called in a test */
export function serving(): () => string {
  let served: Served | undefined;
  beforeAll(async () => {
    served = await serveAll();
  });
  afterAll(() => served?.stop());
  return () => served?.url ?? '';
}

/** The columns that the examples in CKAN's dialog use, and some with difficult names. */
function script({ client }: Engine): string {
  const mysql = client === 'mysql';
  const q = (name: string) => (mysql ? `\`${name}\`` : `"${name}"`);
  const id = `survey_id ${mysql ? 'int NOT NULL AUTO_INCREMENT PRIMARY KEY' : 'serial PRIMARY KEY'}`;
  const columns = `title varchar(200) NOT NULL, subject varchar(50), stage varchar(20), year int, depth decimal(6,2),
    day date, ${q('station no.')} bigint`;
  return ['survey', 'scratch']
    .map((table) => `CREATE TABLE ${table} (${id}, ${columns})${mysql ? ' ENGINE=InnoDB' : ''};\n`)
    .concat(
      `INSERT INTO survey (title, subject, stage, year, depth, day, ${q('station no.')}) VALUES
       ('Jones Creek', 'watershed', 'active', 1999, 2.50, '1999-12-31', 9007199254740993),
       ('Jones & Smith = 1+1', 'survey', 'active', 2001, NULL, NULL, 2),
       ('Größer als 50%', 'survey', 'closed', 2012, 10.00, '2012-02-29', NULL),
       ('O''Hara "quoted"', 'soil', NULL, NULL, 0.05, '2020-01-01', -1);\n`,
    )
    .join('');
}

/** The entry in `tokens` for a token that may read and write these resources. */
export function tokenEntry(token: string, ids: readonly string[]): Record<string, unknown> {
  return { name: token, sha256: createHash('sha256').update(token).digest('hex'), read: ids, write: ids };
}

function configuration(opened: readonly (readonly [Engine, FreshDatabase])[]): Record<string, unknown> {
  const resourcesOf = ({ name, client }: Engine) => {
    const of = resources(name);
    const info = { stage: { info: { label: 'Stage', notes: 'of the survey' } } };
    return {
      [of.open]: {
        database: name,
        table: 'survey',
        columns: info,
        access: { read: 'public', sql: client !== 'pglite' },
      },
      [of.closed]: { database: name, table: 'survey', access: { read: 'token', write: 'none' } },
      [of.scratch]: { database: name, table: 'scratch', access: { read: 'public', write: 'token' } },
    };
  };
  return {
    databases: Object.fromEntries(opened.map(([{ name }, fresh]) => [name, entry(fresh)])),
    resources: Object.assign({}, ...opened.map(([engine]) => resourcesOf(engine))),
    tokens: [tokenEntry(token, ['*'])],
    // Log all requests, so that errors among them are seen.
    log: { requests: 'all' },
  };
}
