import { stat } from 'node:fs/promises';

/** How often files are looked at, in milliseconds. */
const interval = 1000;

/**
 * Calls `changed` when files have changed and then stood still for a moment: an editor or a half-written copy is waited for.
 * Looks at them again and again, because nobody tells of changes through a mount of a container, a network or a swapped link.
 * @param files asked each time: another configuration names other files
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

/** Differs after any change. A file that is missing may come. */
async function stampOf(file: string): Promise<string> {
  try {
    const { ino, size, ctimeNs } = await stat(file, { bigint: true });
    return `${ino} ${size} ${ctimeNs}`;
  } catch {
    return 'missing';
  }
}
