import { isDeepStrictEqual } from 'node:util';
import { urlOf } from '../values/http-url.ts';
import type { Settings } from './assemble.ts';
import { describeSettings } from './schema.ts';
import { valueAt } from './structure.ts';

/**
 * Returns a function that lists the changed settings, by path, that take effect at a restart only. The list of such settings is
 * computed once, at the first reload: it takes 20 ms, which block all requests.
 */
export function needsRestart(running: Settings): (wanted: Settings) => readonly string[] {
  let paths: readonly string[] | null = null;
  return (wanted) => {
    paths ??= describeSettings().flatMap(({ path, restart }) => (restart ? [path] : []));
    const differs = (path: readonly string[]) => !isDeepStrictEqual(valueAt(running, path), valueAt(wanted, path));
    const changed = paths.filter((path) => differs(path.split('.')));
    return changed.filter((path) => !changed.some((other) => path.startsWith(`${other}.`)));
  };
}

/** The settings of a process after a reload: those that take effect at a restart only stay as they are. */
export function afterReload({ server, admin, upstream, cache, limits, log }: Settings, wanted: Settings): Settings {
  const { host, port, workers, reload } = server;
  // Links lead to the address of this process, unless others are wanted.
  const siteUrl = wanted.server.siteUrl === urlOf(wanted.server) ? urlOf(server) : wanted.server.siteUrl;
  const { connections, headerBytes, incomingBytes, unsentBytes, spoolBytes } = limits;
  return {
    ...wanted,
    admin,
    upstream,
    log,
    server: { ...wanted.server, host, port, workers, reload, siteUrl },
    cache: { ...wanted.cache, maxBytes: cache.maxBytes },
    limits: { ...wanted.limits, connections, headerBytes, incomingBytes, unsentBytes, spoolBytes },
  };
}
