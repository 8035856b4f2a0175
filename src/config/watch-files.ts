import { stat } from 'node:fs/promises';

/** Milliseconds between two polls of the files. */
const pollMs = 1000;

/**
 * Calls `changed` when files have changed and then stayed the same for one poll, so that an editor or a copy can finish. We poll because
 * container mounts, network drives and swapped symlinks cause no file system events.
 * @param files called at each poll, because a reloaded configuration may name other files
 */
export function watchFiles(files: () => readonly string[], changed: () => void): void {
  const stamps = new Map<string, string>();
  let isChanging = false;
  const poll = async () => {
    let hasChanged = false;
    for (const file of files()) {
      const now = await stampOf(file);
      if (stamps.has(file) && stamps.get(file) !== now) hasChanged = true;
      stamps.set(file, now);
    }
    if (!hasChanged && isChanging) changed();
    isChanging = hasChanged;
    setTimeout(poll, pollMs).unref();
  };
  poll();
}

/** A text that changes with any change of the file; `missing` for a file that does not exist, but may appear later. */
async function stampOf(file: string): Promise<string> {
  try {
    const { ino, size, ctimeNs } = await stat(file, { bigint: true });
    return `${ino} ${size} ${ctimeNs}`;
  } catch {
    return 'missing';
  }
}
