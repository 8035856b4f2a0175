/** Other servers that provide an API for a database, if they are installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerDatabase } from '../../support/servers/engines.ts';
import { find, thisMachine } from '../../support/servers/programs.ts';

export interface OtherServer {
  readonly name: string;
  /** What must be installed. */
  readonly needs: string;
  readonly clients: readonly ServerDatabase['client'][];
  /** Null if it is not installed. */
  command(port: number): readonly string[] | null;
  environment(database: ServerDatabase, port: number): Readonly<Record<string, string>>;
  /** The path of a page with 100 records of `films`, in key order. */
  page(database: ServerDatabase): string;
}

export const otherServers: readonly OtherServer[] = [
  {
    name: 'pREST',
    needs: 'prestd on the PATH',
    clients: ['postgres'],
    command: () => (find('prestd', thisMachine()) === null ? null : ['prestd']),
    environment: ({ url }, port) => ({
      ...{ PREST_PG_URL: `${url}?sslmode=disable`, PREST_HTTP_HOST: '127.0.0.1', PREST_HTTP_PORT: String(port) },
      PREST_CACHE_ENABLED: 'false',
    }),
    page: ({ url }) => `${new URL(url).pathname}/public/films?_page=1&_page_size=100&_order=id`,
  },
  {
    name: 'php-crud-api',
    needs: 'php on the PATH, and the path of its api.php in PHP_CRUD_API',
    clients: ['postgres', 'mysql'],
    command(port) {
      const file = process.env.PHP_CRUD_API;
      const hasPhp = find('php', thisMachine()) !== null;
      return file === undefined || !hasPhp ? null : ['php', '-S', `127.0.0.1:${port}`, file];
    },
    environment({ client, url }) {
      const { hostname, port, pathname, username, password } = new URL(url);
      return {
        ...{ PHP_CLI_SERVER_WORKERS: '8', PHP_CRUD_API_DRIVER: client === 'postgres' ? 'pgsql' : 'mysql' },
        ...{ PHP_CRUD_API_ADDRESS: hostname, PHP_CRUD_API_PORT: port, PHP_CRUD_API_DATABASE: pathname.slice(1) },
        ...{ PHP_CRUD_API_USERNAME: username, PHP_CRUD_API_PASSWORD: password },
      };
    },
    page: () => '/records/films?size=100&order=id',
  },
];

/** Starts it on the first core, for this database. Throws if it does not answer within ten seconds. */
export async function started({ name, command, environment, page }: OtherServer, database: ServerDatabase) {
  const port = await freePort();
  const child = spawn('taskset', ['-c', '0', ...(command(port) ?? [])], {
    env: { ...process.env, ...environment(database, port) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  for (const limit = Date.now() + 10_000; ; await sleep(100)) {
    const answer = await fetch(url + page(database)).catch(() => null);
    const text = await answer?.text();
    if (answer?.ok) return { url, stop };
    if (Date.now() < limit && child.exitCode === null) continue;
    await stop();
    throw new Error(`${name} does not answer: ${text}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
