import { isDeepStrictEqual } from 'node:util';
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
