import { readFileSync } from 'node:fs';

/** A configuration's files with their texts. The primary process reads them once, so that all workers use the same texts. */
export type Texts = readonly (readonly [path: string, text: string])[];

/** Makes a function that reads files and remembers their texts. */
export function rememberingReader(from = (path: string): string => readFileSync(path, 'utf8')): {
  readFile(path: string): string;
  texts(): Texts;
  /** The paths of all files that were asked for, including those that could not be read. */
  paths(): readonly string[];
} {
  const read = new Map<string, string>();
  const paths = new Set<string>();
  return {
    readFile(path) {
      paths.add(path);
      const text = from(path);
      read.set(path, text);
      return text;
    },
    texts: () => [...read],
    paths: () => [...paths],
  };
}

/** Makes a function that returns remembered texts instead of reading files. It throws for any other file. */
export function readerOf(texts: Texts): (path: string) => string {
  const textOf = new Map(texts);
  return (path) => {
    const text = textOf.get(path);
    if (text === undefined) throw new Error(`${path} was not read`);
    return text;
  };
}
