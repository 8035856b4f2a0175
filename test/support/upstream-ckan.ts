/** Plays the CKAN behind a gateway that is asked for decisions. It answers as CKAN 2.12 does, and records what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An account, and the ids of the resources that it may read and write. Without a login the name is null. */
export interface Account {
  readonly name: string | null;
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Token or cookies of the sender; '' if there are none. */
  readonly login: string;
  readonly action: string;
}

type Answer = (asked: Asked, response: ServerResponse, usual: () => void) => void;

export interface UpstreamCkan {
  readonly url: string;
  /** Oldest first, like `actions`. */
  readonly questions: Asked[];
  /** The actions that were asked for. @param login of this sender only */
  actions(login?: string): readonly string[];
  mostAtOnce: number;
  /** The resources that exist. Whoever may read or write others gets a 404. */
  readonly resources: Set<string>;
  /** Gives the sender of this token, or of these cookies, an account with exactly these rights. '' is everybody without a login. */
  allow(login: string, account: Partial<Account>): void;
  /** Ends a token or a session: its sender is anonymous from now on, as CKAN does not refuse unknown tokens. */
  forbid(login: string): void;
  /** Answers in place of CKAN; null: CKAN answers. */
  answer: Answer | null;
  stop(): Promise<void>;
  /** Opens the port again that `stop` has closed. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'Content-Type': 'application/json;charset=utf-8' }).end(JSON.stringify(body));
const failed = (response: ServerResponse, status: number, error: object) =>
  json(response, status, { help: '', success: false, error });
const denied = { __type: 'Authorization Error', message: 'Access denied: not authorized' };
const missing = (message: string) => ({ __type: 'Not Found Error', message: `Not found: ${message}` });

export async function upstreamCkan(): Promise<UpstreamCkan> {
  let port = 0;
  let open = 0;
  const accounts = new Map<string, Account>([['', { name: null, read: [], write: [] }]]);
  const usual = ({ url, headers, body, login, action }: Asked, response: ServerResponse) => {
    const { name, read, write } = accounts.get(login) ?? { name: null, read: [], write: [], ...accounts.get('') };
    if (action === 'user_show')
      return name === null
        ? failed(response, 404, missing('User not found'))
        : json(response, 200, { help: '', success: true, result: { name, state: 'active', sysadmin: false } });
    if (action === 'resource_show') {
      const id = new URL(url, 'http://ckan').searchParams.get('id') ?? '';
      if (!ckan.resources.has(id)) return failed(response, 404, missing('Resource was not found.'));
      if (!read.includes(id)) return failed(response, 403, denied);
      return json(response, 200, { help: '', success: true, result: { id, name: 'a resource', state: 'active' } });
    }
    if (action !== 'datastore_upsert') return failed(response, 404, missing(action));
    // A session's cookie may not POST without a CSRF token.
    if (headers.cookie !== undefined) return void response.writeHead(400, { 'Content-Type': 'text/html' }).end('<p>');
    const { resource_id: id }: { resource_id: string } = JSON.parse(body);
    // CKAN looks for the resource before it looks at rights, but not for callers without a login.
    if (name === null || (ckan.resources.has(id) && !write.includes(id))) return failed(response, 403, denied);
    return failed(response, 404, missing(`Resource "${id}" was not found.`));
  };
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    open += 1;
    ckan.mostAtOnce = Math.max(ckan.mostAtOnce, open);
    response.on('close', () => void open--);
    const { method = '', url = '', headers } = request;
    const text: Buffer[] = [];
    for await (const piece of request) text.push(piece);
    const { authorization, 'x-ckan-api-key': key, cookie } = headers;
    const login = String(authorization ?? key ?? cookie ?? '');
    const action = /\/api\/3\/action\/(\w+)/.exec(url)?.[1] ?? '';
    const asked = { method, url, headers, body: Buffer.concat(text).toString(), login, action };
    ckan.questions.push(asked);
    if (ckan.answer === null) usual(asked, response);
    else ckan.answer(asked, response, () => usual(asked, response));
  });
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const ckan: UpstreamCkan = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    questions: [],
    actions: (login) =>
      ckan.questions.filter((one) => login === undefined || one.login === login).map(({ action }) => action),
    mostAtOnce: 0,
    resources: new Set(),
    allow: (login, account) =>
      void accounts.set(login, { name: login === '' ? null : login, read: [], write: [], ...account }),
    forbid: (login) => void accounts.delete(login),
    answer: null,
    ...{ stop, restart: listen, close: stop },
  };
  await listen();
  return ckan;
}
