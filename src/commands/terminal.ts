import { basename, relative } from 'node:path';
import type { Environment } from '../config/load.ts';
import type { Ask } from './ask.ts';

/** The output of a command, and its questions. Control characters in what it prints are made visible. */
export interface Terminal {
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** The result as it is. */
  readonly show: (text: string) => void;
  /** Everything else. */
  readonly explain: (text: string) => void;
  /** Null without a terminal. */
  readonly ask: Ask | null;
  readonly environment: Environment;
  /** As in 2026-11-23. */
  readonly today: string;
  /** The name by which this program was called. */
  readonly program: string;
}

/** The name by which the program was called: a copy that is not installed is called by its path. */
export function programOf(path: string): string {
  const name = basename(path);
  return name === 'main.js' || name === 'main.ts' ? `node ${relative('', path)}` : name;
}
