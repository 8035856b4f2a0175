/** Texts as YAML of a configuration. Every name comes from outside. Pure. */

/** A text as a value: the loader would fill in `${NAME}`. */
export function scalar(text: string): string {
  return key(text.replaceAll('${', () => '$${'));
}

/** A text as a key, which the loader takes as it is. What YAML or a terminal could take for something else is escaped. */
export function key(text: string): string {
  if (/^[a-z_][\w-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)) return text;
  return JSON.stringify(text).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029\ufffe\uffff]/gu, escaped);
}
const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
