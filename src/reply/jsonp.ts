/** Pure. An answer as a script, for pages that read other sites through `<script>` (contract 1.7). */
import type { Reply } from '../call.ts';

/** Wraps a success in a call of `callback`, a name that is already checked. A refusal stays JSON with its status, as in CKAN. */
export function jsonp(callback: string, json: string): Pick<Reply, 'headers' | 'body'> {
  return {
    headers: { 'Content-Type': 'application/javascript;charset=utf-8' },
    // The comment keeps the first bytes out of the caller's hands: they could be those of another kind of file.
    body: `/**/${callback}(${asScript(json)});`,
  };
}

/** JSON is JavaScript but for two line separators, which ended a string literal before ES2019. */
function asScript(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
