import { isDeepStrictEqual } from 'node:util';
import type { Settings } from './assemble.ts';
import { describeSettings } from './schema.ts';
import { valueAt } from './structure.ts';

/**
 * Tells the settings, by path, in which another configuration differs from the running one although only a restart takes them over.
 * Which settings these are is found out once, at the first reload: it takes 20 ms in which nobody is answered.
 */
export function needsRestart(running: Settings): (wanted: Settings) => readonly string[] {
  let paths: readonly string[] | null = null;
  return (wanted) => {
    paths ??= describeSettings().flatMap(({ path, restart }) => (restart ? [path] : []));
    const differs = (path: readonly string[]) => !isDeepStrictEqual(valueAt(running, path), valueAt(wanted, path));
    return paths.filter((path) => differs(path.split('.')));
  };
}
