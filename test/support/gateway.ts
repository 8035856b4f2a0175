import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { serve } from '../../src/commands/serve.ts';
import { formatComplaint } from '../../src/config/complaints.ts';
import { loadSettings } from '../../src/config/load.ts';
import type { Event } from '../../src/model/events.ts';
import type { Json } from '../../src/model/value.ts';
import { type Answered, post } from './post.ts';
import type { FreshDatabase } from './servers/engines.ts';

/** The token of these tests: may read and write whatever a resource's `access` allows. */
export const token = 'test-token';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export type { Answered };

export interface TestGateway {
  readonly url: string;
  /** Everything the gateway has said, the newest last. */
  readonly events: readonly Event[];
  /** Calls an action by POST with the test token; `as` is another token, or null for none. */
  call(action: string, params: unknown, as?: string | null): Promise<Answered>;
  /** The `result` of a call that must succeed. */
  result(action: string, params: unknown): Promise<Record<string, Json>>;
  /** Takes over another configuration, as SIGHUP does; gives the complaints. */
  reload(configuration: Record<string, unknown>): Promise<readonly string[]>;
  /** @param graceMs how long running calls may take */
  close(graceMs?: number): Promise<void>;
}

/** The `databases` entry for a database of a test. */
export function entry(database: FreshDatabase): Record<string, unknown> {
  return database.client === 'pglite'
    ? { client: 'pglite', directory: database.directory }
    : { client: database.client, connection: database.url };
}

/**
 * Starts a gateway in this process, on a free port. `configuration` is the file's content as an object; the test token is
 * added to it. Throws the complaints when it cannot start.
 */
export async function startGateway(configuration: Record<string, unknown>): Promise<TestGateway> {
  const loaded = load(configuration);
  const events: Event[] = [];
  const serving = await serve({ ...loaded, emit: (event) => events.push(event) });
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

/** Other files write to the same servers, and would invalidate everything: tests of that turn it on. */
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
    // Tests read records that they have just written past the gateway; those of the cache turn it on.
    cache: { ttl: 0 },
    ...configuration,
    databases: alone(configuration.databases),
    server: { port: 0, siteUrl: 'http://gateway.test', ...Object(configuration.server) },
  });
  const loaded = loadSettings('test.yaml', {}, () => text);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  return loaded;
}
