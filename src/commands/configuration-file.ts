/** A configuration file: read as text, written at once or not at all. */
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

/** What the text of a file configures. Throws `Refused` with all complaints. */
export function configurationIn(file: string, text: string, environment: Environment): Configuration {
  const read = loadSettings(file, environment, (path) => (path === file ? text : readFileSync(path, 'utf8')));
  if (read.ok) return read;
  throw new Refused(read.complaints.map(formatComplaint).join('\n'));
}

export const settingsIn = (file: string, text: string, environment: Environment): Settings =>
  configurationIn(file, text, environment).settings;

/** Null where there is no such file. Throws `Refused` where it cannot be read, or is a folder or a device. */
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

/** Throws `Refused` where the file cannot be written: better before the questions than after them. */
export function mustBeWritable(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (error) {
    throw new Refused(`${file} cannot be written (${codeOf(error)})`);
  }
}

/** Fails where another program has made the file meanwhile. */
export function create(file: string, text: string): void {
  writeFileSync(file, text, { flag: 'wx' });
}

/** Replaces a file at once, with its rights, unless it has changed since it was read. A link to it stays a link. */
export function replace(file: string, text: string, before: string): void {
  const real = realpathSync(file);
  // Bytes that are no UTF-8 would come back as others.
  if (!readFileSync(real).equals(Buffer.from(before))) throw changed(file);
  const beside = `${real}.new`;
  const { mode, uid, gid } = statSync(real);
  try {
    // Of two programs at once one makes this file, and the other is refused.
    writeFileSync(beside, text, { flag: 'wx', mode: mode & 0o777 });
  } catch (error) {
    throw new Refused(`${beside} cannot be made (${codeOf(error)}): nothing was written`);
  }
  try {
    if (!readFileSync(real).equals(Buffer.from(before))) throw changed(file);
    // The mask of this process has taken rights away; another owner may need them.
    chmodSync(beside, mode & 0o777);
    const own = statSync(beside);
    if (own.uid !== uid || own.gid !== gid) chownSync(beside, uid, gid);
    renameSync(beside, real);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

const changed = (file: string): Refused =>
  new Refused(`${file} was changed by another program meanwhile, or is not UTF-8: nothing was written`);
