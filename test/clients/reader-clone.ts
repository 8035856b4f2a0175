/** A clean clone of the repository, as a reader makes it who begins with a page. */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/docs/fences.ts';

const run = promisify(execFile);

export interface ReaderClone {
  readonly folder: string;
  /** How long the machine took to clone, install and build. */
  readonly ms: number;
  remove(): Promise<void>;
}

/** @param install the block that installs and builds. Throws if it fails. */
export async function openClone(install: string): Promise<ReaderClone> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-clone-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const begin = Date.now();
    await run('git', ['clone', '--quiet', root, folder]);
    await run('sh', ['-c', install], { cwd: folder });
    return { folder, ms: Date.now() - begin, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
