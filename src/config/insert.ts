/** Adds entries to a configuration file by inserting text, so that everything else stays as it is, including comments and spacing. */
import { isDeepStrictEqual } from 'node:util';
import { isCollection, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

/** The lines of one entry, without the indentation of the section; deeper lines are indented by two blanks per level. */
export type Entry = readonly string[];

/**
 * Inserts entries after the last one of a top-level mapping, with the file's indentation and line ends.
 * @returns the new text; null if the mapping is missing, empty or written in braces: the operator then has to paste the entries
 */
export function insertEntries(text: string, section: string, entries: readonly Entry[]): string | null {
  if (entries.length === 0) return text;
  const map = sectionOf(text, section);
  const last = map?.items.at(-1);
  if (map === null || last === undefined) return null;
  const indent = columnOf(text, last);
  const end = endOf(text, last);
  if (indent === null || end === null) return null;
  const indentStep = stepOf(text, map, indent) ?? Math.max(indent, 1);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = entries.flat().map((line) => {
    const [blanks = ''] = /^ */.exec(line) ?? [];
    return ' '.repeat(indent + (blanks.length / 2) * indentStep) + line.slice(blanks.length);
  });
  const before = text.slice(0, end);
  const inserted = /\n$/.test(before)
    ? lines.map((line) => line + eol).join('')
    : lines.map((line) => eol + line).join('');
  const newText = before + inserted + text.slice(end);
  return isOnlyLonger(text, newText, section, entries.length) ? newText : null;
}

const parseYaml = (text: string) =>
  parseDocument(text, { prettyErrors: false, uniqueKeys: false, schema: 'core', merge: false, logLevel: 'silent' });

function sectionOf(text: string, section: string): YAMLMap | null {
  const doc = parseYaml(text);
  if (doc.errors.length > 0) return null;
  const map = doc.get(section, true);
  return isMap(map) && map.flow !== true ? map : null;
}

/** The column of a pair's key; null if the key is not the first text in its line. */
function columnOf(text: string, { key }: Pair): number | null {
  const start = isScalar(key) ? (key.range?.[0] ?? null) : null;
  if (start === null) return null;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return /^ *$/.test(before) ? before.length : null;
}

/** The offset after the line in which a pair ends. */
function endOf(text: string, { key, value }: Pair): number | null {
  const range = (isScalar(value) || isCollection(value) ? value.range : rangeOf(value)) ?? rangeOf(key);
  if (range === null || range === undefined) return null;
  const [, end] = range;
  if (end > 0 && text[end - 1] === '\n') return end;
  const newline = text.indexOf('\n', end);
  return newline === -1 ? text.length : newline + 1;
}

function rangeOf(node: unknown): readonly [number, number, number] | null {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return null;
  const [start, value, end] = node.range.map(Number);
  return [start ?? 0, value ?? 0, end ?? 0];
}

/** The file's indentation per level, from the first entry that is not written in braces; null if there is none. */
function stepOf(text: string, map: YAMLMap, indent: number): number | null {
  for (const { value } of map.items) {
    const [first] = isMap(value) && value.flow !== true ? value.items : [];
    const column = first === undefined ? null : columnOf(text, first);
    if (column !== null && column > indent) return column - indent;
  }
  return null;
}

/** Whether the new text parses to the old settings, with exactly `more` entries added at the end of the section. */
function isOnlyLonger(before: string, after: string, section: string, more: number): boolean {
  const [old, longer] = [entriesOf(before, section), entriesOf(after, section)];
  if (old === null || longer === null || longer.entries.length !== old.entries.length + more) return false;
  return (
    isDeepStrictEqual(longer.entries.slice(0, old.entries.length), old.entries) &&
    isDeepStrictEqual(longer.rest, old.rest)
  );
}

function entriesOf(text: string, section: string) {
  const doc = parseYaml(text);
  if (doc.errors.length > 0) return null;
  // Use maps, not objects, to compare the order of the entries: objects put numeric keys first.
  const tree: unknown = doc.toJS({ maxAliasCount: 1000, mapAsMap: true });
  const entries: unknown = tree instanceof Map ? tree.get(section) : null;
  if (!(tree instanceof Map) || !(entries instanceof Map)) return null;
  return { entries: [...entries], rest: [...tree].filter(([name]) => name !== section) };
}
