/** Settings that this release has removed, with their replacements. Delete each entry after one release. Pure. */
import type { Path } from './complaints.ts';

/** @returns the end of a sentence about the setting, which names its replacement; null if neither setting nor value was removed */
export function replacementOf(path: Path, value: unknown): string | null {
  const [section, name, setting] = path;
  if (section === 'cache' && name === 'bus' && path.length === 2) {
    if (value === 'none') return 'is gone, delete it, or write cache.otherGateways: false';
    if (value === 'database') return 'is now cache.otherGateways: true';
    return 'is now cache.otherGateways: true, which needs no Redis';
  }
  if (section === 'databases' && setting === 'maxLag' && path.length === 3)
    return 'is gone, delete it: replicas answer cached reads only, which may be maxStaleness behind';
  if (section === 'databases' && setting === 'feed' && (value === 'wal' || value === 'triggers' || value === 'times'))
    return `is now auto: only the log of the server names the tables that others write, and ${value} is gone`;
  return null;
}
