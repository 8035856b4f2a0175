/** A real CKAN 2.12 for tests, with PostgreSQL and Redis of this machine. Only its Solr is a stand-in, see `solr.py`. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../servers/postgres.ts';
import { find, thisMachine } from '../servers/programs.ts';
import type { Scope } from '../servers/scope.ts';
import { openPostgres } from '../servers/sessions.ts';

/** Settings of `ckan.ini`, by their names. */
export type CkanSettings = Readonly<Record<string, string>>;

/** Who calls an action: a token, or the cookies of a browser, or neither for an anonymous caller. */
export interface Caller {
  readonly token?: string | undefined;
  readonly cookie?: string | undefined;
}

export interface CkanAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each action has its own result, and a test that reads the wrong one fails
  readonly body: any;
}

export interface Ckan {
  readonly url: string;
  readonly port: number;
  /** A token that may do everything. */
  readonly sysadmin: string;
  /** Calls an action with a token by POST, and otherwise by GET: CKAN refuses the POST of a browser without a CSRF token. */
  action(name: string, params?: object, caller?: Caller, method?: 'GET' | 'POST'): Promise<CkanAnswer>;
  /** Stops CKAN alone; its databases stay. @returns a function that starts it again on the same port */
  stop(): Promise<() => Promise<void>>;
  /** Restarts CKAN on the same port with changed settings. */
  restart(settings?: CkanSettings): Promise<void>;
  /** Runs CKAN's command line with the settings of the last start: `command('user', 'list')`. @returns what it prints */
  command(...args: readonly string[]): Promise<string>;
  /** Starts a command that goes on until the scope is closed, such as the worker of a queue. */
  start(name: string, ...args: readonly string[]): Promise<void>;
}

/**
 * Starts a CKAN with the plugin `datastore`, or with those that the setting `ckan.plugins` names. Their tables are created at the first start. A scope has
 * room for one CKAN.
 * @param bin the folder of programs of a Python environment with the packages of `requirements.txt`, from `installCkan`
 * @param more settings that differ from CKAN's defaults
 */
export async function startCkan(scope: Scope, bin: string, more: CkanSettings = {}): Promise<Ckan> {
  const redis = find('redis-server', thisMachine());
  if (redis === null) throw new Error('redis-server not found');
  const folder = join(scope.folder, 'ckan');
  mkdirSync(folder, { mode: 0o700 });
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' };
  const python = { file: join(bin, 'python'), env };
  const script = (name: string) => join(import.meta.dirname, name);
  const [database, redisPort, solrPort] = await Promise.all([
    startPostgres(scope, thisMachine()).then(createDatabases),
    scope.serve({ name: 'redis', file: redis, env }, (port) => [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
    ]),
    scope.serve({ name: 'solr', ...python }, (port) => [script('solr.py'), String(port)]),
  ]);
  let settings: CkanSettings = {
    SECRET_KEY: randomBytes(32).toString('base64url'),
    'sqlalchemy.url': database('ckan', 'postgres'),
    'ckan.datastore.write_url': database('datastore', 'postgres'),
    'ckan.datastore.read_url': database('datastore', 'datastore_reader'),
    // redis-py 8 gives up a read after 5 s. A consumer of ckanext-harvest waits without a limit of its own, and ended when its queue was empty for longer.
    'ckan.redis.url': `redis://127.0.0.1:${redisPort}/0?socket_timeout=3600`,
    solr_url: `http://127.0.0.1:${solrPort}/solr/ckan`,
    'ckan.plugins': 'datastore',
    'ckan.storage_path': folder,
    ...more,
  };
  const file = join(folder, 'settings.json');
  const change = (to: CkanSettings) => {
    settings = { ...settings, ...to };
    writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  };
  change({});
  const port = await scope.serve({ name: 'ckan', ...python }, (port) => [script('serve.py'), file, String(port)]);
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ url, port, sysadmin: readFileSync(`${file}.token`, 'utf8') },
    async action(name, params = {}, { token, cookie } = {}, method = token === undefined ? 'GET' : 'POST') {
      const headers = { ...(token && { Authorization: token }), ...(cookie && { Cookie: cookie }) };
      const at = `${url}/api/3/action/${name}`;
      const response =
        method === 'GET'
          ? await fetch(`${at}?${new URLSearchParams({ ...params })}`, { headers })
          : await fetch(at, {
              ...{ method, body: JSON.stringify(params) },
              headers: { ...headers, 'Content-Type': 'application/json' },
            });
      const text = await response.text();
      return { status: response.status, body: /^[{["]/.test(text) ? JSON.parse(text) : text };
    },
    stop: () => scope.stop(port, 'SIGTERM'),
    async restart(to = {}) {
      const again = await scope.stop(port, 'SIGTERM');
      change(to);
      await again();
    },
    command: (...args) =>
      scope.run({ name: 'ckan-command', file: join(bin, 'ckan'), env }, ['-c', `${file}.ini`, ...args]),
    async start(name, ...args) {
      const program = { name, file: join(bin, 'ckan'), env, ready: /^/ };
      await scope.serve(program, () => ['-c', `${file}.ini`, ...args]);
    },
  };
}

/** @returns the URL of a database for a user, as CKAN wants it */
async function createDatabases(server: string): Promise<(name: string, user: string) => string> {
  const session = await openPostgres(server);
  await session.exec('CREATE ROLE datastore_reader LOGIN');
  for (const name of ['ckan', 'datastore']) await session.exec(`CREATE DATABASE ${name}`);
  await session.close();
  return (name, user) => `postgresql://${user}@${new URL(server).host}/${name}`;
}
