import { stat } from 'node:fs/promises';

/** Milliseconds between two checks of the files. */
const interval = 1000;

/**
 * Calls `changed` when files have changed and then stayed the same for a moment. So an editor or a copy can finish. It polls,
 * because mounts of containers, networks and swapped links give no notifications.
 * @param files called each time: another configuration names other files
 */
export function watchFiles(files: () => readonly string[], changed: () => void): void {
  const seen = new Map<string, string>();
  let isMoving = false;
  const look = async () => {
    let hasMoved = false;
    for (const file of files()) {
      const now = await stampOf(file);
      if (seen.has(file) && seen.get(file) !== now) hasMoved = true;
      seen.set(file, now);
    }
    if (!hasMoved && isMoving) changed();
    isMoving = hasMoved;
    setTimeout(look, interval).unref();
  };
  look();
}

/** Changes with any change of the file. A missing file may appear later. */
async function stampOf(file: string): Promise<string> {
  try {
    const { ino, size, ctimeNs } = await stat(file, { bigint: true });
    return `${ino} ${size} ${ctimeNs}`;
  } catch {
    return 'missing';
  }
}
