/** Pure. The beginning of a text, as an answer quotes what was sent: never more than 200 characters, and no half of one. */
export function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
