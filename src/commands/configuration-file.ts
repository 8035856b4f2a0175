/** Reads a configuration file, and writes one atomically. */
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Configuration } from '../app/opening.ts';
import type { Settings } from '../config/assemble.ts';
import { formatComplaint } from '../config/complaints.ts';
import { type Environment, loadSettings } from '../config/load.ts';
import { codeOf } from '../values/error-code.ts';
import { Refused } from './refused.ts';

/** Parses a configuration's text. Throws `Refused` with all complaints. @param file the file that the text is for */
export function configurationIn(file: string, text: string, environment: Environment): Configuration {
  const read = loadSettings(file, environment, (path) => (path === file ? text : readFileSync(path, 'utf8')));
  if (read.ok) return read;
  throw new Refused(read.complaints.map(formatComplaint).join('\n'));
}

export const settingsIn = (file: string, text: string, environment: Environment): Settings =>
  configurationIn(file, text, environment).settings;

/** A file's text; null if the file does not exist. Throws `Refused` if it cannot be read, or is a folder or a device. */
export function textOf(path: string): string | null {
  try {
    if (!statSync(path).isFile()) throw new Refused(`${path} must be a file`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Refused) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT') return null;
    throw new Refused(`${path} cannot be read (${code})`);
  }
}

/** Throws `Refused` if the file cannot be written. `init` checks this before it prompts, so that nobody answers questions in vain. */
export function mustBeWritable(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (error) {
    throw new Refused(`${file} cannot be written (${codeOf(error)})`);
  }
}

/** Creates a file. Throws if another program has created it in the meantime. */
export function create(file: string, text: string): void {
  writeFileSync(file, text, { flag: 'wx' });
}

/** Replaces a file atomically, unless it has changed since it was read as `before`. Mode, owner and symlinks stay as they are. */
export function replace(file: string, text: string, before: string): void {
  const real = realpathSync(file);
  // A file that is not UTF-8 also differs from `before`, and writing it back would corrupt it.
  if (!readFileSync(real).equals(Buffer.from(before))) throw changed(file);
  const temporary = `${real}.new`;
  const { mode, uid, gid } = statSync(real);
  try {
    // If two programs race, only one can create this file, and the other is refused.
    writeFileSync(temporary, text, { flag: 'wx', mode: mode & 0o777 });
  } catch (error) {
    throw new Refused(`${temporary} cannot be made (${codeOf(error)}): nothing was written`);
  }
  try {
    if (!readFileSync(real).equals(Buffer.from(before))) throw changed(file);
    // This process's umask may have removed permission bits that the original file has.
    chmodSync(temporary, mode & 0o777);
    const created = statSync(temporary);
    if (created.uid !== uid || created.gid !== gid) chownSync(temporary, uid, gid);
    renameSync(temporary, real);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

const changed = (file: string): Refused =>
  new Refused(`${file} was changed by another program meanwhile, or is not UTF-8: nothing was written`);
