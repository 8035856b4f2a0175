import { isDeepStrictEqual } from 'node:util';
import type { Settings } from './assemble.ts';
import { describeSettings } from './schema.ts';
import { valueAt } from './structure.ts';

/** The settings, by path, that differ although only a restart takes them over. */
export function needRestart(running: Settings, wanted: Settings): readonly string[] {
  return describeSettings()
    .filter(({ restart }) => restart)
    .map(({ path }) => path)
    .filter((path) => !isDeepStrictEqual(valueAt(running, path.split('.')), valueAt(wanted, path.split('.'))));
}
