/** Pure. An answer as a script, for pages that read other sites through `<script>` (contract 1.7). */
import type { Reply } from '../model/http.ts';
import type { Steps } from '../values/slices.ts';
import { Pieces } from './pieces.ts';

/** Bytes that are converted at a time. */
const step = 65_536;

/** Wraps a success in a call of `callback`, a validated name. A refusal stays JSON with its status, as in CKAN. */
export function* jsonp(callback: string, json: Uint8Array): Steps<Pick<Reply, 'headers' | 'body'>> {
  const body = new Pieces();
  // The comment keeps the first bytes out of the caller's control: they could imitate another kind of file.
  body.add(`/**/${callback}(`);
  for (let from = 0; from < json.length; ) {
    const end = endOfText(json, from + step);
    body.add(asScript(Buffer.from(json.buffer, json.byteOffset + from, end - from).toString()));
    from = end;
    yield;
  }
  body.add(');');
  return { headers: { 'Content-Type': 'application/javascript;charset=utf-8' }, body: yield* body.joined() };
}

/** The nearest index, at or a little before `place`, where a UTF-8 character begins. */
function endOfText(bytes: Uint8Array, place: number): number {
  let end = Math.min(place, bytes.length);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** JSON is JavaScript except for two line separators, which ended a string literal before ES2019. */
function asScript(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
