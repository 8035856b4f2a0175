import { type Params, tooLong } from '../params.ts';

/** The words of `q` in lower case. Complains about other types, and about more words or bytes than a search allows. */
export function wordsOf(params: Params, { qBytes, qWords }: { readonly qBytes: number; readonly qWords: number }) {
  const q = params.raw('q') ?? '';
  if (typeof q !== 'string') params.complain('q', 'must be a text');
  const bytes = typeof q === 'string' ? Buffer.byteLength(q) : 0;
  if (bytes > qBytes) params.complain('q', tooLong(qBytes, bytes));
  if (typeof q !== 'string' || bytes > qBytes) return [];
  const words = q.toLowerCase().match(/\S+/g) ?? [];
  if (words.length > qWords) params.complain('q', `must have at most ${qWords} words, got: ${words.length}`);
  return words;
}
