import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { serve } from '../../src/commands/serve.ts';
import { formatComplaint } from '../../src/config/complaints.ts';
import { loadSettings } from '../../src/config/load.ts';
import type { Event } from '../../src/model/events.ts';
import type { Json } from '../../src/model/value.ts';
import { SelectParser } from '../../src/parse/select-parser.ts';
import { type Answered, post } from './post.ts';
import type { FreshDatabase } from './servers/engines.ts';

/** The token that tests send. It may read and write whatever a resource's `access` allows. */
export const token = 'test-token';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export type { Answered };

export interface TestGateway {
  readonly url: string;
  /** All log events of the gateway, oldest first. */
  readonly events: readonly Event[];
  /** Calls an action by POST with the test token; `as` is another token, or null to send none. */
  call(action: string, params: unknown, as?: string | null): Promise<Answered>;
  /** The `result` of a call. Throws unless the call succeeds. */
  result(action: string, params: unknown): Promise<Record<string, Json>>;
  /** Reloads with another configuration, like SIGHUP. Returns the complaints. */
  reload(configuration: Record<string, unknown>): Promise<readonly string[]>;
  /** @param graceMs how long running calls may still take */
  close(graceMs?: number): Promise<void>;
}

/** The entry in `databases` for a test's database. */
export function entry(database: FreshDatabase): Record<string, unknown> {
  return database.client === 'pglite'
    ? { client: 'pglite', directory: database.directory }
    : { client: database.client, connection: database.url };
}

/**
 * Starts a gateway in this process, on a free port. The test token is added to the configuration.
 * @param configuration the content of the configuration file
 * @throws the complaints if the gateway cannot start
 */
export async function startGateway(configuration: Record<string, unknown>): Promise<TestGateway> {
  const loaded = load(configuration);
  const events: Event[] = [];
  const selects = new SelectParser(new URL('./parse-thread.mjs', import.meta.url));
  const serving = await serve({ ...loaded, selects, emit: (event) => events.push(event) });
  if ('complaints' in serving) throw new Error(serving.complaints.join('\n'));
  const url = `http://127.0.0.1:${serving.port}`;
  const agent = new Agent({ keepAlive: true });
  const gateway: TestGateway = {
    url,
    events,
    call(action, params, as = token) {
      const headers = { 'Content-Type': 'application/json', ...(as === null ? {} : { Authorization: as }) };
      const body = typeof params === 'string' ? params : JSON.stringify(params);
      return post(agent, `${url}/api/3/action/${action}`, headers, body);
    },
    async result(action, params) {
      const answer = await gateway.call(action, params);
      const parsed: { success?: boolean; result?: Record<string, Json> } = JSON.parse(answer.text);
      if (parsed.success !== true || parsed.result === undefined) throw new Error(`${answer.status} ${answer.text}`);
      return parsed.result;
    },
    reload: (next) => serving.reload(load(next)),
    close: (graceMs = 1000) => serving.close(graceMs).finally(() => agent.destroy()),
  };
  return gateway;
}

/**
 * Turns off the detection of outside writes: other test files write to the same servers, and would invalidate this gateway's cache. Tests of that
 * detection set `maxStaleness` themselves.
 */
function alone(databases: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(databases)).map(([name, database]): [string, unknown] => {
      const isServer = Object.hasOwn(Object(database), 'connection');
      return [name, isServer ? { maxStaleness: 'none', ...Object(database) } : database];
    }),
  );
}

function load(configuration: Record<string, unknown>) {
  const text = JSON.stringify({
    tokens: [{ name: 'tester', sha256: sha256(token), read: ['*'], write: ['*'] }],
    // Most tests write to the database behind the gateway's back and then read. Tests of the cache set a ttl.
    cache: { ttl: 0 },
    ...configuration,
    databases: alone(configuration.databases),
    server: { port: 0, siteUrl: 'http://gateway.test', ...Object(configuration.server) },
  });
  const loaded = loadSettings('test.yaml', {}, () => text);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  return loaded;
}
