import { readFileSync } from 'node:fs';

/** What stood in the files of a configuration when they were read, by path: all processes work with the same. */
export type Texts = readonly (readonly [path: string, text: string])[];

/** Reads files and remembers what stood in them. */
export function remembering(from = (path: string): string => readFileSync(path, 'utf8')): {
  readFile(path: string): string;
  texts(): Texts;
  /** Also of those that could not be read. */
  paths(): readonly string[];
} {
  const read = new Map<string, string>();
  const asked = new Set<string>();
  return {
    readFile(path) {
      asked.add(path);
      const text = from(path);
      read.set(path, text);
      return text;
    },
    texts: () => [...read],
    paths: () => [...asked],
  };
}

/** Reads from what is remembered. Throws for what was not there. */
export function remembered(texts: Texts): (path: string) => string {
  const known = new Map(texts);
  return (path) => {
    const text = known.get(path);
    if (text === undefined) throw new Error(`${path} was not read`);
    return text;
  };
}
