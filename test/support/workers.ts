/** A gateway with several worker processes, and a connection to each of them. */
import { Agent, request } from 'node:http';
import { expect, vi } from 'vitest';
import type { Ended, Running } from './program.ts';

export interface Line {
  readonly msg: string;
  readonly worker?: number;
  readonly pid?: number;
  readonly why?: string;
  readonly action?: string;
  readonly admin?: string;
}

/** A single process and several workers run different code. `npm test` tests only the `usual` one, `npm run fuzz` both. */
export const fewWorkers = (usual: 1 | 2): readonly number[] =>
  process.env.FUZZ_CASES === undefined ? [usual] : [1, 2];

/** The log lines of the gateway, oldest first. */
export const lines = (gateway: Running): readonly Line[] =>
  gateway
    .said()
    .split('\n')
    .flatMap((line): Line[] => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));

/** The process id of each running worker, by worker number. */
export function pids(gateway: Running): ReadonlyMap<number, number> {
  const running = new Map<number, number>();
  for (const { msg, worker = 0, pid = 0 } of lines(gateway)) {
    if (msg === 'worker started') running.set(worker, pid);
    if (msg === 'worker ended') running.delete(worker);
  }
  return running;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export interface Answered {
  readonly status: number;
  readonly verdict: string | null;
  readonly text: string;
}

/** A keep-alive connection, which stays with the worker that accepted it. */
export class Connection {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  call(action: string, params: unknown, token = ''): Promise<Answered> {
    const headers = { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: token }) };
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.#url}/api/3/action/${action}`,
        { method: 'POST', agent: this.#agent, headers },
        (res) => {
          let text = '';
          res.setEncoding('utf8');
          res.on('data', (chunk) => {
            text += chunk;
          });
          const verdict = res.headers['x-cache'];
          res.on('end', () =>
            resolve({ status: res.statusCode ?? 0, verdict: typeof verdict === 'string' ? verdict : null, text }),
          );
          res.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(JSON.stringify(params));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A connection to each worker: opens connections until every worker has accepted one. The gateway must log cache hits, too: the log says which worker answered. */
export async function connections(gateway: Running, params: unknown): Promise<readonly Connection[]> {
  const found = new Map<number, Connection>();
  const workerCount = pids(gateway).size;
  const answered = () => lines(gateway).filter(({ msg }) => msg === 'answered');
  for (let tries = 0; found.size < workerCount && tries < 200; tries++) {
    const connection = new Connection(gateway.url);
    const before = answered().length;
    await connection.call('datastore_search', params);
    await vi.waitFor(() => expect(answered().length).toBeGreaterThan(before), { interval: 2, timeout: 5000 });
    const { worker = 0 } = answered().at(-1) ?? {};
    if (found.has(worker)) connection.close();
    else found.set(worker, connection);
  }
  expect(found.size).toBe(workerCount);
  return [...found].sort(([a], [b]) => a - b).map(([, connection]) => connection);
}

export function running(it: Ended | Running): Running {
  if ('url' in it) return it;
  throw new Error(it.stderr);
}
