import { isIPv6 } from 'node:net';

/**
 * The /64 network of an IPv6 address: one client usually has all its 2^64 addresses. An IPv4-mapped address counts as IPv4.
 */
export function networkOf(address: string): string {
  const plain = address
    .replace(/^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i, (_, high: string, low: string) => {
      const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
      return [a >> 8, a & 255, b >> 8, b & 255].join('.');
    })
    .replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
