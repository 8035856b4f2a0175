import type { Configuration } from '../app/opening.ts';
import { formatComplaint } from '../config/complaints.ts';
import { type Environment, loadSettings } from '../config/load.ts';
import { withPort } from '../config/port.ts';
import { remembering, type Texts } from '../config/texts.ts';
import type { InvalidConfiguration } from './serve.ts';

/** The files that were read, to watch them, also where some cannot be read. */
interface Read {
  readonly paths: readonly string[];
}

/** Settings, and the texts of the files they were read from. */
export interface LoadedConfiguration extends Configuration, Read {
  readonly texts: Texts;
  /** Milliseconds for which reading them held the event loop. */
  readonly took: number;
}

/**
 * Reads a configuration file and the files it names.
 * @param port replaces the one of the file
 */
export function loadFiles(
  file: string,
  port: number | null,
  environment: Environment,
  readFile?: (path: string) => string,
): LoadedConfiguration | (InvalidConfiguration & Read) {
  const began = performance.now();
  const files = remembering(readFile);
  const loaded = loadSettings(file, environment, files.readFile);
  const paths = files.paths();
  if (loaded.ok) {
    const took = performance.now() - began;
    return { ...loaded, settings: withPort(loaded.settings, port), texts: files.texts(), paths, took };
  }
  return { complaints: loaded.complaints.map(formatComplaint), paths };
}
