import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { readJson } from '../values/json.ts';
import { type Complaint, type Finding, formatPath, type Path, type Positions } from './complaints.ts';
import { place, positionsIn } from './positions.ts';
import { claimIn, type Substituted } from './substitute.ts';

/** A configuration file as plain values, with the errors found so far. */
export interface Source {
  readonly ok: true;
  readonly tree: unknown;
  readonly findings: readonly Finding[];
  /** Formatted paths whose values could not be read, so that further complaints about them would be noise. */
  readonly unreadable: ReadonlySet<string>;
  readonly positions: Positions;
}
export interface NoSource {
  readonly ok: false;
  readonly complaints: readonly Complaint[];
}

/** Substitutes variables and secret files in a text. */
type Fill = (text: string, path: Path) => Substituted;

/** Our texts for the YAML parser's errors: its own texts quote the file, and could show a password. */
const syntaxErrors: ReadonlyMap<string, string> = new Map([
  ['BAD_INDENT', 'the indentation does not fit'],
  ['BAD_SCALAR_START', 'text that begins with a special character needs quotes'],
  ['BLOCK_AS_IMPLICIT_KEY', 'text that holds a colon and a blank needs quotes'],
  ['MISSING_CHAR', 'a bracket, quotation mark, colon or comma is missing'],
  ['MULTIPLE_DOCS', 'there is more than one document'],
  ['TAB_AS_INDENT', 'lines are indented with blanks, not with tabs'],
]);

/** Matches `tokens: []` followed by list items. The parser would confuse operators by complaining about the items, not about the `[]`. */
const emptyListWithItems = /\[[ \t]*\][ \t]*(?:#.*)?\r?\n(?:[ \t]*#.*\r?\n)*[ \t]+- /;

/**
 * Reads YAML, of which JSON is a subset. Keys stay as they are written in the file: `1e3:` is named "1e3", not "1000".
 * @param fill called once for every text
 */
export function readSource(text: string, file: string, fill: Fill): Source | NoSource {
  const lines = new LineCounter();
  // The schema is fixed, because a line `%YAML 1.1` would otherwise turn `yes` into true and merge `<<`.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, schema: 'core', merge: false } as const;
  const doc = parseDocument(text, options);
  if (doc.errors.length > 0) return { ok: false, complaints: syntaxComplaints(doc.errors, text, file, lines) };
  const { filled, ...contents } = readContents(doc, lines, fill);
  return { ok: true, ...contents, positions: positionsIn(doc, lines, file, filled) };
}

function syntaxComplaints(
  errors: readonly YAMLParseError[],
  text: string,
  file: string,
  lines: LineCounter,
): readonly Complaint[] {
  const complaint = (offset: number, what: string): Complaint => ({
    path: '',
    where: place(lines, file, offset),
    text: `is not valid YAML: ${what}`,
  });
  const empty = emptyListWithItems.exec(text);
  if (empty !== null)
    return [complaint(empty.index, '[] is a whole, empty list; take it away, and the items below it are the list')];
  return errors.map(({ code, pos }) =>
    complaint(pos[0], syntaxErrors.get(code) ?? code.toLowerCase().replaceAll('_', ' ')),
  );
}

/** Checks all nodes, and substitutes variables in their texts. `filled` collects the nodes whose texts came from outside the file. */
function readContents(
  doc: Document.Parsed,
  lines: LineCounter,
  fill: Fill,
): Pick<Source, 'tree' | 'findings' | 'unreadable'> & { readonly filled: ReadonlySet<unknown> } {
  const findings: Finding[] = [];
  const unreadable = new Set<string>();
  const filled = new Set<unknown>();
  const markUnreadable = (path: Path, says: string, until = path) => {
    findings.push({ path, says });
    unreadable.add(formatPath(until));
  };

  const walk = (node: ParsedNode | null, path: Path, ancestors: readonly unknown[]): void => {
    if (isAlias(node)) {
      const target = node.resolve(doc);
      if (target === undefined) markUnreadable(path, 'must be an anchor that was defined before', []);
      else if (ancestors.includes(target)) markUnreadable(path, 'must not be an anchor around itself', []);
    } else if (isSeq(node)) {
      for (const [i, item] of node.items.entries()) walk(item, [...path, i], [...ancestors, node]);
    } else if (isMap(node)) {
      const seen = new Map<string, number>();
      for (const { key, value } of node.items) {
        if (!isScalar(key)) {
          // The parser would convert a list or mapping used as a key to text, and print a warning that quotes it.
          markUnreadable(path, 'must have text as keys', []);
          continue;
        }
        const name = typeof key.value === 'string' ? key.value : (key.source ?? '');
        key.value = name;
        const first = seen.get(name);
        if (first !== undefined)
          findings.push({ path: [...path, name], says: `is given twice, first in line ${first}` });
        seen.set(name, first ?? lines.linePos(key.range[0]).line);
        // A key `__proto__` would replace the object's prototype.
        if (name === '__proto__') markUnreadable([...path, name], 'is not a name that can be used');
        walk(value, [...path, name], [...ancestors, node]);
      }
    } else if (isScalar(node) && typeof node.value === 'number' && isExact(path)) {
      const exact = readJson(node.source ?? '', 1);
      if ('value' in exact) node.value = exact.value;
    } else if (isScalar(node) && typeof node.value === 'string') {
      const claim = isFilter(path) ? claimIn(node.value) : null;
      if (claim !== null) {
        node.value = claim;
        return;
      }
      const result = fill(node.value, path);
      if (result.ok) node.value = result.text;
      else for (const problem of result.problems) markUnreadable(path, problem);
      if (result.ok && result.fromOutside) filled.add(node);
    }
  };
  walk(doc.contents, [], []);

  const tree = unreadable.has('') ? null : orUndefined(() => doc.toJS({ maxAliasCount: 1000 }));
  if (tree === undefined) markUnreadable([], 'uses too many aliases');
  return { tree, findings, unreadable, filled };
}

/** Whether a value belongs to a row filter. */
const isFilter = ([root, , name, list, , part]: Path): boolean =>
  (name === 'where' && (root === 'resources' || root === 'tokens')) ||
  (root === 'auth' && list === 'grants' && part === 'where');

/** Whether a number is compared with columns, so that every digit counts. */
const isExact = (path: Path): boolean => isFilter(path) || (path[0] === 'tokens' && path[2] === 'claims');

/** What `read` returns; undefined if it throws, as the parser does when aliases expand beyond the limit. */
function orUndefined(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
