import { isDeepStrictEqual } from 'node:util';
import { urlOf } from '../values/http-url.ts';
import type { Settings } from './assemble.ts';
import { describeSettings } from './schema.ts';
import { valueAt } from './structure.ts';

/**
 * Makes a function that lists the changed settings that take effect only at a restart. It finds out which settings those are once, at the
 * first reload, because that blocks the event loop for 20 ms.
 */
export function needsRestart(running: Settings): (reloaded: Settings) => readonly string[] {
  let paths: readonly string[] | null = null;
  return (reloaded) => {
    paths ??= describeSettings().flatMap(({ path, restart }) => (restart ? [path] : []));
    const differs = (path: readonly string[]) => !isDeepStrictEqual(valueAt(running, path), valueAt(reloaded, path));
    const changed = paths.filter((path) => differs(path.split('.')));
    return changed.filter((path) => !changed.some((other) => path.startsWith(`${other}.`)));
  };
}

/** The settings of a process after a reload. Settings that take effect only at a restart keep their old values. */
export function afterReload({ server, admin, upstream, cache, limits, log }: Settings, reloaded: Settings): Settings {
  const { host, port, workers, reload } = server;
  // Links use the address on which this process really listens, unless `siteUrl` says otherwise.
  const siteUrl = reloaded.server.siteUrl === urlOf(reloaded.server) ? urlOf(server) : reloaded.server.siteUrl;
  const { connections, headerBytes, incomingBytes, unsentBytes, spoolBytes } = limits;
  return {
    ...reloaded,
    admin,
    upstream: upstream && { ...upstream, access: reloaded.upstream?.access ?? upstream.access },
    log,
    server: { ...reloaded.server, host, port, workers, reload, siteUrl },
    cache: { ...reloaded.cache, maxBytes: cache.maxBytes },
    limits: { ...reloaded.limits, connections, headerBytes, incomingBytes, unsentBytes, spoolBytes },
  };
}
