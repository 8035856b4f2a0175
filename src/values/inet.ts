/** Validates IP addresses, because some engines store NULL for an invalid address instead of refusing it. */

/** The length of `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. */
const maxCharacters = 45;

const inet4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** Whether the text is an IPv4 address, or an IPv6 address in any of its spellings. */
export function isAddress(text: string, form: 'inet4' | 'inet6'): boolean {
  if (text.length > maxCharacters) return false;
  if (form === 'inet4') return inet4.test(text);
  const [head = '', tail, more] = text.split('::');
  if (more !== undefined) return false;
  const groups = [head, tail ?? ''].flatMap((part) => (part === '' ? [] : part.split(':')));
  // An IPv6 address may end in an IPv4 address, in place of its last 32 bits.
  const isMixed = inet4.test(groups.at(-1) ?? '');
  const hex = isMixed ? groups.slice(0, -1) : groups;
  const length = groups.length + (isMixed ? 1 : 0);
  return hex.every((group) => /^[\da-f]{1,4}$/i.test(group)) && (tail === undefined ? length === 8 : length < 8);
}
