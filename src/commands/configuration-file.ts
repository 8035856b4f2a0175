/** A configuration file: read as text, written at once or not at all. */
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Settings } from '../config/assemble.ts';
import { formatComplaint } from '../config/complaints.ts';
import { type Environment, loadSettings } from '../config/load.ts';
import { Refused } from './refused.ts';

/** The settings in the text of a file. Throws `Refused` with all complaints. */
export function settingsIn(file: string, text: string, environment: Environment): Settings {
  const read = loadSettings(file, environment, (path) => (path === file ? text : readFileSync(path, 'utf8')));
  if (read.ok) return read.settings;
  throw new Refused(read.complaints.map(formatComplaint).join('\n'));
}

/** Null where there is no such file. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
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
  if (!readFileSync(real).equals(Buffer.from(before)))
    throw new Refused(`${file} was changed by another program meanwhile, or is not UTF-8: nothing was written`);
  const beside = `${real}.${process.pid}.new`;
  writeFileSync(beside, text, { flag: 'wx', mode: statSync(real).mode & 0o777 });
  renameSync(beside, real);
}
