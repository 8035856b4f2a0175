/** Internet addresses, for engines that take what is none for NULL instead of refusing it. */

const inet4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** Whether the text is an IPv4 address, or an IPv6 address in any of its spellings. */
export function isAddress(text: string, form: 'inet4' | 'inet6'): boolean {
  if (form === 'inet4') return inet4.test(text);
  const [head = '', tail, more] = text.split('::');
  if (more !== undefined) return false;
  const groups = [head, tail ?? ''].flatMap((part) => (part === '' ? [] : part.split(':')));
  const last = groups.at(-1) ?? '';
  const whole = groups.every(
    (group, at) => /^[\da-f]{1,4}$/i.test(group) || (at === groups.length - 1 && inet4.test(group)),
  );
  const length = groups.length + (inet4.test(last) ? 1 : 0);
  return whole && (tail === undefined ? length === 8 : length < 8);
}
