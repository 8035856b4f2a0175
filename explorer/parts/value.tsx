/** Values as text: what cannot be seen is made visible, and nothing is ever markup. */
import type { ComponentChildren } from 'preact';
import { type Json, textOf } from '../ask/json.ts';
import { say } from '../texts/index.ts';

/** Control characters, and those that turn or hide text. */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;

export interface ValueProps {
  readonly value: Json;
  /** Words to be marked, in lower case. */
  readonly words: readonly string[];
  /** Characters after which it is cut; 0 for never. */
  readonly most: number;
  /** Whether line breaks stay what they are. */
  readonly hasLines?: boolean;
}

export function Value({ value, words, most, hasLines = false }: ValueProps) {
  const text = textOf(value);
  if (text === null) return <i class="null">{say.nullValue}</i>;
  if (text === '') return <i class="null">{say.emptyValue}</i>;
  const cut = most > 0 && text.length > most ? `${text.slice(0, most)}…` : text;
  return <>{pieces(cut, words, hasLines)}</>;
}

function pieces(text: string, words: readonly string[], hasLines: boolean): ComponentChildren {
  const isPlain = !unseen.test(text) && !/^\s|\s$/.test(text);
  if (isPlain) return words.length === 0 ? text : marked(text, words);
  const found = text.match(new RegExp(`${unseen.source}|^ +| +$|(?:(?!${unseen.source}|^ +| +$)[\\s\\S])+`, 'g')) ?? [];
  return found.map((piece, at) => {
    if (hasLines && /^[\n\t]$/.test(piece)) return piece;
    if (unseen.test(piece)) return <Unseen key={at} char={piece} />;
    if (/^ +$/.test(piece) && (at === 0 || at === found.length - 1))
      return (
        <span key={at} class="blank">
          {piece}
        </span>
      );
    return words.length === 0 ? piece : marked(piece, words);
  });
}

/** A character that cannot be seen, by its number. */
function Unseen({ char }: { readonly char: string }) {
  const code = char.charCodeAt(0);
  const name = { 9: '⇥', 10: '↵', 13: '␍' }[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return <span class="unseen">{name}</span>;
}

function marked(text: string, words: readonly string[]): ComponentChildren {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'giu'))
    .map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part));
}

/** The words of a `q` to be marked: those in double quotes are one. */
export function wordsOf(q: string): readonly string[] {
  return (q.match(/"[^"]+"|[^\s"]+/g) ?? []).map((word) => word.replaceAll('"', ''));
}
