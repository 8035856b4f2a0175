/** Pure. The beginning of a text for quoting in an answer: at most 200 characters, without splitting one. */
export function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
