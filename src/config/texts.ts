import { readFileSync } from 'node:fs';

/** The texts of a configuration's files, by path, as they were read: all processes use the same. */
export type Texts = readonly (readonly [path: string, text: string])[];

/** Reads files and keeps their texts. */
export function remembering(from = (path: string): string => readFileSync(path, 'utf8')): {
  readFile(path: string): string;
  texts(): Texts;
  /** Includes files that could not be read. */
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

/** Reads from kept texts. Throws for a file that is not among them. */
export function remembered(texts: Texts): (path: string) => string {
  const known = new Map(texts);
  return (path) => {
    const text = known.get(path);
    if (text === undefined) throw new Error(`${path} was not read`);
    return text;
  };
}
