import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A transcript that an engine cannot replay because it lacks a type. No other reason is allowed. */
export interface Difference {
  readonly file: string;
  readonly engine: string;
  readonly type: string;
}

export const differencesText = readFileSync(join(import.meta.dirname, 'differences.txt'), 'utf8');

export const differences: readonly Difference[] = differencesText
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [, file, engine, type] = /^(\S+\.txt): (\w+) has no type (\w+)$/.exec(line) ?? [];
    if (file === undefined || engine === undefined || type === undefined)
      throw new Error(`must be "FILE: ENGINE has no type TYPE", got: ${line}`);
    return { file, engine, type };
  });

/** Whether this engine lacks the type. */
export function lacks(engine: string, type: string): boolean {
  return differences.some((difference) => difference.engine === engine && difference.type === type);
}
