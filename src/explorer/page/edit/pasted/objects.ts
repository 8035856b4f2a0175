/** Splits JSON text into objects: an array of objects, or objects one after the other (JSON Lines). */
import { Unreadable } from './unreadable.ts';

/** The maximum nesting depth that the gateway accepts. */
const maxDepth = 64;

/** An object's text, and the line where it begins. */
export interface Written {
  readonly text: string;
  readonly line: number;
}

/**
 * Yields the text of each object. Parsing all of them in one step would freeze the page.
 * @throws Unreadable with the line number
 */
export function* objectsOf(text: string): Generator<Written, void> {
  const between = /[\s,]*/y;
  const lines = lineCounter(text);
  const skip = (from: number): number => {
    between.lastIndex = from;
    between.test(text);
    return between.lastIndex;
  };
  let at = skip(text.startsWith('\ufeff') ? 1 : 0);
  const isList = text[at] === '[';
  if (isList) at = skip(at + 1);
  for (; at < text.length; ) {
    if (isList && text[at] === ']') {
      if (skip(at + 1) < text.length) throw new Unreadable({ is: 'noObject', line: lines(at) });
      return;
    }
    const end = text[at] === '{' ? endOf(text, at) : -1;
    if (end < 0) throw new Unreadable({ is: 'noObject', line: lines(at) });
    yield { text: text.slice(at, end), line: lines(at) };
    at = skip(end);
  }
  if (isList) throw new Unreadable({ is: 'noObject', line: lines(text.length) });
}

/** The end of the object that begins at `from`; -1 if it is not closed. Only brackets and strings are tracked: `JSON.parse` checks the rest. */
function endOf(text: string, from: number): number {
  const marks = /[{}[\]"]/g;
  marks.lastIndex = from;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') {
      marks.lastIndex = endOfText(text, mark.index);
      if (marks.lastIndex === 0) return -1;
    } else if (mark[0] === '{' || mark[0] === '[') {
      if (++depth > maxDepth) return -1;
    } else if (--depth === 0) return mark.index + 1;
  }
  return -1;
}

/** The index after a string literal; 0 if it is not closed. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return 0;
}

/** Counts lines up to an offset. Offsets must be ascending: it continues from the last one. */
function lineCounter(text: string): (to: number) => number {
  let [line, at] = [1, 0];
  return (to) => {
    for (let lineEnd = text.indexOf('\n', at); lineEnd >= 0 && lineEnd < to; lineEnd = text.indexOf('\n', at)) {
      line++;
      at = lineEnd + 1;
    }
    return line;
  };
}
