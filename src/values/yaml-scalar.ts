/** Writes strings as YAML for a configuration. They may be names from a database, so nothing in them is trusted. Pure. */

/** A string as a YAML value. Escapes `${`, because the loader would substitute `${NAME}`. */
export function scalar(text: string): string {
  return key(text.replaceAll('${', () => '$${'));
}

/** A string as a YAML key, in which the loader substitutes nothing. Escapes characters that YAML or a terminal would misread. */
export function key(text: string): string {
  if (/^[a-z_][\w-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)) return text;
  return JSON.stringify(text).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029\ufffe\uffff]/gu, escaped);
}
const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
