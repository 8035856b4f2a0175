/** A gateway whose resources leave their rights to a CKAN, and calls with the logins of that CKAN. */
import { Agent, request } from 'node:http';
import { openSharedTables, type SharedTables } from './rows.ts';
import { anyEngine } from './servers/engines.ts';
import { type UpstreamCkan, upstreamCkan } from './upstream-ckan.ts';

export interface Sent {
  readonly method?: string;
  /** A token, or cookies if there is a `=` in it. */
  readonly login?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Settings that a test adds. */
interface More {
  /** Settings of `upstream.access`. */
  readonly access?: object;
  readonly auth?: object;
  /** Further tokens of the configuration. */
  readonly tokens?: readonly object[];
  readonly cache?: object;
  readonly limits?: object;
  readonly rateLimit?: object | 'none';
}

export interface UpstreamRights {
  readonly shared: SharedTables;
  readonly ckan: UpstreamCkan;
  send(path: string, sent?: Sent): Promise<Received>;
  /** Calls an action by POST. */
  call(action: string, params: object, login?: string): Promise<Received>;
  /** Searches a resource by GET: the number of its records, or the status and the end of the refusal. @param id budget if not given */
  search(login?: string, id?: string, headers?: Readonly<Record<string, string>>): Promise<number | string>;
  /** How the last search was answered: by an exact match of the request cache, or not. */
  wasExactMatch(): boolean;
  /** Reloads with these settings instead. @throws the complaints */
  reload(more?: More): Promise<void>;
  close(): Promise<void>;
}

/** Waiting for the CKAN of the tests is not tested, unless a test says so. */
const patient = { timeout: '60s' };
const both = { read: 'upstream', write: 'upstream', deleteAll: true };
const line = { database: 'db', table: 'line', access: both };
/** `filtered` shows the rows of tenant 7, whatever CKAN says. CKAN has deleted `deleted`, and shows `census` to everybody. */
const resources = {
  ...{ budget: line, census: line, deleted: line },
  filtered: { ...line, where: { tenant: 7 }, columns: { tenant: { hidden: true } } },
};

export const unchecked = '503 this login cannot be checked now, try again';
export const refused = '403 this token is not known';
export const anonymously = '403 no token was sent';
/** The rows of `budget` and of `filtered`. */
export const [allRows, rowsOfSeven] = [13, 6];

export const loginHeaders = (login = ''): Readonly<Record<string, string>> =>
  login === '' ? {} : login.includes('=') ? { Cookie: login } : { Authorization: login };

/** In CKAN, `ana` may write, and `ben` and the session `ckan=ana` may read everything but what is deleted. */
export async function openUpstreamRights(more: More = {}): Promise<UpstreamRights> {
  const ckan = await upstreamCkan();
  for (const id of ['budget', 'census', 'filtered']) ckan.resources.add(id);
  const all = ['budget', 'census', 'filtered'];
  ckan.allow('', { read: ['census'] });
  ckan.allow('ana', { read: all, write: all });
  ckan.allow('ben', { read: all });
  ckan.allow('ckan=ana', { name: 'ana', read: all, write: all });
  const [engine] = anyEngine();
  if (engine === undefined) throw new Error('no engine');
  const configuration = ({ access = {}, ...settings }: More) => ({
    ...settings,
    resources,
    upstream: { url: ckan.url, access: { ...patient, ...access } },
  });
  const shared = await openSharedTables(engine, configuration(more));
  const agent = new Agent({ keepAlive: true });
  const { gateway } = shared;
  const send: UpstreamRights['send'] = (path, { method = 'GET', login, headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const options = { agent, method, headers: { ...loginHeaders(login), ...headers } };
      const sent = request(`${gateway.url}${path}`, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.on('error', reject).end(body);
    });
  let searchedFrom = 0;
  return {
    ...{ shared, ckan, send },
    call: (action, params, login) =>
      send(`/api/3/action/${action}`, {
        ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(params) },
        ...(login === undefined ? {} : { login }),
      }),
    async search(login = '', id = 'budget', headers = {}) {
      searchedFrom = gateway.events.length;
      const { status, text } = await send(`/api/3/action/datastore_search?resource_id=${id}`, { login, headers });
      const { result, error } = JSON.parse(text);
      if (status === 200) return result.records.length;
      return `${status} ${String(error.message).replace(/^.* resource \w+(?:: )?/, '')}`.trimEnd();
    },
    wasExactMatch: () => gateway.events.slice(searchedFrom).some(({ on }) => on === 'hit'),
    async reload(next = {}) {
      const complaints = await shared.reload(configuration(next));
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
    async close() {
      agent.destroy();
      await shared.close();
      await ckan.close();
    },
  };
}
