import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type ParsedNode } from 'yaml';
import type { Path, Positions } from './complaints.ts';

/**
 * Finds the positions of settings in a parsed file.
 * @param filled the scalars whose text came from a variable or a file; complaints must not quote them, not even through an alias
 */
export function positionsIn(
  doc: Document.Parsed<ParsedNode>,
  lines: LineCounter,
  file: string,
  filled: ReadonlySet<unknown>,
): Positions {
  const find = (path: Path) => follow(doc, path);
  return {
    offset: (path) => find(path).offset,
    where: (path) => place(lines, file, find(path).offset),
    hides: (path) => isSecret(path) || filled.has(find(path).node),
  };
}

/** An offset's position as `file:line:col`. */
export function place(lines: LineCounter, file: string, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}

/** Whether a setting is always secret, even if it is written in the file: connections, hashes and `server.secret`. */
function isSecret(path: Path): boolean {
  const [section, , name] = path;
  if (section === 'server') return path[1] === 'secret';
  const isConnection = name === 'connection' || name === 'feedConnection' || name === 'replicas';
  return (section === 'databases' && isConnection) || (section === 'tokens' && name === 'sha256');
}

interface KeyPosition {
  /** The offset of the key or list item. */
  readonly offset: number;
  /** The value; null if the file does not have the path. */
  readonly node: unknown;
}

function follow(doc: Document.Parsed<ParsedNode>, path: Path): KeyPosition {
  let node: unknown = doc.contents;
  let offset = doc.contents?.range[0] ?? 0;
  for (const step of path) {
    const parent: unknown = isAlias(node) ? node.resolve(doc) : node;
    // If a key is repeated, the parser takes the last one.
    const pair = isMap(parent)
      ? parent.items.findLast(({ key }) => isScalar(key) && key.value === String(step))
      : undefined;
    const item = isSeq(parent) && typeof step === 'number' ? parent.items[step] : undefined;
    if (pair === undefined && item === undefined) return { offset, node: null };
    offset = start(pair?.key ?? item) ?? offset;
    node = pair === undefined ? item : pair.value;
  }
  return { offset, node: isAlias(node) ? node.resolve(doc) : node };
}

function start(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}
