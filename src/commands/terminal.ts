import { basename, relative } from 'node:path';
import type { Environment } from '../config/load.ts';
import type { Ask } from './ask.ts';

/** A command's output and its prompts. Control characters in the output are escaped. */
export interface Terminal {
  /** Prints one line of the result. */
  readonly print: (line: string) => void;
  /** Prints a result of several lines. */
  readonly show: (text: string) => void;
  /** Prints anything that is not a result, such as an explanation, to standard error. */
  readonly explain: (text: string) => void;
  /** Prompts the operator; null without a terminal. */
  readonly ask: Ask | null;
  readonly environment: Environment;
  /** The date, such as 2026-11-23. */
  readonly today: string;
  /** The name by which this program was called. */
  readonly program: string;
}

/** The command to show in help texts: the program's name, or `node PATH` if it runs from a source tree. */
export function programOf(path: string): string {
  const name = basename(path);
  return name === 'main.js' || name === 'main.ts' ? `node ${relative('', path)}` : name;
}
