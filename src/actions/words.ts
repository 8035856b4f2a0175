import { invalid } from '../errors.ts';
import { isObject } from '../json.ts';
import type { Query, Search, SearchSettings } from '../plan.ts';
import type { Params } from './params.ts';
import { show } from './values.ts';

/** `q` as sent; null where it says nothing. */
export function readQ(params: Params): string | null {
  const raw = params.raw('q');
  if (raw === undefined || raw === '') return null;
  if (isObject(raw) || Array.isArray(raw)) params.complain('q', `must be a text, got: ${show(raw)}`);
  return show(raw).trim() === '' ? null : typeof raw === 'string' ? raw : show(raw);
}

/**
 * `q` → the words that must all be found, and by what. Text in double quotes is one word. `native` takes the words as
 * they are; `auto` is native only when the index can answer every one of them (design part 6, `q`).
 * Returns null when `q` holds no word at all; throws a 409 above `maxWords`.
 */
export function search(q: string, settings: SearchSettings, maxWords: number): Search | null {
  const words = [...q.matchAll(/"([^"]*)"|(\S+)/g)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((word) => word.trim() !== '');
  if (words.length === 0) return null;
  if (words.length > maxWords) throw invalid({ q: [`must have at most ${maxWords} words, got: ${words.length}`] });
  const { mode, index } = settings;
  const native = mode === 'native' || (mode === 'auto' && index !== null && words.every((word) => index.answers(word)));
  const query: Query = { op: 'and', of: words.map((text) => ({ op: 'word', text, prefix: false })) };
  return { column: null, query, by: native ? 'native' : 'like', language: settings.language };
}
