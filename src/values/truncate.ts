/** Pure. Truncates a string that an answer quotes to 200 characters, without splitting a surrogate pair. */
export function truncate(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
