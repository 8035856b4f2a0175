/** Other servers that provide an API for a table, each with the same three reads of `films`. */
import { find, thisMachine } from '../../support/servers/programs.ts';
import { ckan } from './ckan.ts';
import { datasette } from './datasette.ts';
import { type OtherServer, startOnCore } from './other-server.ts';

const prest: OtherServer = {
  name: 'pREST',
  needs: 'prestd on the PATH',
  async start({ url }, scope) {
    if (find('prestd', thisMachine()) === null) return null;
    const table = `${new URL(url).pathname}/public/films`;
    const page = '_page_size=100&_order=id';
    const paths = {
      filtered: `${table}?language_id=3&_page=1&${page}`,
      byKey: `${table}?id=77`,
      later: `${table}?_page=71&${page}`,
    };
    const environment = { PREST_PG_URL: `${url}?sslmode=disable`, PREST_HTTP_HOST: '127.0.0.1' };
    return startOnCore(scope, 'prest', paths, {
      command: () => ['prestd'],
      environment: (port) => ({ ...environment, PREST_HTTP_PORT: String(port), PREST_CACHE_ENABLED: 'false' }),
    });
  },
};

const phpCrudApi: OtherServer = {
  name: 'php-crud-api',
  needs: 'php on the PATH, and the path of its api.php in PHP_CRUD_API',
  async start({ url }, scope) {
    const file = process.env.PHP_CRUD_API;
    if (file === undefined || find('php', thisMachine()) === null) return null;
    const { hostname, port, pathname, username, password } = new URL(url);
    const paths = {
      filtered: '/records/films?filter=language_id,eq,3&size=100&order=id',
      byKey: '/records/films/77',
      later: '/records/films?page=71,100&order=id',
    };
    const environment = {
      ...{ PHP_CLI_SERVER_WORKERS: '8', PHP_CRUD_API_DRIVER: 'pgsql', PHP_CRUD_API_ADDRESS: hostname },
      ...{ PHP_CRUD_API_PORT: port, PHP_CRUD_API_DATABASE: pathname.slice(1) },
      ...{ PHP_CRUD_API_USERNAME: username, PHP_CRUD_API_PASSWORD: password },
    };
    return startOnCore(scope, 'php', paths, {
      command: (port) => ['php', '-S', `127.0.0.1:${port}`, file],
      environment: () => environment,
    });
  },
};

export const otherServers: readonly OtherServer[] = [prest, datasette, ckan, phpCrudApi];
