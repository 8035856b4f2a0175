import { invalid } from '../../model/errors.ts';
import type { Word as Part, Query } from '../../model/words.ts';
import { show } from '../../values/show.ts';

type Word = Extract<Query, { op: 'word' }>;
/** A lexical token: a word, or an operator. */
type Token = Word | '!' | '&' | '|' | '(' | ')' | '<->';

/**
 * Parses the part of PostgreSQL's tsquery that clients use: `word`, `'quoted words'`, `word:*`, `!`, `<->` between words, `&`, `|`
 * and parentheses, binding in this order. A backslash escapes the next character. A `_` outside quotes stands for any one character,
 * because CKAN's DataTables view replaces all punctuation by it. Parsing takes one pass and stops at the first error.
 * Throws a 409 in PostgreSQL's words for invalid syntax, and a 409 that names the parameter for too many words or too deep nesting
 * of parentheses and `!`.
 */
export function parseTsquery(
  text: string,
  parameter: string,
  { qWords, depth: maxDepth }: { readonly qWords: number; readonly depth: number },
): Query {
  const tokens = split(text);
  let token = tokens.next().value;
  let words = 0;

  function take(mark: Token): boolean {
    if (token !== mark) return false;
    token = tokens.next().value;
    return true;
  }

  function list(op: 'and' | 'or', mark: '&' | '|', part: () => Query): Query {
    const first = part();
    if (token !== mark) return first;
    const of = [first];
    while (take(mark)) of.push(part());
    return { op, of };
  }

  const any = (depth: number): Query => list('or', '|', () => list('and', '&', () => inRow(depth)));

  function inRow(depth: number): Query {
    const first = one(depth);
    if (token !== '<->') return first;
    const of = [...row(first)];
    while (take('<->')) of.push(...row(one(depth)));
    return { op: 'phrase', of };
  }

  function row(query: Query): readonly Part[] {
    if (query.op === 'word') return [query];
    return query.op === 'phrase' ? query.of : refuse(text);
  }

  function one(depth: number): Query {
    const isNot = take('!');
    if (!isNot && !take('(')) return word();
    if (depth === maxDepth) throw invalid({ [parameter]: [`must be nested at most ${maxDepth} levels deep`] });
    if (isNot) return { op: 'not', of: one(depth + 1) };
    const inside = any(depth + 1);
    return take(')') ? inside : refuse(text);
  }

  function word(): Word {
    const found = token;
    if (typeof found !== 'object') return refuse(text);
    if (++words > qWords) throw invalid({ [parameter]: [`must have at most ${qWords} words, got more`] });
    token = tokens.next().value;
    return found;
  }

  const query = any(0);
  return token === undefined ? query : refuse(text);
}

function refuse(text: string): never {
  throw invalid({ query: ['Invalid query'], info: { orig: [`syntax error in tsquery: "${show(text)}"`] } });
}

function* split(text: string): Generator<Token, undefined> {
  const word = /\s*('?)/y;
  for (let at = 0; ; ) {
    word.lastIndex = at;
    const isQuoted = word.exec(text)?.[1] === "'";
    at = word.lastIndex;
    if (at === text.length && !isQuoted) return;
    const mark = isQuoted ? undefined : operators.find((one) => text.startsWith(one, at));
    if (mark !== undefined) {
      yield mark;
      at += mark.length;
    } else {
      const from = at;
      const found = until(isQuoted ? /['\\]/g : /[\s!&|():<\\]/g, text, at);
      at = found.end + (isQuoted ? 1 : 0);
      if (found.text.trim() === '' || at > text.length) refuse(text);
      const prefix = text.startsWith(':*', at);
      if (prefix) at += 2;
      const isPattern = !isQuoted && found.text.includes('_') && /(?<!\\)_/.test(text.slice(from, found.end));
      yield { op: 'word', text: found.text, prefix, ...(isPattern ? { isPattern } : {}) };
    }
  }
}
const operators = ['!', '&', '|', '(', ')', '<->'] as const;

/** The text from `start` to the next `ending` character, with backslash escapes and doubled quotes resolved. */
function until(ending: RegExp, text: string, start: number): { readonly text: string; readonly end: number } {
  let word = '';
  for (let at = start; ; ) {
    ending.lastIndex = at;
    const end = ending.exec(text)?.index ?? text.length;
    word += text.slice(at, end);
    if (text[end] !== '\\' && !text.startsWith("''", end)) return { text: word, end };
    word += text[end + 1] ?? '';
    at = end + 2;
  }
}
