import { createGatewayServer, defaultLimits, type GatewayServer } from '../../accept/server.ts';
import { answer, refuse } from '../../pipeline.ts';
import { send } from '../../reply/send.ts';
import type { Emit } from '../../watch/events.ts';
import { log } from '../../watch/log.ts';
import type { Settings } from '../assemble.ts';
import { complain, formatComplaint, type Positions } from '../complaints.ts';
import { buildGateway, closePools, type Gateway, openPools, type Pools } from '../gateway.ts';

export interface Serving {
  readonly port: number;
  readonly gateway: Gateway;
  /** Stops accepting, lets running calls finish for at most `graceMs`, closes the pools. */
  close(graceMs?: number): Promise<void>;
}

/** How often a database that was not there at the start is looked for, in milliseconds. */
const lookAgain = 2000;

/**
 * Serves a configuration until it is closed.
 * @param prepare runs on the pools before anything is looked at: the demo makes its tables there
 * @returns the running gateway, or the complaints that forbid to start, a line each
 */
export async function serve(
  settings: Settings,
  positions: Positions,
  prepare: (pools: Pools) => Promise<void> = async () => undefined,
  emit: Emit = log(settings.log),
): Promise<Serving | { readonly complaints: readonly string[] }> {
  const pools = openPools(settings);
  await prepare(pools);
  let current = await buildGateway(settings, pools, emit);
  if (current.complaints.length > 0) {
    await closePools(pools);
    return { complaints: current.complaints.map((finding) => formatComplaint(complain(finding, positions))) };
  }
  announce(current, positions, emit);

  const server = createGatewayServer({
    limits: { ...defaultLimits, bodyBytes: settings.limits.bodyBytes },
    answer: (request) => answer(current, request),
    refuse: (error) => refuse(error, settings.server.siteUrl),
    send,
  });
  const port = await listen(server, settings, pools);
  const timer = setInterval(async () => {
    if (current.unreachable.size === 0) return;
    const next = await buildGateway(settings, pools, emit);
    // What disagrees now would have ended the start: those resources stay away, and the log says why.
    if (next.unreachable.size < current.unreachable.size) announce(next, positions, emit);
    current = next;
  }, lookAgain);
  timer.unref();
  emit({ on: 'started', address: `http://${settings.server.host}:${port}`, resources: settings.resources.size });

  return {
    port,
    get gateway() {
      return current;
    },
    async close(graceMs = 10_000) {
      clearInterval(timer);
      await server.close(graceMs);
      await closePools(pools);
      emit({ on: 'stopped' });
    },
  };
}

async function listen(server: GatewayServer, settings: Settings, pools: Pools): Promise<number> {
  try {
    return await server.listen(settings.server.port, settings.server.host);
  } catch (error) {
    await closePools(pools);
    throw error;
  }
}

function announce(gateway: Gateway, positions: Positions, emit: Emit): void {
  for (const [database, { version }] of gateway.connected) emit({ on: 'database reached', database, version });
  for (const [database, cause] of gateway.unreachable) emit({ on: 'database lost', database, cause });
  for (const finding of [...gateway.complaints, ...gateway.warnings])
    emit({ on: 'warned', text: formatComplaint(complain(finding, positions)) });
}
