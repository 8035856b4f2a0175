/** Pure. JSONP: an answer as a script, for pages that read other sites through `<script>`. */
import type { Reply } from '../model/http.ts';
import type { Steps } from '../values/slices.ts';
import { Pieces } from './pieces.ts';

/** The number of bytes converted in one step. */
const stepBytes = 65_536;

/** Wraps a successful answer's body in a call to `callback`, a validated name. (Refusals stay JSON, as in CKAN.) */
export function* jsonp(callback: string, json: Uint8Array): Steps<Pick<Reply, 'headers' | 'body'>> {
  const body = new Pieces();
  // The caller chooses the name. If it came first, it could make the answer look like another file type, such as Flash.
  body.add(`/**/${callback}(`);
  for (let from = 0; from < json.length; ) {
    const end = endOfText(json, from + stepBytes);
    body.add(asScript(Buffer.from(json.buffer, json.byteOffset + from, end - from).toString()));
    from = end;
    yield;
  }
  body.add(');');
  return { headers: { 'Content-Type': 'application/javascript;charset=utf-8' }, body: yield* body.joined() };
}

/** The last index up to `place` at which a UTF-8 character begins, so that we split no character. */
function endOfText(bytes: Uint8Array, place: number): number {
  let end = Math.min(place, bytes.length);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** JSON as JavaScript: before ES2019, U+2028 and U+2029 ended a string literal, so they are escaped. */
function asScript(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
