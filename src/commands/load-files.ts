import type { Configuration } from '../app/opening.ts';
import { formatComplaint } from '../config/complaints.ts';
import { type Environment, loadSettings } from '../config/load.ts';
import { withPort } from '../config/port.ts';
import { rememberingReader, type Texts } from '../config/texts.ts';
import type { InvalidConfiguration } from './serve.ts';

/** The paths of all files that we tried to read. Missing ones are included, so that they can be watched, too. */
interface Read {
  readonly paths: readonly string[];
}

/** A configuration, and the texts of the files it was read from. */
export interface LoadedConfiguration extends Configuration, Read {
  readonly texts: Texts;
  /** How long reading blocked the event loop, in milliseconds. */
  readonly blockedMs: number;
}

/**
 * Reads a configuration file and the files that it names.
 * @param port the port to use in place of `server.port`; null to use that setting
 */
export function loadFiles(
  file: string,
  port: number | null,
  environment: Environment,
  readFile?: (path: string) => string,
): LoadedConfiguration | (InvalidConfiguration & Read) {
  const began = performance.now();
  const files = rememberingReader(readFile);
  const loaded = loadSettings(file, environment, files.readFile);
  const paths = files.paths();
  if (loaded.ok) {
    const blockedMs = performance.now() - began;
    return { ...loaded, settings: withPort(loaded.settings, port), texts: files.texts(), paths, blockedMs };
  }
  return { complaints: loaded.complaints.map(formatComplaint), paths };
}
