/** Renders values as text. Invisible characters are made visible, and nothing is interpreted as HTML. */
import type { ComponentChildren } from 'preact';
import { type Json, textOf } from '../ask/json.ts';
import { say } from '../texts/index.ts';

/** Control characters, and Unicode characters that hide or reverse text. */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;
const eachUnseen = new RegExp(`(${unseen.source})`);

export interface ValueProps {
  readonly value: Json;
  /** The words to highlight, in lower case. */
  readonly words: readonly string[];
  /** The value is cut off after this many characters. */
  readonly most: number;
  /** Whether line breaks and tabs are shown as such, instead of as symbols. */
  readonly hasLines?: boolean;
}

export function Value({ value, words, most, hasLines = false }: ValueProps) {
  const text = textOf(value);
  if (text === null) return <i class="null">{say.nullValue}</i>;
  if (text === '') return <i class="null">{say.emptyValue}</i>;
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return <>{pieces(cut, words, hasLines)}</>;
}

/** A name or another short text. */
export const Name = ({ of }: { readonly of: string }) => <Value value={of} words={[]} most={1000} />;

function pieces(text: string, words: readonly string[], hasLines: boolean): ComponentChildren {
  const shown = (part: string) => (words.length === 0 ? part : marked(part, words));
  if (!unseen.test(text) && !/^ | $/.test(text)) return shown(text);
  // A loop, because a regular expression for trailing blanks takes quadratic time on blanks in the middle.
  const isBlank = (at: number) => text[at] === ' ';
  let [from, to] = [0, text.length];
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  const parts = text.slice(from, to).split(eachUnseen);
  return (
    <>
      {from > 0 && <span class="blank">{text.slice(0, from)}</span>}
      {parts.map((part, at) => {
        if (at % 2 === 0) return shown(part);
        return hasLines && /[\n\t]/.test(part) ? part : <Unseen key={at} char={part} />;
      })}
      {to < text.length && <span class="blank">{text.slice(to)}</span>}
    </>
  );
}

/** A placeholder that shows an invisible character's code. */
function Unseen({ char }: { readonly char: string }) {
  const code = char.charCodeAt(0);
  const name = { 9: '⇥', 10: '↵', 13: 'CR' }[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return <span class="unseen">{name}</span>;
}

function marked(text: string, words: readonly string[]): ComponentChildren {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'giu'))
    .map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part));
}

/** The words of `q` to highlight. A phrase in double quotes counts as one. */
export function wordsOf(q: string): readonly string[] {
  return (q.match(/"[^"]+"|[^\s"]+/g) ?? []).map((word) => word.replaceAll('"', ''));
}
