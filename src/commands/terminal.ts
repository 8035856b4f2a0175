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
