import { createGatewayServer, defaultLimits } from '../../accept/server.ts';
import { openUpstream } from '../../forward/proxy.ts';
import { answer, passed, refuse } from '../../pipeline.ts';
import { Recall } from '../../recall.ts';
import { corsHeaders } from '../../reply/cors.ts';
import { send } from '../../reply/send.ts';
import type { Emit } from '../../watch/events.ts';
import { log } from '../../watch/log.ts';
import type { Pools } from '../gateway.ts';
import { type Configuration, Current } from './current.ts';

export interface Serving {
  readonly port: number;
  /** Takes over another configuration, or keeps the old one and gives the complaints, a line each. */
  reload(next: Configuration): Promise<readonly string[]>;
  /** Stops accepting, lets running calls finish for at most `graceMs`, closes the pools. */
  close(graceMs?: number): Promise<void>;
}

export interface ServeOptions extends Configuration {
  /** Runs on the pools before anything is looked at: the demo makes its tables there. */
  prepare?(pools: Pools): Promise<void>;
  readonly emit?: Emit;
}

/**
 * Serves a configuration until it is closed.
 * @returns the running gateway, or the complaints that forbid to start, a line each
 */
export async function serve(options: ServeOptions): Promise<Serving | { readonly complaints: readonly string[] }> {
  const { settings, positions, prepare = async () => undefined, emit = log(options.settings.log) } = options;
  const current = await Current.open({ settings, positions }, prepare, emit);
  if ('complaints' in current) return current;

  const recall = new Recall(() => current.gateway, settings.cache.maxBytes);
  const running = new Set<Promise<unknown>>();
  const upstream = settings.upstream === null ? null : openUpstream(settings.upstream.url);
  const server = createGatewayServer({
    limits: { ...defaultLimits, bodyBytes: settings.limits.bodyBytes },
    recall: (request) => recall.expects(request),
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
  emit({ on: 'started', address: `http://${settings.server.host}:${port}`, resources: settings.resources.size });

  return {
    port,
    reload: (next) => current.reload(next, async () => void (await Promise.allSettled(running))),
    async close(graceMs = 10_000) {
      await server.close(graceMs);
      upstream?.close();
      await current.close();
      emit({ on: 'stopped' });
    },
  };
}
