import { randomBytes } from 'node:crypto';
import { createGatewayServer, defaultLimits } from '../../accept/server.ts';
import type { Join } from '../../cache/buses/bus.ts';
import { local } from '../../cache/buses/local.ts';
import { openUpstream } from '../../forward/proxy.ts';
import { answer, passed, refuse } from '../../pipeline.ts';
import { Recall } from '../../recall.ts';
import { corsHeaders } from '../../reply/cors.ts';
import { send } from '../../reply/send.ts';
import type { Emit } from '../../watch/events.ts';
import { log } from '../../watch/log.ts';
import type { Pools } from '../gateway.ts';
import { type Configuration, Current, type Prepared } from './current.ts';

/** What a running gateway can be asked to do, be it one process or several. `C` is how it wants a configuration. */
export interface Running<C> {
  readonly port: number;
  /** Takes over another configuration, or keeps the old one and gives the complaints, a line each. One at a time. */
  reload(next: C): Promise<readonly string[]>;
  /** Stops accepting, lets running calls finish for at most `graceMs`, closes the pools; once, however often it is called. */
  close(graceMs?: number): Promise<void>;
}

export interface Serving extends Running<Configuration> {
  /** The first half of a reload: `adopt` is the other. */
  prepare(next: Configuration): Promise<Ready | { readonly complaints: readonly string[] }>;
}
export interface Ready extends Pick<Prepared, 'drop'> {
  adopt(): void;
}

export interface ServeOptions extends Configuration {
  /** Runs on the pools before anything is looked at: the demo makes its tables there. */
  prepare?(pools: Pools): Promise<void>;
  readonly emit?: Emit;
  /** How to tell other processes what is no longer to be found in their caches. */
  readonly bus?: Join;
  readonly secret?: string;
  readonly lenient?: boolean;
}

/**
 * Serves a configuration until it is closed.
 * @returns the running gateway, or the complaints that forbid to start, a line each
 */
export async function serve(options: ServeOptions): Promise<Serving | { readonly complaints: readonly string[] }> {
  const { settings, positions, emit = log(options.settings.log, null) } = options;
  const { prepare = async () => undefined, bus = local, secret = randomBytes(32), lenient = false } = options;
  const current = await Current.open({ settings, positions }, { prepare, bus, emit, secret, lenient });
  if ('complaints' in current) return current;

  const recall = new Recall(() => current.gateway);
  const running = new Set<Promise<unknown>>();
  const upstream = settings.upstream === null ? null : openUpstream(settings.upstream.url);
  const server = createGatewayServer({
    limits: { ...defaultLimits, bodyBytes: settings.limits.bodyBytes },
    recall,
    answer(request) {
      const reply = answer(current.gateway, request).then(async (reply) => {
        if ('again' in reply && reply.again !== undefined)
          recall.learn(request, (await request.body()).toString('latin1'), reply.again);
        return reply;
      });
      running.add(reply);
      return reply.finally(() => running.delete(reply));
    },
    refuse: (error) => refuse(error, settings.server.siteUrl),
    // Who sent it is not known: only what any page may read is said to it, as that a URL is too long.
    unreadable: () => corsHeaders('null', current.gateway.settings.cors.origins),
    send,
    pass: (req, res, whole) => upstream?.pass(req, res, whole),
    upgrade(req, socket, head) {
      if (upstream === null) socket.destroy();
      else upstream.upgrade(req, socket, head, passed(current.gateway, req, null));
    },
  });
  const port = await server.listen(settings.server.port, settings.server.host).catch(async (error: unknown) => {
    await current.close();
    throw error;
  });
  emit({
    on: 'started',
    address: `http://${settings.server.host}:${port}`,
    resources: settings.resources.size,
    workers: 1,
  });

  let closing: Promise<void> | null = null;
  const close = async (graceMs: number) => {
    await server.close(graceMs);
    upstream?.close();
    await current.close();
    emit({ on: 'stopped' });
  };
  const prepared = async (next: Configuration): ReturnType<Serving['prepare']> => {
    const ready = await current.prepare(next);
    return 'complaints' in ready ? ready : { ...ready, adopt: () => ready.adopt(Promise.allSettled(running)) };
  };
  return {
    port,
    prepare: prepared,
    async reload(next) {
      const ready = await prepared(next);
      if ('complaints' in ready) return ready.complaints;
      ready.adopt();
      emit({ on: 'reloaded', resources: next.settings.resources.size });
      return [];
    },
    close(graceMs = 10_000) {
      closing ??= close(graceMs);
      return closing;
    },
  };
}
